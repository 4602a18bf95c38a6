//! What kernels of hash functions work in: words of a message in arrays, one number each.
//!
//! * **computes** layouts, the field of the reduction, operands as kernels have them.
//! * **needs** words of the message that are whole words of the kernel, or shorter.
//! * **gives** 32 words of a key and as many of a message; of TMMH the message's length before it, and one more of the key.
//! * **cost** nothing.
//! * **source** Halevi, Krawczyk, "MMH" (FSE 1997): messages of 32 words at a time; McGrew, "TMMH" (2001).

use evariste_descriptions::{Field, Mmh, Part, SquareHash, Structure, Tmmh};
use evariste_ir::range::{Interval, pow2};
use evariste_ir::{Array, ArrayKind, Builder, Number, Operand, Type, Value};
use num_bigint::BigUint;

use crate::kinds::Given;
use crate::layout::Layout;
use crate::operation::Holds;

/// Words of a message.
pub const WORDS: u32 = 32;

/// Words of a tag of TMMH: a shorter one is the first of them.
pub(super) const TAG_WORDS: u32 = 8;

/// The same in bytes.
pub const TAG_BYTES: u32 = TAG_WORDS * 2;

/// What a hash function sums.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// Products.
    Mmh,
    /// Products, the first one by the length of the message.
    Tmmh,
    /// Squares.
    Square,
}

/// A hash function of words.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// What it sums.
    pub family: Family,
    /// Bits of a word.
    pub word: u32,
    /// Bits of the result.
    pub result: u32,
}

/// The sizes of a hash function.
pub(super) fn shape(field: &dyn Structure) -> Option<Shape> {
    let shape = |family, word, result| Some(Shape { family, word, result });
    if let Some(hash) = field.get::<Mmh>() {
        return shape(Family::Mmh, hash.word, hash.word);
    }
    if let Some(hash) = field.get::<SquareHash>() {
        return shape(Family::Square, hash.word, hash.result);
    }
    shape(Family::Tmmh, field.get::<Tmmh>()?.bits(), field.bits())
}

/// The integers modulo its prime.
pub fn ground(field: &Field) -> Option<Field> {
    let mmh = field.get::<Mmh>().map(|hash| hash.prime.clone());
    let tmmh = || field.get::<Tmmh>().map(|_| Tmmh::PRIME.into());
    let prime = mmh.or_else(|| field.get::<SquareHash>().map(|hash| hash.prime.clone())).or_else(tmmh)?;
    Field::parse(&prime.to_string()).ok()
}

/// The canonical layouts of that.
pub fn layouts(field: &Field, word: u32) -> Vec<Layout> {
    let (Some(shape), Some(ground), 32 | 64) = (shape(&**field), ground(field), word) else { return Vec::new() };
    // Words of a message are whole words, or have a size that memory has.
    if !(shape.word.is_multiple_of(word) || shape.word < word && matches!(shape.word, 8 | 16 | 32)) {
        return Vec::new();
    }
    let mut all = crate::layouts(&ground, word);
    all.retain(|l| l.montgomery.is_none() && l.saturated() && l.resting.bound < ground.order().into());
    all
}

/// Words of a string of up to [`WORDS`] words, filled up with 0; `None` where it is longer.
fn filled(string: &BigUint, bits: u32) -> Option<Vec<BigUint>> {
    let length = string.bits().saturating_sub(1) / u64::from(bits);
    let mask = pow2(bits).magnitude() - 1u32;
    let word =
        |i: u64| if i < length { (string >> ((length - 1 - i) * u64::from(bits))) & &mask } else { BigUint::ZERO };
    (length <= u64::from(WORDS)).then(|| (0..u64::from(WORDS)).map(word).collect())
}

/// The words of one operand of TMMH, the message's after its length; of a key those that a message of [`WORDS`] needs.
fn of_tmmh(part: Part, x: &BigUint) -> Option<Vec<BigUint>> {
    let (mut words, most) = match part {
        Part::Key => (Tmmh::key_words(x), WORDS + 1),
        Part::TagKey => (Tmmh::key_words(x), WORDS + TAG_WORDS),
        _ => (Tmmh::message_words(x), WORDS + 1),
    };
    let fits = part != Part::Message || words.len() <= most as usize;
    words.resize(most as usize, BigUint::ZERO);
    fits.then_some(words)
}

