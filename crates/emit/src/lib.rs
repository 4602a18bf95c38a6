//! Source packages from proved kernels, one module a language
