//! The packages that peers are built from, each into a library of its own: what a package needs from the system and of
//! the processor, how it is built, and the record of what was built.

pub mod build;
pub mod built;
pub mod processor;

use crate::setup::needs::{APT, CC, CMAKE, CXX, GMP, GO, M4, MAKE, PERL, SSL, Tool};

/// What builds a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builder {
    /// Cargo: the package `evariste-peer-NAME`.
    Cargo,
    /// Cargo, after a library of Debian's source package of that name was built for it.
    Debian(&'static str),
    /// Go: the folder NAME.
    Go,
}

/// A package.
#[derive(Debug)]
pub struct Package {
    /// Its name.
    pub name: &'static str,
    /// What builds it.
    pub builder: Builder,
    /// The crate or module whose version is the peer's; where it is empty, the library tells its own.
    pub of: &'static str,
    /// What the code is, for the table.
    pub code: &'static str,
    /// What it needs from the system, beside Rust.
    pub tools: &'static [&'static Tool],
    /// What all of its code takes of the processor.
    pub features: &'static [&'static str],
}

/// A package of Rust alone: what the others say only differences of.
const fn rust(name: &'static str, of: &'static str) -> Package {
    Package { name, builder: Builder::Cargo, of, code: "Rust", tools: &[&CC], features: &[] }
}

/// What assembly with two chains of carries takes.
const ADX: &[&str] = &["adx", "bmi2"];

/// All packages, in the order in which they are built: what takes seconds first.
pub const PACKAGES: [Package; 26] = [
    Package { code: "assembly", ..rust("blst", "blst") },
    rust("fiat-crypto", "fiat-crypto"),
    rust("crypto-bigint", "crypto-bigint"),
    rust("dalek-u64", "curve25519-dalek"),
    Package { features: &["avx2"], code: "Rust, vectors", ..rust("dalek-vector", "curve25519-dalek") },
    Package { code: "C", ..rust("libsecp256k1", "secp256k1-sys") },
    Package { code: "assembly", features: ADX, ..rust("s2n-bignum", "aws-lc-sys") },
    rust("ark-ff", "ark-ff"),
    Package { code: "Rust, assembly", features: ADX, ..rust("ark-ff-asm", "ark-ff") },
    rust("halo2curves", "halo2curves"),
    Package { code: "Rust, assembly", features: ADX, ..rust("halo2curves-asm", "halo2curves") },
    Package { code: "Rust, vectors", ..rust("plonky3", "p3-baby-bear") },
    Package { code: "assembly", tools: &[&CC, &MAKE, &PERL], ..rust("openssl", "openssl-src") },
    Package { code: "the system's", tools: &[&CC, &SSL], ..rust("openssl-gf2m", "") },
    Package { code: "the system's", tools: &[&CC, &SSL], ..rust("openssl-ec", "") },
    rust("dalek", "curve25519-dalek"),
    rust("p256", "p256"),
    Package { code: "Rust, assembly", features: ADX, ..rust("ark-ec", "ark-ec") },
    Package { code: "the system's", tools: &[&CC, &GMP], ..rust("gmp-system", "") },
    Package { code: "assembly", tools: &[&CC, &MAKE, &M4], ..rust("gmp", "gmp-mpfr-sys") },
    Package { code: "machine code at start", tools: &[&CC, &CXX, &CMAKE, &MAKE], ..rust("mcl", "mcl_rust") },
    Package { code: "machine code at start", tools: &[&CC, &CXX, &CMAKE, &MAKE], ..rust("mcl-bn254", "mcl_rust") },
    Package {
        builder: Builder::Go,
        code: "Go, assembly",
        tools: &[&CC, &GO],
        ..rust("gnark-vector", "github.com/consensys/gnark-crypto")
    },
    Package {
        builder: Builder::Debian("gf2x"),
        code: "C",
        tools: &[&CC, &MAKE, &APT],
        features: &["pclmulqdq"],
        ..rust("gf2x", "")
    },
    Package {
        builder: Builder::Debian("ntl"),
        code: "C++",
        tools: &[&CC, &CXX, &MAKE, &PERL, &GMP, &APT],
        features: &["pclmulqdq"],
        ..rust("ntl", "")
    },
    Package { code: "ours, with packing", ..rust("evariste-words", "evariste-array") },
];
