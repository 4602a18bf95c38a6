#include <chrono>

#include "calls.h"

static double now() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* Nanoseconds for an element: the least of runs for a tenth of a second, and of two at least. */
static double measure(size_t at, size_t count) {
  const function &f = functions[at];
  std::vector<void *> arrays(f.parameter_count);
  for (int i = 0; i < f.parameter_count; i++) {
    const parameter &p = f.parameters[i];
    arrays[i] = reserve(p.bytes * count);
    memset(arrays[i], 0, p.bytes * count);
    for (size_t row = 0; p.given && row < count; row++) {
      memcpy((unsigned char *)arrays[i] + row * p.bytes, (const unsigned char *)p.given + row % f.rows * p.bytes, p.bytes);
    }
  }
  double best = 1e300, start = now();
  for (int runs = 0; runs < 3 || now() - start < 1e8; runs++) {
    double begin = now();
    call(at, true, arrays.data(), count);
    finish();
    double each = (now() - begin) / (double)count;
    if (runs > 0 && each < best) best = each;
  }
  for (void *p : arrays) release(p);
  return best;
}

int main() {
  const size_t count = 65536;
  printf("%-32s %12s   ns for an element in an array of %lu, or of 128 where that takes long\n", "", "throughput", (unsigned long)count);
  for (size_t at = 0; at < sizeof functions / sizeof functions[0]; at++) {
    double each = measure(at, 128);
    if (each < 20000) each = measure(at, count);
    printf("%-32s %12.2f\n", functions[at].name, each);
  }
  return 0;
}
