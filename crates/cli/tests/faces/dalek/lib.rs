//! Nothing: the tests are those of curve25519-dalek.
