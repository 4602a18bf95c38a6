/* Calls functions of AArch64 that come as bytes: standard input has the jobs, standard output gets the arrays. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { GUARD = 64, MOST = 64 };

/* Calls the function with n pointers. Gives the number of registers that it has not kept. */
uint64_t kept(void *function, void **arguments, uint64_t n);
__asm__(
    ".bss\n.p2align 3\nour_sp: .skip 8\nits_sp: .skip 8\n"
    ".text\n.p2align 2\n.globl kept\nkept:\n"
    "stp x29, x30, [sp, #-112]!\nstp x19, x20, [sp, #16]\nstp x21, x22, [sp, #32]\nstp x23, x24, [sp, #48]\n"
    "stp x25, x26, [sp, #64]\nstp x27, x28, [sp, #80]\nstr x18, [sp, #96]\n"
    "adrp x9, our_sp\nadd x9, x9, :lo12:our_sp\nmov x10, sp\nstr x10, [x9]\n"
    "mov x16, x0\nmov x17, x1\n"
    "subs x11, x2, #8\nb.ls 1f\n"
    "add x12, x11, #1\nbic x12, x12, #1\nsub sp, sp, x12, lsl #3\nmov x13, #0\n"
    "0: add x14, x13, #8\nldr x15, [x17, x14, lsl #3]\nstr x15, [sp, x13, lsl #3]\nadd x13, x13, #1\ncmp x13, x11\nb.lo 0b\n"
    "1: mov x10, sp\nstr x10, [x9, #8]\n"
    /* What nobody promised holds nothing useful. */
    "mov x8, #0x808\nmov x9, #0x909\nmov x10, #0x1010\nmov x11, #0x1111\nmov x12, #0x1212\nmov x13, #0x1313\n"
    "mov x14, #0x1414\nmov x15, #0x1515\n"
    "mov x18, #0x1818\nmov x19, #0x1919\nmov x20, #0x2020\nmov x21, #0x2121\nmov x22, #0x2222\nmov x23, #0x2323\n"
    "mov x24, #0x2424\nmov x25, #0x2525\nmov x26, #0x2626\nmov x27, #0x2727\nmov x28, #0x2828\nmov x29, #0x2929\n"
    "ldp x0, x1, [x17]\nldp x2, x3, [x17, #16]\nldp x4, x5, [x17, #32]\nldp x6, x7, [x17, #48]\n"
    "blr x16\n"
    "adrp x9, our_sp\nadd x9, x9, :lo12:our_sp\nldr x10, [x9, #8]\nmov x11, sp\nmov x12, #0\n"
    "cmp x10, x11\ncinc x12, x12, ne\n"
    ".macro keeps r, v\nmov x10, #\\v\ncmp x10, \\r\ncinc x12, x12, ne\n.endm\n"
    "keeps x18, 0x1818\nkeeps x19, 0x1919\nkeeps x20, 0x2020\nkeeps x21, 0x2121\nkeeps x22, 0x2222\nkeeps x23, 0x2323\n"
    "keeps x24, 0x2424\nkeeps x25, 0x2525\nkeeps x26, 0x2626\nkeeps x27, 0x2727\nkeeps x28, 0x2828\nkeeps x29, 0x2929\n"
    "ldr x10, [x9]\nmov sp, x10\nmov x0, x12\n"
    "ldp x19, x20, [sp, #16]\nldp x21, x22, [sp, #32]\nldp x23, x24, [sp, #48]\nldp x25, x26, [sp, #64]\n"
    "ldp x27, x28, [sp, #80]\nldr x18, [sp, #96]\nldp x29, x30, [sp], #112\nret\n");

static sigjmp_buf back;

static void caught(int number) { siglongjmp(back, number); }

static uint64_t word(void) {
  uint64_t x;
  if (fread(&x, sizeof x, 1, stdin) != 1) exit(feof(stdin) ? 0 : 1);
  return x;
}

int main(void) {
  static char stack[1 << 16];
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_handler = caught, .sa_flags = SA_ONSTACK | SA_NODEFER};
  int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP};
  size_t room = 1 << 24;
  char *code = mmap(0, room, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) return 2;
  sigaltstack(&other, 0);
  for (int i = 0; i < 4; i++) sigaction(signals[i], &action, 0);
  for (;;) {
    void *arguments[MOST] = {0};
    char *arrays[MOST];
    uint64_t lengths[MOST], shares[MOST], length = word(), n, verdict;
    if (length > room || fread(code, 1, length, stdin) != length) return 3;
    __builtin___clear_cache(code, code + length);
    n = word();
    if (n > MOST) return 4;
    for (uint64_t i = 0; i < n; i++) {
      shares[i] = word();
      lengths[i] = word();
      arrays[i] = malloc(lengths[i] + 2 * GUARD);
      memset(arrays[i], 0xa5, lengths[i] + 2 * GUARD);
      if (fread(arrays[i] + GUARD, 1, lengths[i], stdin) != lengths[i]) return 5;
    }
    for (uint64_t i = 0; i < n; i++) arguments[i] = arrays[shares[i]] + GUARD;
    int number = sigsetjmp(back, 1);
    verdict = number != 0 ? 1000 + number : kept(code, arguments, n);
    for (uint64_t i = 0; i < n; i++)
      for (int k = 0; k < GUARD; k++)
        if (arrays[i][k] != (char)0xa5 || arrays[i][GUARD + lengths[i] + k] != (char)0xa5) verdict |= 1u << 20;
    fwrite(&verdict, sizeof verdict, 1, stdout);
    for (uint64_t i = 0; i < n; i++) {
      fwrite(arrays[i] + GUARD, 1, lengths[i], stdout);
      free(arrays[i]);
    }
  }
}