/// Keys and messages as words, all else as it is.
pub fn given(field: &Field, holds: Holds, x: &BigUint) -> Given {
    let words = || match (shape(&**field)?, holds) {
        (Shape { family: Family::Tmmh, .. }, Holds::Part(part)) => of_tmmh(part, x),
        (shape, _) => filled(x, shape.word),
    };
    match holds {
        // Kernels give all bytes of a tag.
        Holds::Part(Part::Count) => Given::Elements(Vec::new()),
        Holds::Part(Part::Key | Part::TagKey | Part::Message) => {
            words().map_or_else(|| Given::Number(x.clone()), Given::Elements)
        }
        _ => Given::Number(x.clone()),
    }
}

/// The number that kernels gave, of a tag the string of all its words.
pub fn result(_: &Field, holds: Holds, x: &[BigUint]) -> Option<BigUint> {
    match holds {
        Holds::Part(Part::Message) => Some(x.iter().fold(1u32.into(), |all: BigUint, word| (all << 16u32) + word)),
        _ => x.first().cloned(),
    }
}

/// Are the strings among operands, and the tag, short enough for kernels?
pub fn fits(field: &dyn Structure, operands: &[BigUint]) -> bool {
    let Some(shape) = shape(field) else { return true };
    // A key of TMMH may be longer than its message needs.
    let strings = operands.iter().take(2).skip(usize::from(shape.family == Family::Tmmh));
    let tag = operands.get(2).filter(|_| shape.family == Family::Tmmh);
    strings.into_iter().all(|x| x.bits() <= u64::from(shape.word * WORDS) + 1)
        && tag.is_none_or(|bytes| *bytes <= TAG_BYTES.into())
}

/// A parameter of so many words of a message, each a number.
pub(super) struct Words {
    array: Array,
    /// The numbers.
    pub operands: Vec<Operand>,
    each: u32,
    bits: u32,
}

impl Words {
    /// The parameter.
    pub(super) fn new(b: &mut Builder, name: &str, kind: ArrayKind, bits: u32, count: u32) -> Words {
        let word = b.word();
        let each = bits.div_ceil(word);
        let ty = if bits < word { Type::Word(bits as u8) } else { b.word_type() };
        let array = b.array(name, ty, each * count, kind, vec![Interval::bits(bits.min(word))]);
        let operand = |i: u32| {
            let name = if count == 1 { name.to_owned() } else { format!("{name}{i}") };
            let empty = Operand { name, digits: Vec::new(), bound: pow2(bits) - 1, below: None };
            (0..each).fold(empty, |all, j| all.with_digit(array, i * each + j, j * word, pow2(bits.min(word)) - 1))
        };
        Words { array, operands: (0..count).map(operand).collect(), each, bits }
    }

    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        self.operands.len() as u32
    }

    /// A word of it as a number in words of the kernel.
    pub(super) fn load(&self, b: &mut Builder, i: u32) -> Number {
        let (word, ty) = (b.word(), b.word_type());
        let digits = (0..self.each).map(|j| {
            let digit = b.load(self.array, i * self.each + j);
            if self.bits < word { b.widen(digit, ty) } else { digit }
        });
        Number::new(digits.collect(), word, pow2(self.bits) - 1)
    }

    /// Stores the first word of it.
    pub(super) fn store(&self, b: &mut Builder, digits: &[Value]) {
        self.store_at(b, 0, digits);
    }

    /// Stores a word of it.
    pub(super) fn store_at(&self, b: &mut Builder, i: u32, digits: &[Value]) {
        let ty = Type::Word(self.bits as u8);
        for (j, digit) in (i * self.each..).zip(digits) {
            let digit = if self.bits < b.word() { b.narrow(*digit, ty) } else { *digit };
            b.store(self.array, j, digit);
        }
    }
}
