//! What is compared: operations on points and pairings, each with operands and the answers of the reference.

use anyhow::{Context, Result, anyhow, ensure};
use evariste_algorithms::Operation;
use evariste_descriptions::{Curve, CurveShape, Field, Modulus, Pairing, Structure, Tower};
use evariste_run::{Argument, Buffer};
use num_bigint::BigUint;

/// How functions of libraries take operands and give results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Bytes of a scalar and of an uncompressed point, highest first: the first coordinate of k·P.
    Secret,
    /// Bytes of a scalar: the uncompressed point k·G.
    Key,
    /// X25519 of RFC 7748, bytes lowest first, of any point.
    Clamped,
    /// The same of the base point.
    ClampedKey,
    /// Jacobian coordinates in Montgomery form, a scalar of four words.
    Jacobian,
    /// Affine coordinates in Montgomery form: the value of a pairing.
    Pairing,
}

/// One operation of one structure.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The id in the table: `p256.ecdh`.
    pub id: &'static str,
    /// The structure's description.
    text: &'static str,
    /// Its name in libraries' symbols.
    symbol: &'static str,
    /// How libraries have it.
    pub form: Form,
}

impl Subject {
    /// The name of a library's function.
    pub fn symbol(&self, ending: &str) -> String {
        format!("peer_{}{ending}", self.symbol)
    }
}

const fn subject(id: &'static str, text: &'static str, symbol: &'static str, form: Form) -> Subject {
    Subject { id, text, symbol, form }
}

/// Operations on points of curves.
pub const CURVES: &[Subject] = &[
    subject("p256.ecdh", "curve:p256", "p256_ecdh", Form::Secret),
    subject("p256.public_key", "curve:p256", "p256_public_key", Form::Key),
    subject("secp256k1.ecdh", "curve:secp256k1", "secp256k1_ecdh", Form::Secret),
    subject("secp256k1.public_key", "curve:secp256k1", "secp256k1_public_key", Form::Key),
    subject("25519.ecdh", "curve:25519", "25519_ecdh", Form::Clamped),
    subject("25519.public_key", "curve:25519", "25519_public_key", Form::ClampedKey),
    subject("bls12-381-g1.scalar_mul", "curve:bls12-381-g1", "bls12_381_g1_scalar_mul", Form::Jacobian),
    subject("bls12-381-g2.scalar_mul", "curve:bls12-381-g2", "bls12_381_g2_scalar_mul", Form::Jacobian),
    subject("bn254-g1.scalar_mul", "curve:bn254-g1", "bn254_g1_scalar_mul", Form::Jacobian),
    subject("bn254-g2.scalar_mul", "curve:bn254-g2", "bn254_g2_scalar_mul", Form::Jacobian),
    subject("sect131r1.ecdh", "curve:sect131r1", "sect131r1_ecdh", Form::Secret),
    subject("sect163r2.ecdh", "curve:sect163r2", "sect163r2_ecdh", Form::Secret),
    subject("sect233r1.ecdh", "curve:sect233r1", "sect233r1_ecdh", Form::Secret),
    subject("sect283r1.ecdh", "curve:sect283r1", "sect283r1_ecdh", Form::Secret),
];

/// Pairings.
pub const PAIRINGS: &[Subject] = &[
    subject("bls12-381.pairing", "pairing:bls12-381", "bls12_381_pairing", Form::Pairing),
    subject("bn254.pairing", "pairing:bn254", "bn254_pairing", Form::Pairing),
];

/// Sets of operands.
pub const CASES: usize = 8;

/// Operands and the answer, as the reference has them.
#[derive(Clone, Debug)]
pub struct Case {
    /// The scalar, or the first point of a pairing.
    pub first: BigUint,
    /// The point, a first coordinate, or the second point of a pairing.
    pub second: BigUint,
    /// The point, the coordinate or the value.
    pub answer: BigUint,
}

