#define _POSIX_C_SOURCE 199309L
#include <time.h>

#include "host.h"

/* Elements of an array. */
#define COUNT 65536

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Nanoseconds for an element: the least of runs for a tenth of a second, and of two at least. */
static double measure(const struct function *f, size_t count) {
  cl_mem buffers[sizeof f->parameters / sizeof f->parameters[0]] = {0};
  cl_kernel kernel = kernel_of(f);
  double best = 1e300, start = now();
  int i, runs;
  for (i = 0; i < f->parameter_count; i++) {
    const struct parameter *p = &f->parameters[i];
    size_t row;
    unsigned char *filled = calloc(count, p->bytes);
    if (!filled) exit(2);
    for (row = 0; p->given && row < count; row++) {
      memcpy(filled + row * p->bytes, (const unsigned char *)p->given + row % f->rows * p->bytes, p->bytes);
    }
    buffers[i] = buffer_of(count * p->bytes);
    write_to(buffers[i], filled, count * p->bytes);
    free(filled);
  }
  set_arguments(kernel, f, buffers, count);
  for (runs = 0; runs < 3 || now() - start < 1e8; runs++) {
    double begin = now(), each;
    run_kernel(kernel, count);
    each = (now() - begin) / (double)count;
    if (runs > 0 && each < best) best = each;
  }
  for (i = 0; i < f->parameter_count; i++) clReleaseMemObject(buffers[i]);
  clReleaseKernel(kernel);
  return best;
}

int main(void) {
  size_t at;
  open_device();
  printf("%-32s %12s   ns for an element in an array of %d, or of 64 where that takes long\n", "", "throughput", COUNT);
  for (at = 0; at < sizeof functions / sizeof functions[0]; at++) {
    double each = measure(&functions[at], 64);
    if (each < 20000) each = measure(&functions[at], COUNT);
    printf("%-32s %12.2f\n", functions[at].name, each);
  }
  return 0;
}
