//! ARM of 32 bits, version 6 and later: the product with two sums, which C compilers do not find.

/// A product of 32 bits and two sums: when there is the instruction, and statements that give `t`, the low word.
pub const MULTIPLY_ADD_ADD: (&str, &str) = (
    "defined(__GNUC__) && defined(__arm__) && defined(__ARM_FEATURE_DSP) && __ARM_ARCH >= 6 && !defined(EVARISTE_PORTABLE)",
    "  uint32_t t = c, h = d;\n  __asm__(\"umaal %0, %1, %2, %3\" : \"+r\"(t), \"+r\"(h) : \"r\"(a), \"r\"(b));\n  *high = h;\n  return t;\n",
);
