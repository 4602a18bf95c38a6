#include "host.h"
/* INCLUDES */

static unsigned long checks, failures;

static void expect(const char *what, size_t row, int same) {
  checks++;
  if (!same) {
    failures++;
    printf("FAILED: %s, vector %lu\n", what, (unsigned long)row);
  }
}

/* All answers of a function in one call; where a pair is given, its first parameter lies on its second. */
static void run(const struct function *f, cl_kernel kernel, const int *share) {
  cl_mem buffers[sizeof f->parameters / sizeof f->parameters[0]] = {0};
  int i;
  for (i = 0; i < f->parameter_count; i++) {
    const struct parameter *p = &f->parameters[i];
    size_t bytes = p->bytes * f->rows;
    if (share && share[0] == i) continue;
    buffers[i] = buffer_of(bytes);
    if (p->given) {
      write_to(buffers[i], p->given, bytes);
    } else {
      void *filled = malloc(bytes);
      if (!filled) exit(2);
      memset(filled, 0xa5, bytes);
      write_to(buffers[i], filled, bytes);
      free(filled);
    }
  }
  if (share) buffers[share[0]] = buffers[share[1]];
  set_arguments(kernel, f, buffers, f->rows);
  run_kernel(kernel, f->rows);
  for (i = 0; i < f->parameter_count; i++) {
    const struct parameter *p = &f->parameters[i];
    const unsigned char *known = p->known ? p->known : p->given;
    size_t bytes = p->bytes * f->rows, row;
    unsigned char *got;
    if (share && share[1] == i) continue;
    got = malloc(bytes);
    if (!got) exit(2);
    must(clEnqueueReadBuffer(queue, buffers[i], CL_TRUE, 0, bytes, got, 0, NULL, NULL), "clEnqueueReadBuffer");
    for (row = 0; row < f->rows; row++) {
      expect(f->name, row, memcmp(got + row * p->bytes, known + row * p->bytes, p->bytes) == 0);
    }
    free(got);
    must(clReleaseMemObject(buffers[i]), "clReleaseMemObject");
  }
}

/* BYTES */
int main(void) {
  size_t at;
  open_device();
  for (at = 0; at < sizeof functions / sizeof functions[0]; at++) {
    const struct function *f = &functions[at];
    cl_kernel kernel = kernel_of(f);
    int share;
    run(f, kernel, NULL);
    for (share = 0; share < f->share_count; share++) run(f, kernel, f->shares[share]);
    clReleaseKernel(kernel);
  }
  /* TEST */
  printf("%lu checks, %lu failures\n", checks, failures);
  return failures != 0;
}
