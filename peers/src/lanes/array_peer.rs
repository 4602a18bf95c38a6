//! Peers that work on arrays: what they have, loaded and checked.

use anyhow::{Result, bail, ensure};
use evariste_descriptions::{BinaryField, Modulus};
use evariste_run::{Argument, Buffer, Library, Workload};
use evariste_tune::operands::{Stream, edges};
use num_bigint::{BigInt, BigUint};

use crate::lanes::arrangement::Arrangement;
use crate::packages::{built, processor};
use crate::prime::kernels::Kernel;
use crate::prime::peer::opened;
use crate::vectors;

/// A product of arrays.
pub struct ArrayFunction {
    /// The kernel that it is: `babybear.mul`.
    kernel: &'static str,
    /// Its name in the library.
    symbol: &'static str,
    /// Elements of an array.
    elements: usize,
    /// How often one call computes all products.
    repeats: usize,
    /// How they lie.
    arrangement: Arrangement,
    /// The places of digits.
    radix: Radix,
    /// `x·2^k mod p` stands for x.
    montgomery: u32,
    /// What its results promise.
    contract: &'static str,
}

/// The places of digits: digit i counts 2^⌈i·halves/2⌉.
#[derive(Clone, Copy)]
struct Radix {
    halves: u32,
}

impl Radix {
    /// Digits of as many bits.
    const fn whole(bits: u32) -> Self {
        Radix { halves: 2 * bits }
    }

    /// The bit where digit `i` begins.
    const fn place(self, i: u32) -> u32 {
        (i * self.halves).div_ceil(2)
    }

    /// Digits of a number of so many bits.
    const fn digits(self, bits: u32) -> u32 {
        (2 * bits).div_ceil(self.halves)
    }
}

/// A peer that works on arrays.
pub struct ArrayPeer {
    /// The id in the table.
    pub id: &'static str,
    /// The package.
    pub package: &'static str,
    /// What its functions take of the processor, beside what all of the package takes.
    pub features: &'static [&'static str],
    functions: &'static [ArrayFunction],
}

/// Elements behind each other.
const fn dense(word_bytes: usize) -> Arrangement {
    Arrangement { count: 1, word_bytes, run: 1 }
}

/// Four elements of words of 64 bits side by side.
const BY_FOUR: Arrangement = Arrangement { count: 4, word_bytes: 8, run: 1 };

/// Four elements of words of 32 bits, two words of each in a vector.
const BY_FOUR_PAIRS: Arrangement = Arrangement { count: 4, word_bytes: 4, run: 2 };

/// The contract of products of polynomials that are not reduced.
const PRODUCT: &str = "product";

/// Canonical numbers in words of 64 bits behind each other, each product once: what the others say only differences of.
const PLAIN: ArrayFunction = ArrayFunction {
    kernel: "",
    symbol: "",
    elements: 0,
    repeats: 1,
    arrangement: dense(8),
    radix: Radix::whole(64),
    montgomery: 0,
    contract: "canonical",
};

/// One of the functions of the peers in `binary/`, on arrays of 64 elements.
const fn binary(kernel: &'static str, symbol: &'static str, contract: &'static str, repeats: usize) -> ArrayFunction {
    ArrayFunction { kernel, symbol, elements: 64, repeats, contract, ..PLAIN }
}

/// Those of a peer.
const fn binary_fields(contract: &'static str, repeats: usize) -> [ArrayFunction; 4] {
    [
        binary("gf2^131.mul", "peer_gf2_131_mul_array", contract, repeats),
        binary("gf2^163.mul", "peer_gf2_163_mul_array", contract, repeats),
        binary("gf2^233.mul", "peer_gf2_233_mul_array", contract, repeats),
        binary("gf2^283.mul", "peer_gf2_283_mul_array", contract, repeats),
    ]
}

/// How often a Go function computes its products in one call, beside which the way into Go and back (some 100 ns) is
/// little.
const GO_REPEATS: usize = 64;

