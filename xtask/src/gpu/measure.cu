/* Writes what a GPU does a second, as JSON: 32-bit multiply-adds, and functions of packages, whose known answers are
 * tried first. Without CUDA it is a program for the processor, whose numbers say nothing: that it can be tested. */
#include "measure.h"

#include <stdio.h>
#include <string.h>

#if !defined(__CUDACC__)
#include "FIRST/without_gpu.h"
#endif
#include "FIRST/launch.h"

size_t many_threads;

/* DECLARED */

static void must(cudaError_t status) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "measure: CUDA: %s\n", cudaGetErrorString(status));
  exit(2);
}

/* Chains of a thread that do not wait for each other, and multiply-adds of each in one go. */
enum { CHAINS = 8, STEPS = 64 };

/* a = a b + c of 32 bits; no compiler finds out what comes of it. */
static __host__ __device__ inline void mad_lo(uint32_t &a, uint32_t b, uint32_t c) {
#if defined(__CUDA_ARCH__)
  asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(a) : "r"(b), "r"(c));
#else
  a = a * b + c;
#endif
}

/* a = b c + a, of which a has 64 bits. */
static __host__ __device__ inline void mad_wide(uint64_t &a, uint32_t b, uint32_t c) {
#if defined(__CUDA_ARCH__)
  asm volatile("mad.wide.u32 %0, %1, %2, %0;" : "+l"(a) : "r"(b), "r"(c));
#else
  a += (uint64_t)b * c;
#endif
}

static __global__ void many_mad_lo(uint32_t *out, unsigned n) {
  const uint32_t at = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t x[CHAINS], all = 0;
  for (int i = 0; i < CHAINS; i++) x[i] = at + i;
  for (unsigned k = 0; k < n; k++) {
#pragma unroll
    for (int j = 0; j < STEPS; j++) {
#pragma unroll
      for (int i = 0; i < CHAINS; i++) mad_lo(x[i], at | 1, k);
    }
  }
  for (int i = 0; i < CHAINS; i++) all ^= x[i];
  out[at] = all;
}

static __global__ void many_mad_wide(uint32_t *out, unsigned n) {
  const uint32_t at = blockIdx.x * blockDim.x + threadIdx.x;
  uint64_t x[CHAINS], all = 0;
  for (int i = 0; i < CHAINS; i++) x[i] = at + i;
  for (unsigned k = 0; k < n; k++) {
#pragma unroll
    for (int j = 0; j < STEPS; j++) {
#pragma unroll
      for (int i = 0; i < CHAINS; i++) mad_wide(x[i], (uint32_t)x[i], at + k);
    }
  }
  for (int i = 0; i < CHAINS; i++) all ^= x[i];
  out[at] = (uint32_t)(all ^ all >> 32);
}

/* What the device is; the name is printed as it is, but for what JSON cannot hold. */
struct device {
  char name[256];
  int major, minor, multiprocessors, clock_khz, driver, compiler;
  bool emulated;
};

static device found() {
  device all;
  memset(&all, 0, sizeof all);
#if defined(__CUDACC__)
  int count = 0;
  cudaDeviceProp p;
  must(cudaGetDeviceCount(&count));
  if (count == 0) {
    fputs("measure: there is no CUDA device\n", stderr);
    exit(2);
  }
  must(cudaGetDeviceProperties(&p, 0));
  must(cudaDeviceGetAttribute(&all.clock_khz, cudaDevAttrClockRate, 0));
  must(cudaDriverGetVersion(&all.driver));
  snprintf(all.name, sizeof all.name, "%s", p.name);
  all.major = p.major;
  all.minor = p.minor;
  all.multiprocessors = p.multiProcessorCount;
  all.compiler = CUDART_VERSION;
  many_threads = (size_t)p.multiProcessorCount * (p.maxThreadsPerMultiProcessor / BLOCK) * BLOCK;
#else
  snprintf(all.name, sizeof all.name, "no GPU: C++ on the processor");
  all.multiprocessors = 1;
  all.emulated = true;
  many_threads = BLOCK;
#endif
  for (char *c = all.name; *c; c++) {
    if (*c == '"' || *c == '\\' || (unsigned char)*c < 32) *c = ' ';
  }
  return all;
}

static void print(FILE *out, const char *name, rate r, const char *more, const char *end) {
  fprintf(out, "    {\"name\": \"%s\", \"least\": %.6g, \"median\": %.6g, \"most\": %.6g%s}%s\n", name, r.least, r.median, r.most, more, end);
}

int main(int count, char **arguments) {
  if (count != 2) {
    fputs("measure: the argument is the file to write\n", stderr);
    return 2;
  }
  const device all = found();
  /* Each prints its checks. */
  if (TESTED) {
    fputs("measure: a known answer is wrong: nothing is measured\n", stderr);
    return 1;
  }
  uint32_t *words;
  must(cudaMallocManaged((void **)&words, many_threads * sizeof *words));
  const double each = (double)many_threads * CHAINS * STEPS;
  rate lo = measured(each, [&](unsigned n) {
    EVARISTE_LAUNCH(many_mad_lo, many_threads, words, n);
    must(cudaGetLastError());
    must(cudaDeviceSynchronize());
  });
  rate wide = measured(each, [&](unsigned n) {
    EVARISTE_LAUNCH(many_mad_wide, many_threads, words, n);
    must(cudaGetLastError());
    must(cudaDeviceSynchronize());
  });
  must(cudaFree(words));
  FILE *out = fopen(arguments[1], "w");
  if (!out) {
    perror(arguments[1]);
    return 2;
  }
  fprintf(out, "{\n  \"device\": \"%s\",\n  \"emulated\": %s,\n  \"compute_capability\": \"%d.%d\",\n", all.name,
          all.emulated ? "true" : "false", all.major, all.minor);
  fprintf(out, "  \"multiprocessors\": %d,\n  \"clock_khz\": %d,\n  \"driver\": %d,\n  \"compiler\": %d,\n  \"threads\": %lu,\n  \"runs\": %d,\n",
          all.multiprocessors, all.clock_khz, all.driver, all.compiler, (unsigned long)many_threads, (int)RUNS);
  fputs("  \"per_second\": [\n", out);
  print(out, "mad.lo.u32", lo, "", ",");
  print(out, "mad.wide.u32", wide, "", ",");
  /* MEASURED */
  fputs("  ]\n}\n", out);
  return fclose(out) != 0;
}
