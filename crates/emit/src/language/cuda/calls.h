#ifndef EVARISTE_CALLS_H
#define EVARISTE_CALLS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

#include "PREFIX.cuh"
#include "launch.h"
#include "PREFIX_vectors.h"

/* The function of that number on one element, or its kernel on n. */
static inline void call(size_t at, bool many, void *const *p, size_t n) {
  switch (at) {
CALLS
    default:
      abort();
  }
}

static void must(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(status));
  exit(2);
}

/* Memory that kernels see. */
static inline void *reserve(size_t bytes) {
  void *p;
  must(cudaMallocManaged(&p, bytes));
  return p;
}

static inline void release(void *p) { must(cudaFree(p)); }

static inline void finish() {
  must(cudaGetLastError());
  must(cudaDeviceSynchronize());
}

#endif
