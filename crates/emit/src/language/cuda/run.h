
static inline int PREFIX_run(int number, const PREFIX_memory *arrays, const uint64_t *numbers, size_t count) {
  /* How many arrays each kernel takes. */
  static const int of_arrays[] = {ARRAYCOUNTS};
  void *p[4] = {NULL, NULL, NULL, NULL};
  cudaError_t status = cudaSuccess;
  if (count == 0) return UPPER_DONE;
  for (int i = 0; i < of_arrays[number] && status == cudaSuccess; i++) {
    status = cudaMalloc(&p[i], arrays[i].bytes ? arrays[i].bytes : 1);
    if (status == cudaSuccess && arrays[i].given && arrays[i].bytes) {
      status = cudaMemcpy(p[i], arrays[i].given, arrays[i].bytes, cudaMemcpyHostToDevice);
    }
  }
  if (status == cudaSuccess) {
    switch (number) {
TABLE
    }
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaDeviceSynchronize();
  for (int i = 0; i < of_arrays[number]; i++) {
    if (status == cudaSuccess && arrays[i].taken && arrays[i].bytes) {
      status = cudaMemcpy(arrays[i].taken, p[i], arrays[i].bytes, cudaMemcpyDeviceToHost);
    }
    if (p[i]) cudaFree(p[i]);
  }
  return status == cudaSuccess ? UPPER_DONE : UPPER_DEVICE_FAILED;
}
