/* Runs a program for an ATmega128 under simavr, with all the memory that the processor can address. What the program
 * writes to 0xf0 goes to standard output; a write to 0xf1 marks the cycle, one to 0xf2 ends with that status. */
#include <stdarg.h>
#include <stdio.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_io.h>

static int status = -1;

static void put(struct avr_t *avr, avr_io_addr_t address, uint8_t value, void *more) {
  (void)avr, (void)address, (void)more;
  putchar(value);
}

static void mark(struct avr_t *avr, avr_io_addr_t address, uint8_t value, void *more) {
  (void)address, (void)value, (void)more;
  fprintf(stderr, "mark %llu\n", (unsigned long long)avr->cycle);
}

static void end(struct avr_t *avr, avr_io_addr_t address, uint8_t value, void *more) {
  (void)address, (void)more;
  status = value;
  avr->state = cpu_Done;
}

static void complain(struct avr_t *avr, const int level, const char *format, va_list arguments) {
  (void)avr;
  if (level <= LOG_ERROR) vfprintf(stderr, format, arguments);
}

int main(int argc, char **argv) {
  static elf_firmware_t firmware;
  avr_t *avr = avr_make_mcu_by_name("atmega128");
  int state = cpu_Running;
  avr_global_logger_set(complain);
  if (argc != 2 || !avr || elf_read_firmware(argv[1], &firmware) != 0) return 125;
  avr->ramend = 0xffff;
  avr_init(avr);
  avr_load_firmware(avr, &firmware);
  avr_register_io_write(avr, 0xf0, put, NULL);
  avr_register_io_write(avr, 0xf1, mark, NULL);
  avr_register_io_write(avr, 0xf2, end, NULL);
  while (state != cpu_Done && state != cpu_Crashed) state = avr_run(avr);
  fflush(stdout);
  return status < 0 ? 124 : status;
}
