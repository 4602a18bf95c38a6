//! Arrays: every operation that they have, on all operands at once, against the same arithmetic.

use evariste::array::{Array, Endian, Engine, Mask, Options};
use evariste::{BigUint, Field, Op};

use super::kinds::{Kind, Subject};
use super::meanings::{Meaning, Role, meaning, operand_sets};

/// The ways in which arrays compute on this machine.
pub fn engines(field: &Field) -> Vec<(&'static str, Engine)> {
    let options = |features: Option<&str>, interpreted| Options {
        threads: 1,
        features: features.map(str::to_string),
        interpreted,
        forget: true,
        ..Options::default()
    };
    [
        ("vectors", options(None, false)),
        ("scalar code", options(Some("baseline"), false)),
        ("the interpreter", options(None, true)),
    ]
    .into_iter()
    .map(|(how, options)| {
        (how, Engine::with(field.spec(), options).unwrap_or_else(|e| panic!("{field} by {how}: {e}")))
    })
    .collect()
}

/// The operations that arrays have a function for.
#[rustfmt::skip]
pub const HAVE: &[&str] = &[
    "mul", "square", "add", "sub", "opp", "inv", "affine", "canonical", "selectznz", "is_zero", "equal", "to_bytes",
    "to_bytes_be", "from_bytes", "from_bytes_be", "from_words", "to_words", "exceeds", "mul_add", "mul_words",
    "mul_montgomery_words",
];

/// Runs an operation on arrays; `false`: arrays of this field have none.
pub fn run(subject: &Subject, how: &str, engine: &Engine, op: &Op, count: usize, complaints: &mut Vec<String>) -> bool {
    let bytes = |big_endian: bool| if big_endian { Endian::Big } else { Endian::Little };
    let test = Test { subject, how, engine, op, count };
    let prime = matches!(&subject.kind, Kind::Modulus(_));
    let exponent = op.number_of(&Op::POWER).cloned().unwrap_or_default();
    match op.row().name {
        "mul" => test.elements(complaints, |e, x| e.mul(&x[0], &x[1])),
        "square" => test.elements(complaints, |e, x| e.square(&x[0])),
        "add" => test.elements(complaints, |e, x| e.add(&x[0], &x[1])),
        "sub" => test.elements(complaints, |e, x| e.sub(&x[0], &x[1])),
        "opp" => test.elements(complaints, |e, x| e.neg(&x[0])),
        "inv" => test.elements(complaints, |e, x| e.inverse(&x[0])),
        "pow_HEX" => test.elements(complaints, |e, x| e.power(&x[0], &exponent)),
        "affine" => test.elements(complaints, |e, x| e.mul_add(&x[0], &x[1], &x[2])),
        "canonical" => test.elements(complaints, |e, x| e.resting(&e.canonical(&x[0])?)),
        "selectznz" => test.flags(complaints),
        "is_zero" | "equal" => test.tests(complaints),
        name @ ("to_bytes" | "to_bytes_be" | "from_bytes" | "from_bytes_be") => {
            test.bytes(complaints, bytes(name.ends_with("_be")));
        }
        "from_words" | "to_words" | "exceeds" => test.words(complaints),
        "mul_add" => test.mul_add(complaints),
        "mul_words" => test.products_of_words(complaints, false),
        "mul_montgomery_words" if prime => test.products_of_words(complaints, true),
        "dot_N" | "sum_N" => test.sums(complaints),
        // Montgomery's words by moduli 2^k, and what arrays have no function for.
        _ => return false,
    }
    true
}

struct Test<'a> {
    subject: &'a Subject,
    how: &'a str,
    engine: &'a Engine,
    op: &'a Op,
    count: usize,
}

type Outcome<T> = Result<T, evariste::array::ArrayError>;

