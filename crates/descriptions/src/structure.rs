//! What every described structure can be asked: names, and exact arithmetic, slow and in the most obvious way.

use std::any::Any;
use std::fmt::Debug;
use std::ops::Range;

use num_bigint::{BigInt, BigUint};
use num_traits::One;

use crate::Diagnostic;

/// What an operand is of, seen from the structure whose operation takes it, where it is no element of that itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// Natural numbers, by which elements of a group are multiplied.
    Scalars,
    /// Its own elements: a point, the base point where none is given.
    Points,
    /// The field of a point's coordinates.
    Coordinates,
    /// That of its first coordinate where points are known by it, with the base point's where none is given.
    Abscissae,
    /// The first group of a pairing.
    First,
    /// Its second group.
    Second,
    /// The field in which its values lie.
    Target,
    /// The keys of a cipher or a hash function.
    Key,
    /// A key of a tag of several words: of TMMH.
    TagKey,
    /// The keys of all rounds of a cipher.
    RoundKeys,
    /// Halves of a block.
    Half,
    /// Several blocks, one after the other.
    Blocks,
    /// What a stream cipher begins with beside its key.
    InitialValue,
    /// The stages of a register.
    State,
    /// Messages and keystreams.
    Message,
    /// Words of a key.
    Word,
    /// Numbers of bytes.
    Count,
    /// Running sums of a hash function.
    Sum,
}

/// A described structure. Elements are natural numbers below `2^bits`; arithmetic takes any of them and gives the
/// canonical one. What a structure does not have is `None`.
pub trait Structure: Any + Debug + Send + Sync {
    /// A short name that tells this structure from others: `p256`, `2^127-1`, `int256`, `gf2-131-onb2`.
    fn name(&self) -> String;

    /// A description that parses back to this structure: `2^255 - 19`, `int256`, `GF(2^131):onb2`.
    fn text(&self) -> String;

    /// What people call it, such that it parses back: its name where it has one of its own (`p256`), else the
    /// description.
    fn called(&self) -> String {
        self.text()
    }

    /// The name, with what it stands for where that is another text: `p256 (2^256 - 2^224 + 2^192 + 2^96 - 1)`.
    fn title(&self) -> String {
        self.text()
    }

    /// What this structure is, in a few lines.
    fn description(&self) -> String;

    /// The title of a package: `Arithmetic modulo 2^255 - 19`.
    fn package_title(&self) -> String {
        format!("Arithmetic in {}", self.text())
    }

    /// Bits of an element: of the modulus, of an operand, or the degree.
    fn bits(&self) -> u32;

    /// How many elements there are.
    fn order(&self) -> BigUint {
        BigUint::one() << self.bits()
    }

    /// The element that an integer means: its residue, or itself where it fits.
    fn element(&self, integer: &BigInt) -> Option<BigUint> {
        integer.to_biguint().filter(|natural| natural.bits() <= u64::from(self.bits()))
    }

    /// How many numbers below `2^k` an element is written with, each at its multiple of k bits: the coordinates of
    /// towers, and of points those of both coordinates.
    fn coordinates(&self) -> u32 {
        1
    }

    /// The element that the text at this place means. `None`: elements are read as integers.
    fn read(&self, _text: &str, _within: Range<usize>) -> Option<Result<BigUint, Diagnostic>> {
        None
    }

    /// An element as a text that [`Structure::read`] takes. `None`: elements are written as integers.
    fn written(&self, _a: &BigUint) -> Option<String> {
        None
    }

    /// How many texts write the element that this one begins: a point may be written as two.
    fn texts(&self, _first: &str) -> usize {
        1
    }

    /// What operands are of that are no elements.
    fn part(&self, _part: Part) -> Option<&dyn Structure> {
        None
    }

    /// The element that an operand of this part is where it is left out: the base point of a curve.
    fn generator(&self) -> Option<BigUint> {
        None
    }

    /// The element 0: that of which a sum with another one is the other.
    fn zero(&self) -> BigUint {
        BigUint::default()
    }

    /// The element 1.
    fn one(&self) -> BigUint {
        BigUint::one()
    }

    /// `a·b`.
    fn multiply(&self, _a: &BigUint, _b: &BigUint) -> Option<BigUint> {
        None
    }

    /// `a·b` before any reduction, where elements are what is left of longer numbers or polynomials.
    fn whole_product(&self, _a: &BigUint, _b: &BigUint) -> Option<BigUint> {
        None
    }

    /// `a + b`.
    fn add(&self, _a: &BigUint, _b: &BigUint) -> Option<BigUint> {
        None
    }

    /// `−a`.
    fn negate(&self, _a: &BigUint) -> Option<BigUint> {
        None
    }

    /// The canonical representative of a.
    fn canonical(&self, _a: &BigUint) -> Option<BigUint> {
        None
    }

    /// The b with `a·b = 1`.
    fn inverse(&self, _a: &BigUint) -> Option<BigUint> {
        None
    }

    /// `a − b`.
    fn subtract(&self, a: &BigUint, b: &BigUint) -> Option<BigUint> {
        self.add(a, &self.negate(b)?)
    }

    /// `a^exponent` with `a^0 = 1`: square and multiply from the top bit.
    fn power(&self, a: &BigUint, exponent: &BigUint) -> Option<BigUint> {
        (0..exponent.bits()).rev().try_fold(self.one(), |power, i| {
            let square = self.multiply(&power, &power)?;
            if exponent.bit(i) { self.multiply(&square, a) } else { Some(square) }
        })
    }

    /// What is wrong with operands together each of which is one, and what would work.
    fn complaint(&self, _operation: &str, _operands: &[BigUint]) -> Option<String> {
        None
    }

    /// Parameters that are supplied at run time, after an operation's own.
    fn supplied(&self) -> &'static [&'static str] {
        &[]
    }

    /// The structure with these parameters.
    ///
    /// # Errors
    /// What is wrong with them, and what would work.
    fn with_supplied(&self, _supplied: &[BigUint]) -> Result<Box<dyn Structure>, String> {
        Err("nothing is supplied at run time".to_owned())
    }
}

impl dyn Structure {
    /// This structure as one of a kind: `structure.get::<Modulus>()`.
    pub fn get<T: Structure>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }
}
