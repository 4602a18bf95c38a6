
/* Where kernels run: the program is PREFIX.cl, built for a device of the context, which the queue is of. */
typedef struct {
  cl_context context;
  cl_command_queue queue;
  cl_program program;
} PREFIX_place;

static int PREFIX_run(const PREFIX_place *place, int number, const PREFIX_memory *arrays, const uint64_t *numbers, size_t count) {
  /* Name, arrays and numbers of each kernel; behind them it takes how many threads have something to do. */
  static const struct {
    const char *name;
    cl_uint arrays, numbers;
  } kernels[] = {
TABLE
  };
  cl_mem buffers[4] = {NULL, NULL, NULL, NULL};
  size_t threads = (count + 63) / 64 * 64;
  cl_uint i, of_arrays = kernels[number].arrays, of_numbers = kernels[number].numbers;
  cl_int status;
  cl_kernel kernel;
  if (count == 0) return UPPER_DONE;
  kernel = clCreateKernel(place->program, kernels[number].name, &status);
  if (status != CL_SUCCESS) return UPPER_DEVICE_FAILED;
  for (i = 0; i < of_arrays && status == CL_SUCCESS; i++) {
    /* There is no buffer of no bytes. */
    buffers[i] = clCreateBuffer(place->context, CL_MEM_READ_WRITE, arrays[i].bytes ? arrays[i].bytes : 1, NULL, &status);
    if (status == CL_SUCCESS && arrays[i].given && arrays[i].bytes) {
      status = clEnqueueWriteBuffer(place->queue, buffers[i], CL_TRUE, 0, arrays[i].bytes, arrays[i].given, 0, NULL, NULL);
    }
    if (status == CL_SUCCESS) status = clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]);
  }
  for (i = 0; i <= of_numbers && status == CL_SUCCESS; i++) {
    cl_ulong number_of = i < of_numbers ? numbers[i] : count;
    status = clSetKernelArg(kernel, of_arrays + i, sizeof number_of, &number_of);
  }
  if (status == CL_SUCCESS) status = clEnqueueNDRangeKernel(place->queue, kernel, 1, NULL, &threads, NULL, 0, NULL, NULL);
  if (status == CL_SUCCESS) status = clFinish(place->queue);
  for (i = 0; i < of_arrays; i++) {
    if (status == CL_SUCCESS && arrays[i].taken && arrays[i].bytes) {
      status = clEnqueueReadBuffer(place->queue, buffers[i], CL_TRUE, 0, arrays[i].bytes, arrays[i].taken, 0, NULL, NULL);
    }
    if (buffers[i]) clReleaseMemObject(buffers[i]);
  }
  clReleaseKernel(kernel);
  return status == CL_SUCCESS ? UPPER_DONE : UPPER_DEVICE_FAILED;
}
