#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <chrono>
#include <vector>

/* Threads of a block, as packages launch them. */
enum { BLOCK = 128 };

/* Runs that are timed, after one that is not. */
enum { RUNS = 11 };

/* Seconds that a run should take at least. */
#if defined(__CUDACC__)
static const double LONG_ENOUGH = 0.02;
#else
static const double LONG_ENOUGH = 0.0005;
#endif

/* How often a second something was done: the least, the median and the most of the runs. */
struct rate {
  double least, median, most;
};

static inline double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* The rate of what `go(n)` does `each * n` times; it comes back when all is done. */
template <class Go>
static rate measured(double each, Go go) {
  unsigned n = 1;
  for (;;) {
    double begin = seconds();
    go(n);
    if (seconds() - begin > LONG_ENOUGH || n >= 1u << 24) break;
    n *= 2;
  }
  std::vector<double> rates;
  for (int run = 0; run < RUNS; run++) {
    double begin = seconds();
    go(n);
    rates.push_back(each * n / (seconds() - begin));
  }
  std::sort(rates.begin(), rates.end());
  return {rates.front(), rates[RUNS / 2], rates.back()};
}

/* Threads that keep every multiprocessor busy. */
extern size_t many_threads;

#endif
