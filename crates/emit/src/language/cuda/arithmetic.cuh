
#include <stddef.h>
#include <stdint.h>

#if !defined(__CUDACC__)
#include "without_gpu.h"
#endif

#ifndef EVARISTE_BOTH
#define EVARISTE_BOTH static __host__ __device__ inline
#endif

#ifndef EVARISTE_ARITHMETIC
#define EVARISTE_ARITHMETIC

/* low + 2^64 high = a b */
EVARISTE_BOTH uint64_t mul_wide_64(uint64_t a, uint64_t b, uint64_t *high) {
#if defined(__CUDA_ARCH__)
  *high = __umul64hi(a, b);
  return a * b;
#else
  unsigned __int128 t = (unsigned __int128)a * b;
  *high = (uint64_t)(t >> 64);
  return (uint64_t)t;
#endif
}

/* low + 2^64 high = a b + c + d */
EVARISTE_BOTH uint64_t mul_add_add_64(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *high) {
#if defined(__CUDA_ARCH__)
  uint64_t low, top;
  asm("mad.lo.cc.u64 %0, %2, %3, %4;\n\t"
      "madc.hi.u64 %1, %2, %3, 0;\n\t"
      "add.cc.u64 %0, %0, %5;\n\t"
      "addc.u64 %1, %1, 0;"
      : "=&l"(low), "=&l"(top)
      : "l"(a), "l"(b), "l"(c), "l"(d));
  *high = top;
  return low;
#else
  unsigned __int128 t = (unsigned __int128)a * b + c + d;
  *high = (uint64_t)(t >> 64);
  return (uint64_t)t;
#endif
}

/* sum + 2^64 carry = a + b + c */
EVARISTE_BOTH uint64_t add_carry_64(uint64_t a, uint64_t b, uint64_t c, uint64_t *carry) {
#if defined(__CUDA_ARCH__)
  uint64_t sum, out;
  asm("{\n\t"
      ".reg .u64 t;\n\t"
      "add.cc.u64 t, %4, 0xffffffffffffffff;\n\t"
      "addc.cc.u64 %0, %2, %3;\n\t"
      "addc.u64 %1, 0, 0;\n\t"
      "}"
      : "=&l"(sum), "=&l"(out)
      : "l"(a), "l"(b), "l"(c));
  *carry = out;
  return sum;
#else
  unsigned __int128 t = (unsigned __int128)a + b + c;
  *carry = (uint64_t)(t >> 64);
  return (uint64_t)t;
#endif
}

/* difference - 2^64 borrow = a - b - c */
EVARISTE_BOTH uint64_t sub_borrow_64(uint64_t a, uint64_t b, uint64_t c, uint64_t *borrow) {
#if defined(__CUDA_ARCH__)
  uint64_t difference, out;
  asm("{\n\t"
      ".reg .u64 t;\n\t"
      "sub.cc.u64 t, 0, %4;\n\t"
      "subc.cc.u64 %0, %2, %3;\n\t"
      "subc.u64 %1, 0, 0;\n\t"
      "}"
      : "=&l"(difference), "=&l"(out)
      : "l"(a), "l"(b), "l"(c));
  *borrow = out & 1;
  return difference;
#else
  unsigned __int128 t = (unsigned __int128)a - b - c;
  *borrow = (uint64_t)(t >> 64) & 1;
  return (uint64_t)t;
#endif
}

#endif