/// All of them. Arrays are as long as three of them, twice, fit the first-level cache.
pub const ARRAY_PEERS: [ArrayPeer; 8] = [
    ArrayPeer {
        id: "plonky3",
        package: "plonky3",
        features: &[],
        functions: &[
            ArrayFunction {
                kernel: "babybear.mul",
                symbol: "peer_babybear_mul_array",
                elements: 512,
                arrangement: dense(4),
                radix: Radix::whole(32),
                montgomery: 32,
                contract: "montgomery-canonical",
                ..PLAIN
            },
            ArrayFunction {
                kernel: "goldilocks.mul",
                symbol: "peer_goldilocks_mul_array",
                elements: 256,
                contract: "redundant",
                ..PLAIN
            },
            ArrayFunction {
                kernel: "koalabear.mul",
                symbol: "peer_koalabear_mul_array",
                elements: 512,
                arrangement: dense(4),
                radix: Radix::whole(32),
                montgomery: 32,
                contract: "montgomery-canonical",
                ..PLAIN
            },
            ArrayFunction {
                kernel: "mersenne31.mul",
                symbol: "peer_mersenne31_mul_array",
                elements: 512,
                arrangement: dense(4),
                radix: Radix::whole(32),
                contract: "redundant",
                ..PLAIN
            },
        ],
    },
    ArrayPeer {
        id: "dalek-ifma",
        package: "dalek-vector",
        features: &["avx512ifma", "avx512vl"],
        functions: &[ArrayFunction {
            kernel: "25519.mul",
            symbol: "peer_25519_mul_reduced",
            elements: 64,
            arrangement: BY_FOUR,
            radix: Radix::whole(51),
            contract: "redundant",
            ..PLAIN
        }],
    },
    ArrayPeer {
        id: "dalek-ifma-unreduced",
        package: "dalek-vector",
        features: &["avx512ifma", "avx512vl"],
        functions: &[ArrayFunction {
            kernel: "25519.mul",
            symbol: "peer_25519_mul_unreduced",
            elements: 64,
            arrangement: BY_FOUR,
            radix: Radix::whole(51),
            contract: "redundant",
            ..PLAIN
        }],
    },
    ArrayPeer {
        id: "dalek-avx2",
        package: "dalek-vector",
        features: &[],
        functions: &[ArrayFunction {
            kernel: "25519.mul",
            symbol: "peer_25519_mul_avx2",
            elements: 64,
            arrangement: BY_FOUR_PAIRS,
            radix: Radix { halves: 51 },
            contract: "redundant",
            ..PLAIN
        }],
    },
    ArrayPeer {
        id: "gnark-vector",
        package: "gnark-vector",
        features: &[],
        functions: &[
            ArrayFunction {
                kernel: "bls12-381-fr.mul",
                symbol: "peer_bls12_381_fr_mul_array",
                elements: 128,
                repeats: GO_REPEATS,
                montgomery: 256,
                contract: "montgomery-canonical",
                ..PLAIN
            },
            ArrayFunction {
                kernel: "babybear.mul",
                symbol: "peer_babybear_mul_array",
                elements: 512,
                repeats: GO_REPEATS,
                arrangement: dense(4),
                radix: Radix::whole(32),
                montgomery: 32,
                contract: "montgomery-canonical",
            },
            ArrayFunction {
                kernel: "goldilocks.mul",
                symbol: "peer_goldilocks_mul_array",
                elements: 256,
                repeats: GO_REPEATS,
                montgomery: 64,
                contract: "montgomery-canonical",
                ..PLAIN
            },
        ],
    },
    ArrayPeer { id: "gf2x", package: "gf2x", features: &[], functions: &binary_fields(PRODUCT, 1) },
    ArrayPeer { id: "ntl", package: "ntl", features: &[], functions: &binary_fields("canonical", 64) },
    ArrayPeer { id: "openssl", package: "openssl-gf2m", features: &[], functions: &binary_fields("canonical", 64) },
];