/// A subject with its structure and its cases.
pub struct Task {
    /// What is compared.
    pub subject: Subject,
    /// The structure.
    pub field: Field,
    /// Operands and answers.
    pub cases: Vec<Case>,
}

/// Numbers without a pattern.
fn number(i: usize, below: &BigUint) -> BigUint {
    BigUint::from(0x9e37_79b9_7f4a_7c15u64 + i as u64).pow(11) % below
}

impl Task {
    /// Makes operands, and their answers by exact arithmetic, slow and obviously right.
    pub fn new(subject: &Subject) -> Result<Task> {
        let field = Field::parse(subject.text).map_err(|e| anyhow!("{e}"))?;
        let mut task = Task { subject: subject.clone(), field, cases: Vec::new() };
        task.cases = match task.field.get::<Pairing>() {
            Some(pairing) => task.pairs(pairing)?,
            None => (0..CASES).map(|i| task.multiple(i)).collect::<Result<_>>()?,
        };
        Ok(task)
    }

    /// What does it for one element of ours.
    pub fn one(&self) -> Vec<Operation> {
        match self.subject.form {
            Form::Secret | Form::Clamped => vec![Operation::ECDH],
            Form::Key | Form::ClampedKey => vec![Operation::PUBLIC_KEY],
            // By half scalars where the base point's group has them.
            Form::Jacobian => vec![Operation::SCALAR_MUL, Operation::MUL_IN_SUBGROUP],
            Form::Pairing => vec![Operation::PAIRING_MULTIPLE],
        }
    }

    /// What does it for arrays of ours.
    pub fn many(&self) -> Vec<Operation> {
        let is_binary = self.curve().is_ok_and(|curve| curve.equation.shape == CurveShape::Binary);
        match self.subject.form {
            Form::Secret if is_binary => vec![Operation::LADDER],
            Form::Secret => vec![Operation::SCALAR_MUL],
            Form::Key if is_binary => vec![],
            Form::Key => vec![Operation::MUL_BASE],
            Form::Clamped => vec![Operation::CLAMPED_LADDER],
            Form::ClampedKey => vec![Operation::CLAMPED_MUL_BASE],
            Form::Jacobian | Form::Pairing => self.one(),
        }
    }

    fn curve(&self) -> Result<&Curve> {
        self.field.get::<Curve>().context("a curve")
    }

    fn multiple(&self, i: usize) -> Result<Case> {
        let curve = self.curve()?;
        let (order, base) = (curve.order.as_ref().context("an order")?, curve.base.as_ref().context("a base point")?);
        let (k, l) = (number(i, order), number(CASES + i, order));
        Ok(match self.subject.form {
            Form::Clamped | Form::ClampedKey => {
                let u =
                    if self.subject.form == Form::Clamped { number(i, &curve.field().order()) } else { 9u32.into() };
                Case { answer: curve.clamped_ladder(&k, &u).context("a ladder")?, first: k, second: u }
            }
            Form::Key => Case { answer: curve.scale_base(&k).context("a base")?, first: k, second: BigUint::ZERO },
            _ => {
                let p = curve.scale(&l, &curve.packed(&Some(base.clone())));
                Case { answer: curve.scale(&k, &p), first: k, second: p }
            }
        })
    }

    /// One pairing is reckoned; others are powers of it.
    fn pairs(&self, pairing: &Pairing) -> Result<Vec<Case>> {
        let [g, h] = [&pairing.first, &pairing.second].map(|group| group.base.clone());
        let [g, h] = [pairing.first.packed(&g), pairing.second.packed(&h)];
        let e = pairing.pairing(&g, &h);
        let case = |i: usize| {
            let (k, l) = (number(i, &pairing.order), number(CASES + i, &pairing.order));
            Some(Case {
                answer: pairing.target.power(&e, &(&k * &l % &pairing.order))?,
                first: pairing.first.scale(&k, &g),
                second: pairing.second.scale(&l, &h),
            })
        };
        (0..CASES).map(|i| case(i).context("a power")).collect()
    }

