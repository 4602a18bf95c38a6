//! The type of an element that a package's operations share, for languages with methods.

use evariste_ir::{ArrayKind, Kernel};
use num_bigint::BigInt;
use num_traits::One;

use crate::manifest::params;
use crate::package::{Content, Elements};
use crate::unit::{Model, container};

/// The type of elements: what `mul` (or else `add`) takes and gives.
#[derive(Clone, Copy, Debug)]
pub struct Shape<'a> {
    /// Bits of what holds a word.
    pub bits: u32,
    /// Words.
    pub len: u32,
    /// The numbers that they are, where they are those of a prime field or a ring of integers.
    pub numbers: Option<&'a Elements>,
    /// The package.
    pub content: &'a Content<'a>,
}

/// An operation on elements that gives an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method {
    /// The operation.
    pub operation: &'static str,
    /// The method's name.
    pub name: &'static str,
    /// Elements that it takes.
    pub operands: usize,
    /// What it computes.
    pub what: &'static str,
}

/// The operations that are methods.
const METHODS: &[Method] = &[
    Method { operation: "mul", name: "mul", operands: 2, what: "The product." },
    Method { operation: "square", name: "square", operands: 1, what: "The square." },
    Method { operation: "add", name: "add", operands: 2, what: "The sum." },
    Method { operation: "sub", name: "sub", operands: 2, what: "The difference." },
    Method { operation: "opp", name: "neg", operands: 1, what: "The element that gives 0 when it is added." },
    Method { operation: "inv", name: "invert", operands: 1, what: "The inverse; of 0 it is 0." },
    Method { operation: "frobenius", name: "frobenius", operands: 1, what: "The power of the prime below." },
    Method { operation: "conjugate", name: "conjugate", operands: 1, what: "The conjugate." },
];

impl<'a> Shape<'a> {
    /// The type of a package's elements, where operations take and give one array of words each.
    pub fn of(content: &'a Content<'a>) -> Option<Shape<'a>> {
        let (name, kernel) = ["mul", "add"].into_iter().find_map(|name| Some((name, kernel_of(content, name)?)))?;
        let info = kernel.array(params(kernel, true).first().copied()?);
        if Model::of(kernel) == Model::Lanes {
            return None;
        }
        let shape = Shape { bits: container(info.ty.bits()), len: info.len, numbers: content.elements, content };
        let method = METHODS.iter().find(|m| m.operation == name)?;
        shape.has(method).then_some(shape)
    }

    /// The methods that the package has.
    pub fn methods(&self) -> impl Iterator<Item = &'static Method> + '_ {
        METHODS.iter().filter(|m| self.has(m))
    }

    /// Has it this method?
    pub fn method(&self, name: &str) -> Option<&'static Method> {
        self.methods().find(|m| m.name == name)
    }

    fn has(&self, method: &Method) -> bool {
        self.takes(method.operation, method.operands)
    }

    /// Does an operation take so many elements and give one?
    pub fn takes(&self, operation: &str, operands: usize) -> bool {
        let Some(kernel) = kernel_of(self.content, operation) else { return false };
        let (read, written) = (params(kernel, false), params(kernel, true));
        let fits = |a| kernel.array(a).len == self.len && container(kernel.array(a).ty.bits()) == self.bits;
        let plain = kernel.visible().all(|a| matches!(kernel.array(a).kind, ArrayKind::Input | ArrayKind::Output));
        plain && read.len() == operands && written.len() == 1 && read.into_iter().chain(written).all(fits)
    }

    /// Bytes of an element, where the package reads and writes them.
    pub fn bytes(&self) -> Option<usize> {
        let numbers = self.numbers?;
        let has = |name: &str| kernel_of(self.content, name).is_some();
        let forms = numbers.factor.is_one() || self.takes("to_montgomery", 1) && self.takes("from_montgomery", 1);
        let both = has("from_bytes_unchecked") && has("to_bytes") && forms;
        both.then(|| (&numbers.modulus - BigInt::one()).bits().div_ceil(8) as usize)
    }

    /// Is the element at rest in Montgomery form?
    pub fn is_montgomery(&self) -> bool {
        self.numbers.is_some_and(|numbers| !numbers.factor.is_one())
    }

    /// The number 1 as words.
    pub fn one(&self) -> Option<Vec<BigInt>> {
        self.words_of(&BigInt::one())
    }

    /// A number below the modulus as words.
    pub fn words_of(&self, x: &BigInt) -> Option<Vec<BigInt>> {
        let numbers = self.numbers?;
        Some(numbers.digits(&(x * &numbers.factor % &numbers.modulus)))
    }

    /// Does an operation take an element and give one, and a word that says whether there is one?
    pub fn gives_flag(&self, operation: &str) -> bool {
        let Some(kernel) = kernel_of(self.content, operation) else { return false };
        let lens = |written| params(kernel, written).into_iter().map(|a| kernel.array(a).len).collect::<Vec<_>>();
        lens(false) == [self.len] && lens(true) == [self.len, 1]
    }

    /// Does an operation take a word and two elements, and give one?
    pub fn takes_word(&self, operation: &str) -> bool {
        let Some(kernel) = kernel_of(self.content, operation) else { return false };
        let lens = |written| params(kernel, written).into_iter().map(|a| kernel.array(a).len).collect::<Vec<_>>();
        lens(false) == [1, self.len, self.len] && lens(true) == [self.len]
    }

    /// The greatest digit that an operation takes in each place of each operand, and so in all of them.
    pub fn takes_digits(&self, operation: &str) -> Option<BigInt> {
        let inputs = &kernel_of(self.content, operation)?.contract.inputs;
        inputs.iter().flat_map(|operand| operand.digits.iter().map(|digit| digit.max.clone())).min()
    }

    /// How equal values are told: by their words, or by those that `canonical` gives; `None` where neither does.
    pub fn canonical_by(&self) -> Option<Option<&'static str>> {
        match () {
            () if self.numbers?.canonical => Some(None),
            () if self.takes("canonical", 1) => Some(Some("canonical")),
            () => None,
        }
    }

    /// The start of every function's name.
    pub fn prefix(&self) -> &str {
        self.content.prefix
    }
}

/// The kernel of an operation.
pub fn kernel_of<'a>(content: &Content<'a>, operation: &str) -> Option<&'a Kernel> {
    content.kernels.iter().find(|(name, _)| name == operation).map(|(_, kernel)| *kernel)
}
