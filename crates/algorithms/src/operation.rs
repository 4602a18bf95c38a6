//! What a kernel computes. Names are those of fiat-crypto's function set, the same in every language.

use num_bigint::BigUint;

/// An operation of a field (or of plain integers).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// `a·b`.
    Mul,
    /// `a²`.
    Square,
    /// `a + b`.
    Add,
    /// `a − b`.
    Sub,
    /// `−a`.
    Opp,
    /// `b` when the flag is 1, else `a`.
    Selectznz,
    /// Into Montgomery form.
    ToMontgomery,
    /// Out of Montgomery form.
    FromMontgomery,
    /// The canonical value, below p.
    Canonical,
    /// Bytes of the canonical value.
    ToBytes {
        /// Highest byte first?
        big_endian: bool,
    },
    /// From the bytes of a canonical value.
    FromBytes {
        /// Highest byte first?
        big_endian: bool,
    },
    /// The element at rest, in Montgomery form where the layout has it, from the saturated words of a canonical value
    /// (lanes).
    FromWords,
    /// The saturated words of the canonical value of an element at rest (lanes).
    ToWords,
    /// `a·b` of canonical values, all in saturated words (lanes).
    MulWords,
    /// `a·b` of canonical values in the Montgomery form of saturated words (factor `2^(w·n)`), all in such words
    /// (lanes).
    MulMontgomeryWords,
    /// 1 when a number in saturated words is not below the modulus, else 0 (lanes).
    Exceeds,
    /// `a·b + c` (lanes).
    MulAdd,
    /// The columns of `s + a[0]·b[0] + … `, not reduced (lanes).
    Dot {
        /// Products.
        terms: u32,
    },
    /// The columns of `s + a[0] + …`, not reduced (lanes).
    Sum {
        /// Summands.
        terms: u32,
    },
    /// 1 when the (canonical) element is zero, else 0.
    IsZero,
    /// 1 when two (canonical) elements are equal, else 0.
    Equal,
    /// `1/a` (0 for 0), by a fixed power; prime moduli and binary fields.
    Inverse,
    /// The trace `a + a² + … + a^(2^(m−1))` in GF(2) (binary fields).
    Trace,
    /// The half-trace `a + a⁴ + … + a^(4^((m−1)/2))` (binary fields of odd degree).
    HalfTrace,
    /// A z with `z² + z = a`, where the trace of a is 0 (binary fields).
    SolveQuadratic,
    /// `a^e` for a public exponent.
    Power(BigUint),
    /// `a·x + b`; with a truncation, that modulo p and then modulo 2^k.
    Affine {
        /// Keep only that many low bits of the canonical value.
        low_bits: Option<u32>,
    },
    /// The same by a run-time constant a, of which a shifted multiple modulo p is given too (lanes).
    AffineConstant {
        /// Keep only that many low bits of the canonical value.
        low_bits: u32,
    },
}

impl Operation {
    /// The function's name in emitted code.
    pub fn name(&self) -> String {
        match self {
            Operation::Mul => "mul".into(),
            Operation::Square => "square".into(),
            Operation::Add => "add".into(),
            Operation::Sub => "sub".into(),
            Operation::Opp => "opp".into(),
            Operation::Selectznz => "selectznz".into(),
            Operation::ToMontgomery => "to_montgomery".into(),
            Operation::FromMontgomery => "from_montgomery".into(),
            Operation::Canonical => "canonical".into(),
            Operation::ToBytes { big_endian: false } => "to_bytes".into(),
            Operation::ToBytes { big_endian: true } => "to_bytes_be".into(),
            Operation::FromBytes { big_endian: false } => "from_bytes".into(),
            Operation::FromBytes { big_endian: true } => "from_bytes_be".into(),
            Operation::FromWords => "from_words".into(),
            Operation::ToWords => "to_words".into(),
            Operation::MulWords => "mul_words".into(),
            Operation::MulMontgomeryWords => "mul_montgomery_words".into(),
            Operation::Exceeds => "exceeds".into(),
            Operation::MulAdd => "mul_add".into(),
            Operation::Dot { terms } => format!("dot_{terms}"),
            Operation::Sum { terms } => format!("sum_{terms}"),
            Operation::IsZero => "is_zero".into(),
            Operation::Equal => "equal".into(),
            Operation::Inverse => "inv".into(),
            Operation::Trace => "trace".into(),
            Operation::HalfTrace => "half_trace".into(),
            Operation::SolveQuadratic => "solve_quadratic".into(),
            Operation::Power(e) => format!("pow_{e:x}"),
            Operation::Affine { low_bits: None } => "affine".into(),
            Operation::Affine { low_bits: Some(k) } => format!("affine_mod_2_{k}"),
            Operation::AffineConstant { low_bits } => format!("affine_constant_mod_2_{low_bits}"),
        }
    }

    /// The operations that no number is a part of, in the order of a header: products, additions, choice, forms, bytes,
    /// tests, inverse, affine maps.
    pub const WITHOUT_NUMBERS: [Operation; 26] = [
        Operation::Mul,
        Operation::Square,
        Operation::Add,
        Operation::Sub,
        Operation::Opp,
        Operation::Selectznz,
        Operation::ToMontgomery,
        Operation::FromMontgomery,
        Operation::Canonical,
        Operation::ToBytes { big_endian: false },
        Operation::ToBytes { big_endian: true },
        Operation::FromBytes { big_endian: false },
        Operation::FromBytes { big_endian: true },
        Operation::FromWords,
        Operation::ToWords,
        Operation::MulWords,
        Operation::MulMontgomeryWords,
        Operation::Exceeds,
        Operation::MulAdd,
        Operation::IsZero,
        Operation::Equal,
        Operation::Inverse,
        Operation::Trace,
        Operation::HalfTrace,
        Operation::SolveQuadratic,
        Operation::Affine { low_bits: None },
    ];

    /// The operation of that name (as [`Operation::name`] writes it).
    pub fn parse(name: &str) -> Option<Operation> {
        if let Some(op) = Self::WITHOUT_NUMBERS.into_iter().find(|op| op.name() == name) {
            return Some(op);
        }
        if let Some(e) = name.strip_prefix("pow_") {
            return BigUint::parse_bytes(e.as_bytes(), 16).map(Operation::Power);
        }
        if let Some(terms) = name.strip_prefix("dot_") {
            return terms.parse().ok().map(|terms| Operation::Dot { terms });
        }
        if let Some(terms) = name.strip_prefix("sum_") {
            return terms.parse().ok().map(|terms| Operation::Sum { terms });
        }
        if let Some(k) = name.strip_prefix("affine_constant_mod_2_") {
            return k.parse().ok().map(|low_bits| Operation::AffineConstant { low_bits });
        }
        let k = name.strip_prefix("affine_mod_2_")?.parse().ok()?;
        Some(Operation::Affine { low_bits: Some(k) })
    }
}
