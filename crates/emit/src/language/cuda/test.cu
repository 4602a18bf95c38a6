#include "calls.h"
/* INCLUDES */

static unsigned long checks, failures;

static void expect(const char *what, size_t row, bool same) {
  checks++;
  if (!same) {
    failures++;
    printf("FAILED: %s, vector %lu\n", what, (unsigned long)row);
  }
}

/* All answers of a function, by itself or by its kernel; where a pair is given, its first parameter lies on its second. */
static void run(size_t at, bool many, const int *share) {
  const function &f = functions[at];
  std::vector<unsigned char *> arrays(f.parameter_count);
  for (int i = 0; i < f.parameter_count; i++) {
    const parameter &p = f.parameters[i];
    if (share && share[0] == i) continue;
    arrays[i] = (unsigned char *)reserve(p.bytes * f.rows);
    if (p.given) memcpy(arrays[i], p.given, p.bytes * f.rows);
    else memset(arrays[i], 0xa5, p.bytes * f.rows);
  }
  if (share) arrays[share[0]] = arrays[share[1]];
  std::vector<void *> passed(f.parameter_count);
  for (size_t row = 0; row < (many ? 1 : f.rows); row++) {
    for (int i = 0; i < f.parameter_count; i++) passed[i] = arrays[i] + row * f.parameters[i].bytes;
    call(at, many, passed.data(), f.rows);
  }
  finish();
  for (int i = 0; i < f.parameter_count; i++) {
    const parameter &p = f.parameters[i];
    const unsigned char *known = (const unsigned char *)(p.known ? p.known : p.given);
    if (share && share[1] == i) continue;
    for (size_t row = 0; row < f.rows; row++) {
      expect(f.name, row, memcmp(arrays[i] + row * p.bytes, known + row * p.bytes, p.bytes) == 0);
    }
    release(arrays[i]);
  }
}

/* BYTES */
int main() {
  for (size_t at = 0; at < sizeof functions / sizeof functions[0]; at++) {
    for (int many = 0; many < 2; many++) {
      run(at, many != 0, NULL);
      for (int share = 0; share < functions[at].share_count; share++) run(at, many != 0, functions[at].shares[share]);
    }
  }
  /* TEST */
  printf("%lu checks, %lu failures\n", checks, failures);
  return failures != 0;
}
