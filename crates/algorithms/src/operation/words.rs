//! Rows of operations between layouts for lanes and saturated words.

use super::member::Operation;
use super::row::{A, Holds, Kind, NOT_IN_NUMBERS, OUT, Row, Slot, TRUTH};

const WORDS: Slot = Slot::new("a", Holds::Words);
const MORE_WORDS: Slot = Slot::new("b", Holds::Words);
const WORDS_OUT: &[Slot] = &[Slot::new("out", Holds::Words)];

const fn words(name: &'static str, inputs: &'static [Slot], outputs: &'static [Slot], what: &'static str) -> Row {
    Row::new(Kind::Words, name, inputs, outputs, what, NOT_IN_NUMBERS)
}

impl Operation {
    /// The element at rest, in Montgomery form where the layout has it, from the saturated words of a canonical value.
    pub const FROM_WORDS: Operation = Operation::of(
        &words("from_words", &[WORDS], &[OUT], "the element at rest, from words of a canonical value").in_arrays(),
    );

    /// The saturated words of the canonical value of an element at rest.
    pub const TO_WORDS: Operation = Operation::of(
        &words("to_words", &[A], WORDS_OUT, "words of the canonical value of an element at rest").in_arrays(),
    );

    /// `a·b` of canonical values, all in saturated words.
    pub const MUL_WORDS: Operation = Operation::of(
        &words("mul_words", &[WORDS, MORE_WORDS], WORDS_OUT, "a·b of canonical values, all in words").in_arrays(),
    );

    /// `a·b` of canonical values in the Montgomery form of saturated words (factor `2^(w·n)`), all in such words.
    pub const MUL_MONTGOMERY_WORDS: Operation = Operation::of(
        &words(
            "mul_montgomery_words",
            &[WORDS, MORE_WORDS],
            WORDS_OUT,
            "a·b/R of canonical values in the Montgomery form of words, all in words",
        )
        .in_arrays(),
    );

    /// 1 when a number in saturated words is not below the modulus, else 0.
    pub const EXCEEDS: Operation = Operation::of(
        &words("exceeds", &[WORDS], &[TRUTH], "1 when a number in words is not below p, else 0").in_arrays(),
    );
}
