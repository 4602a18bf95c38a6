/* A plugin of QEMU that counts instructions. A system call whose first argument is the mark prints how many were executed
 * before it. What it uses of qemu-plugin.h is declared here. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define MARK 0x4d41524bu

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef uint64_t id_type;
typedef void translate_type(id_type, struct qemu_plugin_tb *);
typedef void call_type(id_type, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
enum operation { ADD_U64 = 0 };

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t i);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *instruction, enum operation, void *to, uint64_t by);
void qemu_plugin_register_vcpu_tb_trans_cb(id_type id, translate_type *);
void qemu_plugin_register_vcpu_syscall_cb(id_type id, call_type *);

int qemu_plugin_version = 1;

static uint64_t count;

static void translated(id_type id, struct qemu_plugin_tb *block) {
  size_t i;
  (void)id;
  for (i = 0; i < qemu_plugin_tb_n_insns(block); i++)
    qemu_plugin_register_vcpu_insn_exec_inline(qemu_plugin_tb_get_insn(block, i), ADD_U64, &count, 1);
}

static void called(id_type id, unsigned processor, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                   uint64_t f, uint64_t g, uint64_t h) {
  (void)id, (void)processor, (void)number, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
  if ((uint32_t)a == MARK) fprintf(stderr, "mark %llu\n", (unsigned long long)count);
}

int qemu_plugin_install(id_type id, const void *information, int argc, char **argv) {
  (void)information, (void)argc, (void)argv;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_vcpu_syscall_cb(id, called);
  return 0;
}
