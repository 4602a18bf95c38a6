//! What elements compute with: machine code of the fastest plans, on words in the form of their layout. It is made once
//! for a field and its clones, of proved and checked kernels only; where there is none, elements are big integers.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use evariste_algorithms::field_set::is_canonical;
use evariste_algorithms::{Form, Layout, Operation};
use evariste_backend::{Code, Kind, found};
use evariste_descriptions::{BinaryField, Field as Spec, Modulus};
use evariste_jit::{Argument, Function};
use evariste_tune::cache;
use evariste_tune::candidates::field_layouts;
use evariste_tune::choose::{Chosen, Wish, choose_first, choose_for};
use num_bigint::BigUint;

/// Products by big integers after which machine code is worth its making: it takes about as long as these.
const WORTH_IT: u32 = 1 << 17;

/// Bits of the words of elements.
const WORD: u32 = 64;

/// Words of elements that need no memory of their own.
const FEW: usize = 9;

/// An element in the form of a layout.
#[derive(Clone)]
pub(crate) enum Words {
    Few([u64; FEW]),
    Many(Box<[u64]>),
}

impl Words {
    fn zeros(digits: usize) -> Words {
        if digits <= FEW { Words::Few([0; FEW]) } else { Words::Many(vec![0; digits].into()) }
    }

    fn digits(&self, digits: usize) -> &[u64] {
        match self {
            Words::Few(words) => &words[..digits],
            Words::Many(words) => words,
        }
    }

    fn digits_mut(&mut self, digits: usize) -> &mut [u64] {
        match self {
            Words::Few(words) => &mut words[..digits],
            Words::Many(words) => words,
        }
    }
}

/// The arithmetic of a field, once it is made, and how much it was missed.
#[derive(Default)]
pub(crate) struct Slot {
    used: AtomicU32,
    made: OnceLock<Option<Arithmetic>>,
}

impl Slot {
    /// The arithmetic where it is made, or worth its making by now. `weight` is what an operation by big integers costs, in
    /// products.
    pub(crate) fn arithmetic(&self, field: &Spec, weight: u32) -> Option<&Arithmetic> {
        if let Some(made) = self.made.get() {
            return made.as_ref();
        }
        let used = self.used.fetch_add(weight, Ordering::Relaxed);
        if used < WORTH_IT { None } else { self.prepared(field) }
    }

    /// The arithmetic, made now where it was not.
    pub(crate) fn prepared(&self, field: &Spec) -> Option<&Arithmetic> {
        self.made.get_or_init(|| Arithmetic::new(field)).as_ref()
    }
}

/// Machine code for one layout, in which every element has one form.
pub(crate) struct Arithmetic {
    digits: usize,
    form: Form,
    sum: Function,
    difference: Function,
    product: Function,
    square: Function,
}

impl Arithmetic {
    fn new(field: &Spec) -> Option<Arithmetic> {
        let backend = found(|kind| kind == Kind::Scalar, None).into_iter().next()?;
        let chosen = choose(field, Code::from(backend.entry()))?;
        // Numbers of any other kind are no elements that are closed under these operations.
        if field.get::<Modulus>().is_none() {
            field.get::<BinaryField>()?;
        }
        let form = Form::new(field, &chosen.layout);
        let digits = chosen.layout.digits();
        let code = |operation, operands| Some(chosen.element_code(&*backend, &operation, operands)?.1);
        Some(Arithmetic {
            sum: code(Operation::ADD, 2)?,
            difference: code(Operation::SUB, 2)?,
            product: code(Operation::MUL, 2)?,
            square: code(Operation::SQUARE, 1)?,
            digits,
            form,
        })
    }

    /// The words of a canonical value.
    pub(crate) fn words(&self, value: &BigUint) -> Words {
        let mut words = Words::zeros(self.digits);
        let number = self.form.held(value);
        let digits = number.iter_u64_digits();
        words.digits_mut(self.digits).iter_mut().zip(digits).for_each(|(word, digit)| *word = digit);
        words
    }

    /// The canonical value of words.
    pub(crate) fn value(&self, words: &Words) -> BigUint {
        let halves = words.digits(self.digits).iter().flat_map(|word| [*word as u32, (word >> 32) as u32]);
        self.form.element(&BigUint::new(halves.collect()))
    }

    pub(crate) fn is_zero(&self, words: &Words) -> bool {
        words.digits(self.digits).iter().all(|word| *word == 0)
    }

    pub(crate) fn equal(&self, a: &Words, b: &Words) -> bool {
        a.digits(self.digits) == b.digits(self.digits)
    }

    fn run(&self, function: &Function, operands: [&Words; 2]) -> Option<Words> {
        let mut out = Words::zeros(self.digits);
        let [a, b] = operands.map(|words| Argument::from(words.digits(self.digits)));
        function.call(&[Argument::from(out.digits_mut(self.digits)), a, b]).ok()?;
        Some(out)
    }

    fn run_one(&self, function: &Function, operand: &Words) -> Option<Words> {
        let mut out = Words::zeros(self.digits);
        let a = Argument::from(operand.digits(self.digits));
        function.call(&[Argument::from(out.digits_mut(self.digits)), a]).ok()?;
        Some(out)
    }

    pub(crate) fn add(&self, a: &Words, b: &Words) -> Option<Words> {
        self.run(&self.sum, [a, b])
    }

    pub(crate) fn sub(&self, a: &Words, b: &Words) -> Option<Words> {
        self.run(&self.difference, [a, b])
    }

    pub(crate) fn mul(&self, a: &Words, b: &Words) -> Option<Words> {
        self.run(&self.product, [a, b])
    }

    pub(crate) fn square(&self, a: &Words) -> Option<Words> {
        self.run_one(&self.square, a)
    }
}

/// Does every element have one form in whole words?
fn is_plain(field: &Spec, layout: &Layout) -> bool {
    layout.word == WORD && layout.saturated() && is_canonical(field, layout)
}

/// The remembered winner as such code, else the first layout and plans.
fn choose(field: &Spec, code: Code) -> Option<Chosen> {
    let wish = Wish { code: Some(code), canonical: true, ..Wish::default() };
    let recalled = || {
        let ranking = cache::recall(&field.text()).ok().flatten()?;
        choose_for(field, &[WORD], None, Some(ranking), wish).ok().filter(|chosen| is_plain(field, &chosen.layout))
    };
    let first = || {
        let layout = field_layouts(field, &[WORD]).into_iter().find(|layout| is_plain(field, layout))?;
        choose_first(field, &[WORD], Some(&layout.name), None, &Operation::MUL).ok()
    };
    Some(Chosen { code: Some(code), ..recalled().or_else(first)? })
}