    /// Bytes of a coordinate and of a scalar.
    fn bytes(&self) -> Result<(usize, usize)> {
        let curve = self.curve()?;
        let order = curve.order.as_ref().context("an order")?;
        Ok((curve.field().bits().div_ceil(8) as usize, order.bits().div_ceil(8) as usize))
    }

    /// The prime of coordinates in words.
    fn prime(&self) -> Result<BigUint> {
        let ground = evariste_algorithms::kinds::ground(&self.field);
        Ok(ground.get::<Modulus>().context("a prime field")?.value.clone())
    }

    /// Words of a coordinate over the prime field.
    fn words(&self) -> Result<usize> {
        Ok(self.prime()?.bits().div_ceil(64) as usize)
    }

    /// The arguments of a library's function.
    pub fn arguments(&self) -> Result<Vec<Argument>> {
        let (out, read) = match self.subject.form {
            Form::Secret => {
                let (field, order) = self.bytes()?;
                (field, vec![order, 1 + 2 * field])
            }
            Form::Key => {
                let (field, order) = self.bytes()?;
                (1 + 2 * field, vec![order])
            }
            Form::Clamped => (32, vec![32, 32]),
            Form::ClampedKey => (32, vec![32]),
            Form::Jacobian => {
                let point = 24 * self.words()? * degree(self.curve()?.field());
                (point, vec![32, point])
            }
            Form::Pairing => {
                let each = 8 * self.words()?;
                (12 * each, vec![2 * each, 4 * each])
            }
        };
        Ok([Argument::output(out)].into_iter().chain(read.into_iter().map(Argument::input)).collect())
    }

    /// Operands as a library's function takes them.
    pub fn given(&self, case: &Case) -> Result<Vec<Buffer>> {
        Ok(match self.subject.form {
            Form::Secret => {
                let (field, order) = self.bytes()?;
                vec![highest_first(&case.first, order), Buffer::from_bytes(&self.uncompressed(&case.second, field)?)]
            }
            Form::Key => vec![highest_first(&case.first, self.bytes()?.1)],
            Form::Clamped => vec![lowest_first(&case.first, 32), lowest_first(&case.second, 32)],
            Form::ClampedKey => vec![lowest_first(&case.first, 32)],
            Form::Jacobian => {
                let field = self.curve()?.field();
                let (x, y) = self.curve()?.unpacked(&case.second).context("no neutral element")?;
                vec![lowest_first(&case.first, 32), self.held(&[(field, &x), (field, &y), (field, &field.one())])?]
            }
            Form::Pairing => {
                let pairing = self.field.get::<Pairing>().context("a pairing")?;
                let affine = |curve: &Curve, point: &BigUint| {
                    let (x, y) = curve.unpacked(point).context("no neutral element")?;
                    self.held(&[(curve.field(), &x), (curve.field(), &y)])
                };
                vec![affine(&pairing.first, &case.first)?, affine(&pairing.second, &case.second)?]
            }
        })
    }

