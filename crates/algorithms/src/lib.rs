//! Writes kernels: every algorithm of the literature, one a file
