//! What a kernel computes. An operation is one row: its name, its slots, its meaning. Names are those of fiat-crypto's
//! function set, the same in every language.
//!
//! * [`row`] is what a row says.
//! * A file holds rows, and recipes that make only them; [`OPERATIONS`] lists them in the order of a header.
//! * Everything else asks rows: which operands an operation has, what it should give, whether it has bytes.

mod member;
pub mod row;

use evariste_descriptions::Field;
use num_bigint::BigUint;

use crate::layout::Layout;
use crate::recipe::Recipe;
pub use member::Operation;
pub use row::{Holds, Kind, Row, Slot};

/// Declares the files of operations and lists what they hold, in the order of a header: a line is a file with the names
/// of its operations, and behind `by` those of recipes that stand with them.
macro_rules! operations {
    ($($file:ident::$first:ident $(, $more:ident)* $(by $($recipe:ident),+)?;)+) => {
        $(mod $file;)+

        /// Every operation in the order of a header; of families the family.
        pub const OPERATIONS: &[Operation] = &[$(Operation::$first $(, Operation::$more)*),+];

        /// The recipes that stand with an operation.
        pub const RECIPES: &[&dyn Recipe] = &[$($($(&$file::$recipe,)+)?)+];
    };
}

operations! {
    products::MUL, SQUARE;
    sums::ADD, SUB, OPP;
    choice::SELECTZNZ;
    forms::TO_MONTGOMERY, FROM_MONTGOMERY, CANONICAL, TO_BYTES, TO_BYTES_BE, FROM_BYTES, FROM_BYTES_BE;
    words::FROM_WORDS, TO_WORDS, MUL_WORDS, MUL_MONTGOMERY_WORDS, EXCEEDS;
    mul_add::MUL_ADD;
    tests_of_elements::IS_ZERO, EQUAL;
    inverse::INVERSE;
    roots::SQRT, IS_SQUARE;
    quadratic::TRACE, HALF_TRACE, SOLVE_QUADRATIC;
    power::POWER;
    affine::AFFINE, AFFINE_MOD, AFFINE_CONSTANT, AFFINE_EACH;
    columns::DOT, SUM;
    parts::MUL_WIDE, SQUARE_WIDE, REDUCE, ADD_ADD;
    points::DOUBLE, SCALAR_MUL, MUL_IN_SUBGROUP, MUL_BASE, DOUBLE_SCALAR_MUL, LADDER, CLAMPED_LADDER, CLAMPED_MUL_BASE, IN_SUBGROUP, MAP_TO_CURVE, FROM_UNCOMPRESSED,
        TO_UNCOMPRESSED, FROM_COMPRESSED, FROM_COMPRESSED_IN_SUBGROUP, TO_COMPRESSED, PUBLIC_KEY, ECDH, ECDH_COMPRESSED;
    towers::FROBENIUS, CONJUGATE;
    pairings::PAIRING, PAIRING_MULTIPLE, MULTI_PAIRING, PAIRING_OF_BYTES, MULTI_PAIRING_OF_BYTES, MILLER, MULTI_MILLER, FINAL_EXPONENTIATION,
        FINAL_EXPONENTIATION_MULTIPLE;
    block_ciphers::ENCRYPT, DECRYPT, EXPAND_KEY, ENCRYPT_BLOCK, DECRYPT_BLOCK, ENCRYPT_BLOCKS, DECRYPT_BLOCKS,
        ROUND;
    stream_ciphers::KEYSTREAM, LOAD, INITIALISE, INITIAL_STEPS, STREAM, JUMP, PERMUTATION, FEEDBACK, TRANSFORMATION;
    hashes::HASH, HASH_WRAPPING, HASH_SIGNED, HASH_WRAPPING_SIGNED, WRAPPING, HASH_PLUS, WRAPPING_PLUS, TAG, TAG_WORD, ABSORB, ABSORB_WRAPPING,
        FINISH;
}

impl Operation {
    /// The operation of that name (as [`Operation::name`] writes it); a family alone is none.
    pub fn parse(name: &str) -> Option<Operation> {
        OPERATIONS.iter().find_map(|op| match &op.row().family {
            None => (op.row().name == name).then(|| op.clone()),
            Some(family) => {
                let digits = name.strip_prefix(family.prefix)?;
                let digits = Some(digits).filter(|d| d.bytes().all(|b| b.is_ascii_alphanumeric()))?;
                let number = BigUint::parse_bytes(digits.as_bytes(), family.radix)?;
                (family.radix == 16 || number.bits() <= 32).then(|| op.with(number))
            }
        })
    }

    /// The operations of which arrays of a layout have code, where it has them at all.
    pub fn in_arrays(field: &Field, layout: &Layout) -> Vec<Operation> {
        let member = |op: &Operation| match &op.row().family {
            None => Some(op.clone()),
            Some(family) => Some(op.with((family.members)(field, layout).pop()?)),
        };
        OPERATIONS.iter().filter(|op| op.row().in_arrays).filter_map(member).collect()
    }

    /// The operations that a layout of a field may have: all that are neither parts of others nor families, and the
    /// members that rows name.
    pub fn candidates(field: &Field, layout: &Layout) -> Vec<Operation> {
        let members = |op: &Operation| match &op.row().family {
            None => vec![op.clone()],
            Some(family) => (family.members)(field, layout).into_iter().map(|n| op.with(n)).collect(),
        };
        OPERATIONS.iter().filter(|op| op.row().kind != Kind::Parts).flat_map(members).collect()
    }
}
