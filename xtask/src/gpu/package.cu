/* A package's known answers, and the rate of one of its functions. */
#include "measure.h"

#define main test_PREFIX
#include "PREFIX/test.cu"
#undef main

#if CHAINED
/* The word of the package's layout. */
template <class T>
static T word_of(void (*)(T *, const T *, const T *));
typedef decltype(word_of(PREFIX_mul)) word;
enum { WORDS = BITS / 8 / sizeof(word) };

/* Products of a thread, each of the last one and of what was given. */
static __global__ void chains(word *x, const word *y, unsigned n, const size_t evariste_count) {
  const size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  word a[WORDS], b[WORDS];
  if (at >= evariste_count) return;
  for (int i = 0; i < WORDS; i++) a[i] = x[at * WORDS + i];
  for (int i = 0; i < WORDS; i++) b[i] = y[at * WORDS + i];
  for (unsigned k = 0; k < n; k++) PREFIX_mul(a, a, b);
  for (int i = 0; i < WORDS; i++) x[at * WORDS + i] = a[i];
}
#endif

/* Operands of the known answers, one behind the other, in memory that kernels see. */
static void *filled(const parameter &p, size_t rows, size_t count) {
  unsigned char *array = (unsigned char *)reserve(p.bytes * count);
  memset(array, 0, p.bytes * count);
  for (size_t row = 0; p.given && row < count; row++) {
    memcpy(array + row * p.bytes, (const unsigned char *)p.given + row % rows * p.bytes, p.bytes);
  }
  return array;
}

rate rate_PREFIX() {
  const size_t threads = many_threads;
  const function &f = functions[0];
  std::vector<void *> arrays;
  for (int i = 0; i < f.parameter_count; i++) arrays.push_back(filled(f.parameters[i], f.rows, threads));
#if CHAINED
  memcpy(arrays[0], arrays[1], f.parameters[0].bytes * threads);
  rate all = measured((double)threads, [&](unsigned n) {
    EVARISTE_LAUNCH(chains, threads, (word *)arrays[0], (const word *)arrays[2], n, threads);
    finish();
  });
#else
  rate all = measured((double)threads, [&](unsigned n) {
    for (unsigned k = 0; k < n; k++) call(0, true, arrays.data(), threads);
    finish();
  });
#endif
  for (void *p : arrays) release(p);
  return all;
}
