//! Tests of the C printer.
