// Products of elements of GF2E. They are made of the words and given back as words around 64 rounds of products, beside which that is little.
#include <NTL/GF2E.h>
#include <NTL/version.h>
#include <cstdio>

using namespace NTL;

static const int ELEMENTS = 64, ROUNDS = 64;

/// A field of N words; each has elements of its own.
template <int M, int N> static void products(const int *exponents, unsigned long *o, const unsigned long *a, const unsigned long *b) {
  static GF2EContext *context;
  static GF2E *x, *y, *z;
  if (!context) {
    GF2X f;
    for (const int *e = exponents; *e >= 0; e++) SetCoeff(f, *e);
    context = new GF2EContext(f);
    context->restore();
    x = new GF2E[ELEMENTS];
    y = new GF2E[ELEMENTS];
    z = new GF2E[ELEMENTS];
  }
  context->restore();
  for (int i = 0; i < ELEMENTS; i++) {
    GF2X s;
    GF2XFromBytes(s, (const unsigned char *)(a + N * i), 8 * N);
    conv(x[i], s);
    GF2XFromBytes(s, (const unsigned char *)(b + N * i), 8 * N);
    conv(y[i], s);
  }
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < ELEMENTS; i++) mul(z[i], x[i], y[i]);
  }
  for (int i = 0; i < ELEMENTS; i++) BytesFromGF2X((unsigned char *)(o + N * i), rep(z[i]), 8 * N);
}

#define FIELD(m, n, ...) \
  extern "C" void shim_##m(unsigned long *o, const unsigned long *a, const unsigned long *b) { \
    static const int exponents[] = {__VA_ARGS__, -1}; \
    products<m, n>(exponents, o, a, b); \
  }

FIELD(131, 3, 131, 8, 3, 2, 0)
FIELD(163, 3, 163, 7, 6, 3, 0)
FIELD(233, 4, 233, 74, 0)
FIELD(283, 5, 283, 12, 7, 5, 0)

extern "C" void shim_version(char *text, unsigned long bytes) { snprintf(text, bytes, "%s", NTL_VERSION); }