/// A function of ours on ordinary words, 128 elements.
const fn words(kernel: &'static str, symbol: &'static str, montgomery: u32) -> ArrayFunction {
    ArrayFunction {
        kernel,
        symbol,
        elements: 128,
        montgomery,
        contract: if montgomery > 0 { "montgomery-canonical" } else { "canonical" },
        ..PLAIN
    }
}

/// Ours, packing included: arrays of canonical numbers in ordinary words, plain and in the Montgomery form of such
/// words.
pub const OURS_WITH_PACKING: [ArrayPeer; 2] = [
    ArrayPeer {
        id: "mul_words",
        package: "evariste-words",
        features: &[],
        functions: &[
            words("bls12-381-fr.mul", "peer_bls12_381_fr_mul_words", 0),
            words("bls12-381-fp.mul", "peer_bls12_381_fp_mul_words", 0),
            words("25519.mul", "peer_25519_mul_words", 0),
            words("secp256k1.mul", "peer_secp256k1_mul_words", 0),
        ],
    },
    ArrayPeer {
        id: "mul_montgomery_words",
        package: "evariste-words",
        features: &[],
        functions: &[
            words("bls12-381-fr.mul", "peer_bls12_381_fr_mul_montgomery_words", 256),
            words("bls12-381-fp.mul", "peer_bls12_381_fp_mul_montgomery_words", 384),
            words("p256.mul", "peer_p256_mul_montgomery_words", 256),
        ],
    },
];

/// A peer that has been built.
pub struct LoadedArrays {
    /// The id in the table.
    pub id: &'static str,
    /// Its version.
    pub version: String,
    library: Library,
    functions: &'static [ArrayFunction],
}

/// A function that has been checked.
pub struct Timed {
    /// What its results promise.
    pub contract: &'static str,
    /// Do its elements lie one behind the other?
    pub dense: bool,
    /// Products of a call.
    pub products: usize,
    /// What it is timed on.
    pub workload: Workload,
}

impl ArrayPeer {
    /// Has it a function for one of these kernels?
    pub fn has_one_of(&self, kernels: &[Kernel]) -> bool {
        self.functions.iter().any(|function| kernels.iter().any(|kernel| kernel.id() == function.kernel))
    }

    /// Loads the peer.
    pub fn load(&self) -> Result<LoadedArrays> {
        let lacking = processor::lacking(self.features.iter().copied());
        if !lacking.is_empty() {
            bail!("this processor lacks {}", lacking.join(", "));
        }
        let (path, version) = built::library(self.package)?;
        Ok(LoadedArrays::new(self, opened(&path)?.0, version))
    }
}

impl LoadedArrays {
    /// A library, before there is a record of it.
    pub fn new(peer: &ArrayPeer, library: Library, version: String) -> Self {
        LoadedArrays { id: peer.id, version, library, functions: peer.functions }
    }