    /// What the result of a library's function is called, if it is right.
    ///
    /// # Errors
    /// It is not what the reference gives.
    pub fn judged(&self, case: &Case, out: &Buffer) -> Result<&'static str> {
        let right = match self.subject.form {
            Form::Secret | Form::Clamped | Form::ClampedKey | Form::Key => out.bytes() == self.expected(case)?,
            Form::Jacobian => {
                let curve = self.curve()?;
                let all = self.plain(out, curve.field())?;
                let [x, y, z] = &all[..] else { return Err(anyhow!("three coordinates")) };
                let over = curve.field();
                let multiply = |a: &BigUint, b: &BigUint| {
                    Operation::MUL.meaning(&**over, &[a.clone(), b.clone()]).context("a product")
                };
                let inverse = over.inverse(z).context("an inverse")?;
                let square = multiply(&inverse, &inverse)?;
                let point = (multiply(x, &square)?, multiply(y, &multiply(&square, &inverse)?)?);
                curve.packed(&Some(point)) == case.answer
            }
            Form::Pairing => {
                let pairing = self.field.get::<Pairing>().context("a pairing")?;
                let ground = evariste_algorithms::kinds::ground(&self.field);
                let value = pairing.target.packed(&self.plain(out, &ground)?);
                let power = pairing.target.power(&case.answer, &pairing.multiple).context("a power")?;
                if value == power {
                    return Ok("multiple");
                }
                ensure!(value == case.answer, "another power of the pairing, or none");
                return Ok("exact");
            }
        };
        ensure!(right, "wrong for {:#x} and {:#x}", case.first, case.second);
        Ok("constant time")
    }

    /// The bytes of the answer.
    pub fn expected(&self, case: &Case) -> Result<Vec<u8>> {
        Ok(match self.subject.form {
            Form::Clamped | Form::ClampedKey => lowest_first(&case.answer, 32).bytes().to_vec(),
            Form::Key => self.uncompressed(&case.answer, self.bytes()?.0)?,
            _ => {
                let (x, _) = self.curve()?.unpacked(&case.answer).context("no neutral element")?;
                highest_first(&x, self.bytes()?.0).bytes().to_vec()
            }
        })
    }

    /// `04 x y`.
    fn uncompressed(&self, point: &BigUint, each: usize) -> Result<Vec<u8>> {
        let (x, y) = self.curve()?.unpacked(point).context("no neutral element")?;
        Ok([&[4][..], highest_first(&x, each).bytes(), highest_first(&y, each).bytes()].concat())
    }

    /// Elements in words in Montgomery form.
    fn held(&self, elements: &[(&Field, &BigUint)]) -> Result<Buffer> {
        let (p, n) = (self.prime()?, self.words()?);
        let each = elements.iter().flat_map(|(field, x)| match field.get::<Tower>() {
            Some(tower) => tower.unpacked(x),
            None => vec![(*x).clone()],
        });
        let words = each.flat_map(|x| {
            let mut words = ((x << (64 * n)) % &p).to_u64_digits();
            words.resize(n, 0);
            words
        });
        Ok(Buffer::from_u64(&words.collect::<Vec<_>>()))
    }

    /// The elements of a field in words in Montgomery form.
    fn plain(&self, words: &Buffer, field: &Field) -> Result<Vec<BigUint>> {
        let (p, n) = (self.prime()?, self.words()?);
        let factor = (BigUint::from(1u32) << (64 * n)).modinv(&p).context("an odd prime")?;
        let number = |words: &[u64]| words.iter().rev().fold(BigUint::ZERO, |x, word| x << 64 | BigUint::from(*word));
        let all = words.to_u64();
        ensure!(all.chunks(n).all(|words| number(words) < p), "a coordinate is not below p");
        let all: Vec<BigUint> = all.chunks(n).map(|words| number(words) * &factor % &p).collect();
        Ok(match field.get::<Tower>() {
            Some(tower) => all.chunks(tower.degree()).map(|x| tower.packed(x)).collect(),
            None => all,
        })
    }
}

/// Coordinates over the prime field of an element.
fn degree(field: &Field) -> usize {
    field.get::<Tower>().map_or(1, Tower::degree)
}

/// So many bytes of a number, highest first.
fn highest_first(x: &BigUint, count: usize) -> Buffer {
    let mut bytes = x.to_bytes_le();
    bytes.resize(count, 0);
    bytes.reverse();
    Buffer::from_bytes(&bytes)
}

/// So many bytes of a number, lowest first.
fn lowest_first(x: &BigUint, count: usize) -> Buffer {
    let mut bytes = x.to_bytes_le();
    bytes.resize(count, 0);
    Buffer::from_bytes(&bytes)
}
