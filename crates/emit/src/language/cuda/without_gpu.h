#ifndef EVARISTE_WITHOUT_GPU_H
#define EVARISTE_WITHOUT_GPU_H

#include <stdlib.h>
#include <string.h>

/* A C++ compiler for the processor takes functions as they are, and a kernel as a function of the thread's number. */
#define __host__
#define __device__
#define __global__

struct evariste_place {
  unsigned x;
};

static evariste_place blockIdx, blockDim = {1}, threadIdx;

/* Memory of the device is memory. */
enum cudaError_t { cudaSuccess, cudaErrorMemoryAllocation };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };

static inline cudaError_t cudaMalloc(void **p, size_t bytes) {
  *p = malloc(bytes);
  return *p ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t cudaMallocManaged(void **p, size_t bytes) { return cudaMalloc(p, bytes); }

static inline cudaError_t cudaFree(void *p) {
  free(p);
  return cudaSuccess;
}

static inline cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
  memcpy(to, from, bytes);
  return cudaSuccess;
}

static inline cudaError_t cudaGetLastError() { return cudaSuccess; }
static inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
static inline const char *cudaGetErrorString(cudaError_t) { return "no memory"; }

#endif
