//! Rows of the stream cipher WG: its keystream, its register, the functions of its field.

use evariste_descriptions::{Part, Wg, wg, wg_field};

use super::member::Operation;
use super::row::{A, Holds, Kind, OUT, Row, Slot, TRUTH, bit};

const KEY: Slot = Slot::new("key", Holds::Part(Part::Key));
const IV: Slot = Slot::new("iv", Holds::Part(Part::InitialValue));
const BYTES: Slot = Slot::new("bytes", Holds::Part(Part::Count));
const STATE_IN: &[Slot] = &[Slot::new("state", Holds::Part(Part::State))];
const STATE: &[Slot] = &[Slot::new("out", Holds::Part(Part::State))];

impl Operation {
    /// Bytes of keystream.
    pub const KEYSTREAM: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "keystream",
        &[KEY, IV, BYTES],
        &[Slot::new("out", Holds::Part(Part::Message))],
        "so many bytes of keystream by a key and an initial value iv; strings are in hexadecimal",
        |s, _, x| s.get::<Wg>()?.stream(&x[0], &x[1], &x[2]),
    ));

    /// The stages before initialisation.
    pub const LOAD: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "load",
        &[KEY, IV],
        STATE,
        "the stages S1, S2, … to which a key and an initial value are loaded",
        |s, _, x| {
            let cipher = s.get::<Wg>()?;
            Some(cipher.packed(&cipher.loaded(&x[0], &x[1])))
        },
    ));

    /// The stages after it.
    pub const INITIALISE: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "initialise",
        &[KEY, IV],
        STATE,
        "the stages after initialisation, from which the keystream begins",
        |s, _, x| {
            let cipher = s.get::<Wg>()?;
            Some(cipher.packed(&wg::initialise(&cipher.loaded(&x[0], &x[1]))))
        },
    ));

    /// The steps of the initialisation.
    pub const INITIAL_STEPS: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "initial_steps",
        STATE_IN,
        STATE,
        "the stages after the 44 steps of initialisation",
        |s, _, x| {
            let cipher = s.get::<Wg>()?;
            Some(cipher.packed(&wg::initialise(&cipher.unpacked(&x[0]))))
        },
    ));

    /// 64 bits of keystream.
    pub const STREAM: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "stream_64",
        STATE_IN,
        &[Slot::new("out", Holds::Part(Part::State)), Slot::new("stream", Holds::Part(Part::Message))],
        "the stages after 64 steps, and the 64 bits of keystream that they give, the first one on top",
        |s, _, x| {
            let cipher = s.get::<Wg>()?;
            let state = cipher.unpacked(&x[0]);
            Some(cipher.packed(&(0..64).fold(state, |state, _| wg::step(&state).0)))
        },
    ));

    /// A jump.
    pub const JUMP: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "jump",
        &[Slot::new("state", Holds::Part(Part::State)), Slot::new("far", Holds::Part(Part::State))],
        STATE,
        "the stages after n linear steps; far: the coefficients of x^n modulo the feedback's polynomial, the highest one first",
        |s, _, x| {
            let cipher = s.get::<Wg>()?;
            Some(cipher.packed(&wg::jump(&cipher.unpacked(&x[0]), &cipher.unpacked(&x[1]))))
        },
    ));

    /// The WG permutation.
    pub const PERMUTATION: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "permutation",
        &[A],
        &[OUT],
        "the WG permutation, a bijection of the field",
        |s, _, x| {
            let cipher = s.get::<Wg>()?;
            Some(cipher.of_word(wg_field::permutation(cipher.word(&x[0])?)))
        },
    ));

    /// What the designers' source feeds back.
    pub const FEEDBACK: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "feedback",
        &[A],
        &[OUT],
        "Q, which initialisation adds to the linear feedback; of the same trace as the permutation, and none",
        |s, _, x| {
            let cipher = s.get::<Wg>()?;
            Some(cipher.of_word(wg_field::feedback(cipher.word(&x[0])?)))
        },
    ));

    /// The WG transformation.
    pub const TRANSFORMATION: Operation = Operation::of(&Row::new(
        Kind::Ciphers,
        "transformation",
        &[A],
        &[TRUTH],
        "the WG transformation: the trace of the permutation, a bit of keystream",
        |s, _, x| bit(wg_field::transformation(s.get::<Wg>()?.word(&x[0])?)),
    ));
}
