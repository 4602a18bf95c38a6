#ifndef EVARISTE_LAUNCH_H
#define EVARISTE_LAUNCH_H

/* A thread for each of n, and some that have nothing to do. */
#if defined(__CUDACC__)
#define EVARISTE_LAUNCH(kernel, n, ...) kernel<<<(unsigned)(((n) + 127) / 128), 128>>>(__VA_ARGS__)
#else
#define EVARISTE_LAUNCH(kernel, n, ...)                                \
  do {                                                                 \
    blockDim.x = 128;                                                  \
    for (blockIdx.x = 0; blockIdx.x < ((n) + 127) / 128; blockIdx.x++) \
      for (threadIdx.x = 0; threadIdx.x < 128; threadIdx.x++) kernel(__VA_ARGS__); \
  } while (0)
#endif

#endif