    /// The function for a kernel, checked against the reference; `None` when the peer has none.
    pub fn function(&self, kernel: &Kernel) -> Result<Option<Timed>> {
        let Some(function) = self.functions.iter().find(|function| function.kernel == kernel.id()) else {
            return Ok(None);
        };
        let words = function.radix.digits(kernel.field.bits()) as usize;
        let bytes = function.elements * words * function.arrangement.word_bytes;
        let result_words = if function.contract == PRODUCT { 2 * words } else { words };
        let result_bytes = bytes / words * result_words;
        let arguments = [Argument::output(result_bytes), Argument::input(bytes), Argument::input(bytes)];
        // SAFETY: our wrappers take arrays of so many elements, as the table of functions says.
        let native = unsafe { self.library.function(function.symbol, &arguments) }?;
        if kernel.field.get::<Modulus>().is_none() && kernel.field.get::<BinaryField>().is_none() {
            return Ok(None);
        }
        let maximum = BigInt::from(kernel.field.order() - 1u8);
        let mut stream = Stream::new(1);
        let mut random = || stream.number(&maximum).magnitude().clone();
        let edges: Vec<BigUint> = edges(&maximum, 64).into_iter().map(|x| x.magnitude().clone()).collect();
        let mut pairs: Vec<(BigUint, BigUint)> =
            edges.iter().flat_map(|a| edges.iter().map(move |b| (a.clone(), b.clone()))).collect();
        pairs.extend(shared(kernel, function)?);
        // Whole arrays, two of them random.
        let whole = pairs.len().next_multiple_of(function.elements) + 2 * function.elements;
        pairs.resize_with(whole, || (random(), random()));
        let pack = |numbers: Vec<&BigUint>| {
            function
                .arrangement
                .pack(&numbers.into_iter().map(|x| digits(x, function.radix, words)).collect::<Vec<_>>(), words)
        };
        let operands: Vec<Vec<Buffer>> = pairs
            .chunks(function.elements)
            .map(|block| {
                vec![pack(block.iter().map(|(a, _)| a).collect()), pack(block.iter().map(|(_, b)| b).collect())]
            })
            .collect();
        for (block, read) in pairs.chunks(function.elements).zip(&operands) {
            let mut buffers = vec![Buffer::zeroed(result_bytes), read[0].clone(), read[1].clone()];
            native.call(&mut buffers)?;
            for ((a, b), result) in
                block.iter().zip(function.arrangement.unpack(&buffers[0], function.elements, result_words))
            {
                if !function.is_right(kernel, a, b, &result) {
                    bail!(
                        "{} {}: {}: wrong for {a:#x} and {b:#x}: {result:x?}",
                        self.id,
                        self.version,
                        function.symbol
                    );
                }
            }
        }
        // The random arrays.
        let operands = operands[operands.len() - 2..].to_vec();
        Ok(Some(Timed {
            contract: function.contract,
            dense: function.arrangement.count == 1,
            products: function.elements * function.repeats,
            workload: Workload { function: native, operands, chain: 0 },
        }))
    }
}

/// The operands of the shared vectors as the function has them; fails where big integers do not give the vectors'
/// products.
fn shared(kernel: &Kernel, function: &ArrayFunction) -> Result<Vec<(BigUint, BigUint)>> {
    let Some(modulus) = kernel.field.get::<Modulus>() else { return Ok(Vec::new()) };
    let cases = vectors::products(&modulus.value)?;
    for [a, b, product] in &cases {
        ensure!(a * b % &modulus.value == *product, "big integers contradict the shared vectors at {a:#x} and {b:#x}");
    }
    let held = |x: &BigUint| (x << function.montgomery) % &modulus.value;
    Ok(cases.iter().map(|[a, b, _]| (held(a), held(b))).collect())
}

impl ArrayFunction {
    /// Is this what the function promises for numbers that lie in the words?
    fn is_right(&self, kernel: &Kernel, a: &BigUint, b: &BigUint, result: &[u64]) -> bool {
        let place = |i: usize| self.radix.place(i as u32);
        let given: BigUint = result.iter().enumerate().map(|(i, word)| BigUint::from(*word) << place(i)).sum();
        match (kernel.field.get::<Modulus>(), kernel.field.get::<BinaryField>()) {
            (Some(m), _) => {
                let canonical = !self.contract.ends_with("canonical") || given < m.value;
                canonical && (&given << self.montgomery) % &m.value == a * b % &m.value
            }
            (_, Some(_)) if self.contract == PRODUCT => given == carryless(a, b),
            (_, Some(f)) => given == f.multiply(a, b),
            _ => false,
        }
    }
}

/// The product of two polynomials over GF(2).
fn carryless(a: &BigUint, b: &BigUint) -> BigUint {
    (0..b.bits()).filter(|i| b.bit(*i)).fold(BigUint::default(), |sum, i| sum ^ (a << i))
}

/// The digits of a number.
fn digits(x: &BigUint, radix: Radix, words: usize) -> Vec<u64> {
    let digit = |i: u32| (x >> radix.place(i)) % (BigUint::from(1u8) << (radix.place(i + 1) - radix.place(i)));
    (0..words as u32).map(|i| digit(i).iter_u64_digits().next().unwrap_or(0)).collect()
}
