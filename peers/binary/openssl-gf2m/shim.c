/* Products by BN_GF2m_mod_mul_arr. Numbers are made of the words and given back as words around 64 rounds of products, beside which that is little. */
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <stdio.h>

enum { ELEMENTS = 64, ROUNDS = 64 };

static void products(int n, const int *exponents, unsigned long *o, const unsigned long *a, const unsigned long *b) {
  static BN_CTX *context;
  static BIGNUM *x[ELEMENTS], *y[ELEMENTS], *z[ELEMENTS];
  if (!context) {
    context = BN_CTX_new();
    for (int i = 0; i < ELEMENTS; i++) x[i] = BN_new(), y[i] = BN_new(), z[i] = BN_new();
  }
  for (int i = 0; i < ELEMENTS; i++) {
    BN_lebin2bn((const unsigned char *)(a + n * i), 8 * n, x[i]);
    BN_lebin2bn((const unsigned char *)(b + n * i), 8 * n, y[i]);
  }
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < ELEMENTS; i++) BN_GF2m_mod_mul_arr(z[i], x[i], y[i], exponents, context);
  }
  for (int i = 0; i < ELEMENTS; i++) BN_bn2lebinpad(z[i], (unsigned char *)(o + n * i), 8 * n);
}

#define FIELD(m, n, ...) \
  void shim_##m(unsigned long *o, const unsigned long *a, const unsigned long *b) { \
    static const int exponents[] = {__VA_ARGS__, -1}; \
    products(n, exponents, o, a, b); \
  }

FIELD(131, 3, 131, 8, 3, 2, 0)
FIELD(163, 3, 163, 7, 6, 3, 0)
FIELD(233, 4, 233, 74, 0)
FIELD(283, 5, 283, 12, 7, 5, 0)

void shim_version(char *text, unsigned long bytes) { snprintf(text, bytes, "%s (of the system)", OPENSSL_VERSION_TEXT + 8); }
