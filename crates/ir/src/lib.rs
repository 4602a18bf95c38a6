//! The kernel language: words, numbers with ranges, loops, calls, contracts, interpreter
