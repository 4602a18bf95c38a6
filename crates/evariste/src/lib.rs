//! Evariste for users of the library
