//! Descriptions of fields: text to Field, named constants, exact reference arithmetic
