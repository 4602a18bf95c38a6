/* Products of polynomials over GF(2), not reduced: 2n words of two of n. */
#include <gf2x.h>
#include <stdio.h>

#define PRODUCTS(name, n) \
  void name(unsigned long *o, const unsigned long *a, const unsigned long *b) { \
    for (int i = 0; i < 64; i++) gf2x_mul(o + 2 * n * i, a + n * i, n, b + n * i, n); \
  }

PRODUCTS(shim_131, 3)
PRODUCTS(shim_163, 3)
PRODUCTS(shim_233, 4)
PRODUCTS(shim_283, 5)

void shim_version(char *text, unsigned long bytes) {
  snprintf(text, bytes, "%d.%d.%d", GF2X_VERSION_MAJOR, GF2X_VERSION_MINOR, GF2X_VERSION_PATCHLEVEL);
}