impl Test<'_> {
    fn title(&self) -> String {
        format!("{} {} of arrays by {}", self.subject.text, self.op.name(), self.how)
    }

    fn done<T>(&self, outcome: Outcome<T>) -> T {
        outcome.unwrap_or_else(|e| panic!("{}: {e}", self.title()))
    }

    /// Operand i of every set, as one list.
    fn columns(&self, roles: &[Role]) -> Vec<Vec<BigUint>> {
        let sets = operand_sets(&self.subject.kind, roles, self.count, 7);
        (0..roles.len()).map(|i| sets.iter().map(|(x, _)| x[i].clone()).collect()).collect()
    }

    fn array(&self, numbers: &[BigUint]) -> Array {
        self.done(self.engine.from_integers(numbers))
    }

    fn numbers(&self, array: &Array) -> Vec<BigUint> {
        self.done(self.engine.to_integers(array))
    }

    /// Every result is what `right` says.
    fn compare(
        &self,
        complaints: &mut Vec<String>,
        x: &[Vec<BigUint>],
        out: &[BigUint],
        right: impl Fn(&[BigUint]) -> BigUint,
    ) {
        for (i, out) in out.iter().enumerate() {
            let x: Vec<BigUint> = x.iter().map(|column| column[i].clone()).collect();
            if right(&x) != *out {
                complaints.push(format!("{}: {x:x?} gives {out:x}", self.title()));
            }
        }
    }

    fn p(&self) -> BigUint {
        self.subject.kind.limit()
    }

    fn elements(&self, complaints: &mut Vec<String>, run: impl Fn(&Engine, &[Array]) -> Outcome<Array>) {
        let Ok(Meaning { operands, right, .. }) = meaning(self.op) else { panic!("{}: no meaning", self.title()) };
        let columns = self.columns(&operands);
        let arrays: Vec<Array> = columns.iter().map(|x| self.array(x)).collect();
        for (i, out) in self.numbers(&self.done(run(self.engine, &arrays))).iter().enumerate() {
            let x: Vec<BigUint> = columns.iter().map(|column| column[i].clone()).collect();
            if !right(&self.subject.kind, &x, out, &self.p()) {
                complaints.push(format!("{}: {x:x?} gives {out:x}", self.title()));
            }
        }
    }

    fn flags(&self, complaints: &mut Vec<String>) {
        let x = self.columns(&[Role::Flag, Role::Element, Role::Element]);
        let mask = Mask::new(&x[0].iter().map(|flag| *flag != BigUint::ZERO).collect::<Vec<_>>());
        let out = match self.engine.select(&mask, &self.array(&x[1]), &self.array(&x[2])) {
            Ok(out) => self.numbers(&out),
            // Binary fields have no choice between elements; that is said, not done wrongly.
            Err(e) => {
                assert!(self.subject.kind.is_binary(), "{}: {e}", self.title());
                return;
            }
        };
        self.compare(complaints, &x, &out, |x| if x[0] == BigUint::ZERO { x[1].clone() } else { x[2].clone() });
    }

    fn tests(&self, complaints: &mut Vec<String>) {
        let x = self.columns(&[Role::Canonical, Role::Canonical]);
        let [a, b] = [0, 1].map(|i| self.done(self.engine.canonical(&self.array(&x[i]))));
        let number = |mask: Mask| mask.to_flags().iter().map(|flag| u32::from(*flag).into()).collect::<Vec<BigUint>>();
        let zero = number(self.done(self.engine.is_zero(&a)));
        let equal = number(self.done(self.engine.equal(&a, &b)));
        self.compare(complaints, &x, &zero, |x| u32::from(x[0] == BigUint::ZERO).into());
        self.compare(complaints, &x, &equal, |x| u32::from(x[0] == x[1]).into());
    }

    fn bytes(&self, complaints: &mut Vec<String>, endian: Endian) {
        let x = self.columns(&[Role::Canonical]);
        let size = self.engine.bytes_per_element();
        let octets = |number: &BigUint| {
            let mut bytes = number.to_bytes_le();
            bytes.resize(size, 0);
            if endian == Endian::Big {
                bytes.reverse();
            }
            bytes
        };
        let all: Vec<u8> = x[0].iter().flat_map(octets).collect();
        let array = self.done(self.engine.from_bytes(&all, endian));
        self.compare(complaints, &x, &self.numbers(&array), |x| x[0].clone());
        assert_eq!(self.done(self.engine.to_bytes(&array, endian)), all, "{}", self.title());
    }

    fn to_words(&self, numbers: &[BigUint]) -> Vec<u64> {
        let n = self.engine.words_per_element();
        numbers
            .iter()
            .flat_map(|x| {
                let mut words = x.to_u64_digits();
                words.resize(n, 0);
                words
            })
            .collect()
    }

    fn of_words(&self, words: &[u64]) -> Vec<BigUint> {
        let number = |words: &[u64]| words.iter().rev().fold(BigUint::ZERO, |x, w| (x << 64u32) + w);
        words.chunks(self.engine.words_per_element()).map(number).collect()
    }

    fn words(&self, complaints: &mut Vec<String>) {
        let x = self.columns(&[Role::Canonical]);
        let words = self.to_words(&x[0]);
        let array = self.done(self.engine.from_words(&words));
        self.compare(complaints, &x, &self.numbers(&array), |x| x[0].clone());
        assert_eq!(self.done(self.engine.to_words(&array)), words, "{}", self.title());
        // What is no canonical number is refused, wherever it stands.
        let room = (self.p() - 1u32).bits().div_ceil(64) * 64;
        if BigUint::from(1u32) << room > self.p() {
            let mut numbers = x[0].clone();
            let last = numbers.len() - 1;
            numbers[last] = self.p();
            assert!(self.engine.from_words(&self.to_words(&numbers)).is_err(), "{}", self.title());
        }
    }

    fn mul_add(&self, complaints: &mut Vec<String>) {
        let (kind, p) = (&self.subject.kind, self.p());
        let x = self.columns(&[Role::Element; 3]);
        let [a, b, c] = [0, 1, 2].map(|i| self.array(&x[i]));
        let out = self.numbers(&self.done(self.engine.mul_add(&a, &b, &c)));
        self.compare(complaints, &x, &out, |x| kind.add(&kind.mul(&x[0], &x[1], &p), &x[2], &p));
    }

    fn products_of_words(&self, complaints: &mut Vec<String>, montgomery: bool) {
        let (kind, p) = (&self.subject.kind, self.p());
        let x = self.columns(&[Role::Canonical; 2]);
        let (a, b) = (self.to_words(&x[0]), self.to_words(&x[1]));
        let mut out = vec![0; a.len()];
        let engine = self.engine;
        let outcome = if montgomery {
            engine.mul_montgomery_words_into(&mut out, &a, &b)
        } else {
            engine.mul_words_into(&mut out, &a, &b)
        };
        if let (Err(e), true) = (&outcome, montgomery) {
            // A layout without a Montgomery form, or with a factor below that of words, says so.
            let words = 64 * engine.words_per_element() as u32;
            assert!(engine.layout().montgomery.is_none_or(|r| r < words), "{}: {e}", self.title());
            return;
        }
        self.done(outcome);
        let r = BigUint::from(1u32) << (64 * engine.words_per_element());
        let right = |x: &[BigUint]| kind.mul(&x[0], &x[1], &p);
        // Of Montgomery's, R times the product is the product.
        let out: Vec<BigUint> =
            self.of_words(&out).iter().map(|x| if montgomery { x * &r % &p } else { x.clone() }).collect();
        self.compare(complaints, &x, &out, right);
    }

    fn sums(&self, complaints: &mut Vec<String>) {
        let (kind, p) = (&self.subject.kind, self.p());
        let x = self.columns(&[Role::Element; 2]);
        let [a, b] = [0, 1].map(|i| self.array(&x[i]));
        let total = |terms: Vec<BigUint>| terms.iter().fold(BigUint::ZERO, |sum, x| kind.add(&sum, x, &p));
        let products = x[0].iter().zip(&x[1]).map(|(a, b)| kind.mul(a, b, &p)).collect();
        if self.done(self.engine.sum(&a)) != total(x[0].clone()) {
            complaints.push(format!("{}: a sum", self.title()));
        }
        if self.done(self.engine.dot(&a, &b)) != total(products) {
            complaints.push(format!("{}: a sum of products", self.title()));
        }
    }
}
