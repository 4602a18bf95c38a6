/* Around a program for an ARM7TDMI under mGBA, which has no library: its start, and what tests call of one. */
#undef main
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

int evariste_main(void);
void _start(void);

static void put(char c) {
  register int r0 __asm__("r0") = c;
  __asm__ volatile("swi 1" : : "r"(r0) : "memory");
}

void _start(void) {
  register int r0 __asm__("r0") = evariste_main();
  for (;;) __asm__ volatile("swi 3" : : "r"(r0) : "memory");
}

void *memcpy(void *to, const void *from, size_t size) {
  unsigned char *t = to;
  const unsigned char *f = from;
  while (size--) *t++ = *f++;
  return to;
}

void *memmove(void *to, const void *from, size_t size) {
  unsigned char *t = to;
  const unsigned char *f = from;
  if (t < f) return memcpy(to, from, size);
  while (size--) t[size] = f[size];
  return to;
}

void *memset(void *to, int value, size_t size) {
  unsigned char *t = to;
  while (size--) *t++ = (unsigned char)value;
  return to;
}

int memcmp(const void *a, const void *b, size_t size) {
  const unsigned char *x = a, *y = b;
  for (; size--; x++, y++)
    if (*x != *y) return *x < *y ? -1 : 1;
  return 0;
}

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length]) length++;
  return length;
}

static void text(const char *s) {
  while (*s) put(*s++);
}

/* In decimal, without a division, which this processor lacks. */
static void number(unsigned long x) {
  static const unsigned long powers[] = {1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1};
  unsigned begun = 0, i, digit;
  for (i = 0; i < sizeof powers / sizeof *powers; i++) {
    for (digit = 0; x >= powers[i]; digit++) x -= powers[i];
    begun |= digit | (powers[i] == 1);
    if (begun) put((char)('0' + digit));
  }
}

int printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  for (; *format; format++) {
    if (*format != '%') {
      put(*format);
      continue;
    }
    format++;
    while (*format == 'l' || *format == 'z') format++;
    if (*format == 's') text(va_arg(arguments, const char *));
    else if (*format == 'd' || *format == 'u') number(va_arg(arguments, unsigned long));
    else put(*format);
  }
  va_end(arguments);
  return 0;
}

int puts(const char *s) {
  text(s);
  put('\n');
  return 0;
}

int putchar(int c) {
  put((char)c);
  return c;
}
