#ifndef EVARISTE_CALLS_H
#define EVARISTE_CALLS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

#include "PREFIX.cuh"
#include "PREFIX_vectors.h"

/* Some threads have no element. */
#if defined(__CUDACC__)
#define LAUNCH(kernel, n, ...) kernel<<<(unsigned)(((n) + 127) / 128), 128>>>(__VA_ARGS__)
#else
#define LAUNCH(kernel, n, ...)                                     \
  do {                                                             \
    blockDim.x = 128;                                              \
    for (blockIdx.x = 0; blockIdx.x < ((n) + 127) / 128; blockIdx.x++) \
      for (threadIdx.x = 0; threadIdx.x < 128; threadIdx.x++) kernel(__VA_ARGS__); \
  } while (0)
#endif

/* The function of that number on one element, or its kernel on n. */
static inline void call(size_t at, bool many, void *const *p, size_t n) {
  switch (at) {
CALLS
    default:
      abort();
  }
}

#if defined(__CUDACC__)
static void must(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(status));
  exit(2);
}
#endif

/* Memory that kernels see. */
static inline void *reserve(size_t bytes) {
#if defined(__CUDACC__)
  void *p;
  must(cudaMallocManaged(&p, bytes));
  return p;
#else
  void *p = malloc(bytes);
  if (!p) exit(2);
  return p;
#endif
}

static inline void release(void *p) {
#if defined(__CUDACC__)
  must(cudaFree(p));
#else
  free(p);
#endif
}

static inline void finish() {
#if defined(__CUDACC__)
  must(cudaGetLastError());
  must(cudaDeviceSynchronize());
#endif
}

#endif
