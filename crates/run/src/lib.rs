//! Runners and the paired timing harness
