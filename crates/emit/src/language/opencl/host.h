#ifndef EVARISTE_HOST_H
#define EVARISTE_HOST_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "PREFIX_vectors.h"

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static void must(cl_int status, const char *what) {
  if (status == CL_SUCCESS) return;
  fprintf(stderr, "OpenCL: %s gives %d\n", what, (int)status);
  exit(2);
}

/* The first device of any platform, with the program of PREFIX.cl. */
static void open_device(void) {
  cl_platform_id platforms[16];
  cl_uint count = 0, i;
  cl_int status;
  char name[256] = "";
  char *text;
  long size;
  FILE *file;
  if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) count = 0;
  for (i = 0; i < count && i < 16 && !device; i++) {
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS) device = NULL;
  }
  if (!device) {
    fprintf(stderr, "there is no OpenCL device: install a driver, such as PoCL (pocl-opencl-icd)\n");
    exit(2);
  }
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
  fprintf(stderr, "on %s\n", name);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
  must(status, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &status);
  must(status, "clCreateCommandQueue");
  file = fopen("PREFIX.cl", "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
    fprintf(stderr, "PREFIX.cl cannot be read\n");
    exit(2);
  }
  rewind(file);
  text = malloc((size_t)size + 1);
  if (!text || fread(text, 1, (size_t)size, file) != (size_t)size) exit(2);
  text[size] = 0;
  fclose(file);
  program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &status);
  must(status, "clCreateProgramWithSource");
  status = clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL);
  if (status != CL_SUCCESS) {
    static char log[65536];
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "%s\n", log);
  }
  must(status, "clBuildProgram");
  free(text);
}

static cl_kernel kernel_of(const struct function *f) {
  char name[512];
  cl_int status;
  cl_kernel kernel;
  snprintf(name, sizeof name, "PREFIX_%s_many", f->name);
  kernel = clCreateKernel(program, name, &status);
  must(status, name);
  return kernel;
}

static cl_mem buffer_of(size_t bytes) {
  cl_int status;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &status);
  must(status, "clCreateBuffer");
  return buffer;
}

static void write_to(cl_mem buffer, const void *from, size_t bytes) {
  must(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, bytes, from, 0, NULL, NULL), "clEnqueueWriteBuffer");
}

static void set_arguments(cl_kernel kernel, const struct function *f, const cl_mem *buffers, cl_ulong count) {
  int i;
  for (i = 0; i < f->parameter_count; i++) must(clSetKernelArg(kernel, (cl_uint)i, sizeof buffers[i], &buffers[i]), "clSetKernelArg");
  must(clSetKernelArg(kernel, (cl_uint)f->parameter_count, sizeof count, &count), "clSetKernelArg");
}

/* Some threads have no element. */
static void run_kernel(cl_kernel kernel, size_t count) {
  size_t threads = (count + 63) / 64 * 64;
  must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &threads, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  must(clFinish(queue), "clFinish");
}

#endif
