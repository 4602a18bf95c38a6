/* Runs a program for an ARM7TDMI under mGBA, in memory without wait states, which lies where that machine has 256 KiB of
 * slower memory. `swi 1` writes the character in r0, `swi 2` marks the cycle, `swi 3` ends with the status in r0. */
#include <elf.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <mgba/core/core.h>
#include <mgba/core/log.h>
#include <mgba/core/timing.h>
#include <mgba/internal/arm/arm.h>
#include <mgba/internal/gba/gba.h>
#include <mgba-util/vfs.h>

enum { MEMORY = 2, STACK = 0x03007f00 };

static struct mCore *core;
static int status = -1;

static void called(struct ARMCore *processor, int number) {
  if (number == 1) putchar(processor->gprs[0]);
  else if (number == 2) fprintf(stderr, "mark %lu\n", (unsigned long)(uint32_t)mTimingCurrentTime(core->timing));
  else status = number == 3 ? processor->gprs[0] & 0xff : 123;
}

static void illegal(struct ARMCore *processor, uint32_t instruction) {
  (void)processor;
  fprintf(stderr, "no such instruction: 0x%08lx\n", (unsigned long)instruction);
  status = 122;
}

static void complain(struct mLogger *logger, int category, enum mLogLevel level, const char *format, va_list arguments) {
  (void)logger, (void)category;
  if (level & mLOG_FATAL) vfprintf(stderr, format, arguments), fputc('\n', stderr);
}

static void load(const unsigned char *file, const Elf32_Phdr *part) {
  uint32_t i;
  for (i = 0; i < part->p_memsz; i++)
    core->rawWrite8(core, part->p_vaddr + i, -1, i < part->p_filesz ? file[part->p_offset + i] : 0);
}

int main(int argc, char **argv) {
  static unsigned char file[1 << 22], cartridge[1024];
  static color_t screen[240 * 160];
  static struct mLogger logger;
  const Elf32_Ehdr *head = (const Elf32_Ehdr *)file;
  struct ARMCore *processor;
  struct GBA *board;
  int32_t stack = STACK, entry;
  FILE *stream;
  size_t size, i;
  if (argc != 2 || !(stream = fopen(argv[1], "rb"))) return 125;
  size = fread(file, 1, sizeof file, stream);
  fclose(stream);
  if (size < sizeof *head || size == sizeof file || memcmp(file, ELFMAG, SELFMAG) != 0) return 125;
  logger.log = complain;
  mLogSetDefaultLogger(&logger);
  core = mCoreCreate(mPLATFORM_GBA);
  if (!core || !core->init(core)) return 125;
  mCoreInitConfig(core, NULL);
  core->setVideoBuffer(core, screen, 240);
  /* A cartridge is known by this byte. */
  cartridge[0xb2] = 0x96;
  if (!core->loadROM(core, VFileFromConstMemory(cartridge, sizeof cartridge))) return 125;
  core->reset(core);
  processor = core->cpu;
  board = core->board;
  processor->irqh.swi16 = processor->irqh.swi32 = called;
  processor->irqh.hitIllegal = illegal;
  board->memory.waitstatesSeq16[MEMORY] = board->memory.waitstatesNonseq16[MEMORY] = 0;
  board->memory.waitstatesSeq32[MEMORY] = board->memory.waitstatesNonseq32[MEMORY] = 0;
  for (i = 0; i < head->e_phnum; i++) {
    const Elf32_Phdr *part = (const Elf32_Phdr *)(file + head->e_phoff + i * head->e_phentsize);
    if (part->p_type == PT_LOAD) load(file, part);
  }
  entry = (int32_t)head->e_entry;
  core->writeRegister(core, "sp", &stack);
  core->writeRegister(core, "pc", &entry);
  while (status < 0) core->runLoop(core);
  fflush(stdout);
  return status;
}
