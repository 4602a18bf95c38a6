/* Around a program for an ATmega128 under simavr: standard output, and the status of `main`. */
#undef main
#include <stdio.h>

int evariste_main(void);

static int put(char c, FILE *stream) {
  (void)stream;
  *(volatile unsigned char *)0xf0 = (unsigned char)c;
  return 0;
}

static FILE out = FDEV_SETUP_STREAM(put, NULL, _FDEV_SETUP_WRITE);

int main(void) {
  stdout = &out;
  *(volatile unsigned char *)0xf2 = (unsigned char)evariste_main();
  return 0;
}
