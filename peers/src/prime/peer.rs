//! Peers: the packages that make them, loaded, and their functions found by name and checked.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use evariste_algorithms::Operation;
use evariste_descriptions::Modulus;
use evariste_run::{Argument, Buffer, Library, NativeFunction, RunError, Workload};
use evariste_tune::operands::{Stream, edges};
use num_bigint::{BigInt, BigUint};

use crate::packages::built;
use crate::prime::form::{FORMS, Form};
use crate::prime::kernels::Kernel;
use crate::vectors;

/// A peer: its id and the packages that make it, the best first; the next ones are tried where one cannot be built.
pub struct Peer {
    /// The id in the table.
    pub id: &'static str,
    /// Packages in `prime/`.
    pub packages: &'static [&'static str],
}

/// All peers.
pub const PEERS: [Peer; 14] = [
    Peer { id: "blst", packages: &["blst"] },
    Peer { id: "ark-ff", packages: &["ark-ff"] },
    Peer { id: "ark-ff-asm", packages: &["ark-ff-asm"] },
    Peer { id: "fiat-crypto", packages: &["fiat-crypto"] },
    Peer { id: "crypto-bigint", packages: &["crypto-bigint"] },
    Peer { id: "halo2curves", packages: &["halo2curves"] },
    Peer { id: "halo2curves-asm", packages: &["halo2curves-asm"] },
    Peer { id: "dalek-u64", packages: &["dalek-u64"] },
    Peer { id: "libsecp256k1", packages: &["libsecp256k1"] },
    Peer { id: "mcl", packages: &["mcl"] },
    Peer { id: "openssl", packages: &["openssl"] },
    Peer { id: "s2n-bignum", packages: &["s2n-bignum"] },
    Peer { id: "gmp", packages: &["gmp", "gmp-system"] },
    // What the distribution ships, which is not GMP at its best.
    Peer { id: "gmp-system", packages: &["gmp-system"] },
];

/// Those with towers of extensions.
pub const OF_TOWERS: [Peer; 5] = [
    Peer { id: "blst", packages: &["blst"] },
    Peer { id: "mcl", packages: &["mcl"] },
    Peer { id: "mcl", packages: &["mcl-bn254"] },
    Peer { id: "ark-ec", packages: &["ark-ec"] },
    Peer { id: "gnark-crypto", packages: &["gnark-vector"] },
];

/// Endings of a function's name: whether it changes its first operand, and how often it computes its result. Where the
/// way into a library is long, it does that many times: its throughput can be told then, not its latency.
const ENDINGS: [(&str, bool, usize); 3] = [("", false, 1), ("_in_place", true, 1), ("_repeated", false, 256)];

/// A peer that has been built.
pub struct Loaded {
    /// The id in the table.
    pub id: &'static str,
    /// Its version.
    pub version: String,
    library: Library,
}

/// A function `(o, a, b)` of a peer on elements of whole words, checked, for loops over arrays.
pub struct Loop {
    function: unsafe extern "C" fn(*mut u64, *const u64, *const u64),
    words: usize,
    /// Keeps the library.
    _home: NativeFunction,
}

/// A function of a peer, checked, with operands to be timed on.
pub struct PeerFunction {
    /// How its operands lie in words.
    pub form: Form,
    /// How often a call computes its result.
    pub repeats: usize,
    /// What it is timed on.
    pub workload: Workload,
}

impl Peer {
    /// Loads the peer. An error says why none of its packages can be.
    pub fn load(&self) -> Result<Loaded> {
        let mut why = Vec::new();
        for package in self.packages {
            match built::library(package).and_then(|(path, version)| Ok((opened(&path)?, version))) {
                Ok(((library, _), version)) => {
                    if let Some(first) = why.first() {
                        eprintln!("{}: {package} in place of its source: {first}", self.id);
                    }
                    return Ok(Loaded { id: self.id, version, library });
                }
                Err(error) => why.push(format!("{error:#}")),
            }
        }
        bail!("{}", why.join("; "))
    }
}

/// Loads the library of a package, and asks it for its version: libraries that begin by choosing or writing code for
/// this processor do so then.
pub(crate) fn opened(path: &Path) -> Result<(Library, Option<String>)> {
    // SAFETY: a peer's constructors are what its language puts into any library.
    let library = unsafe { Library::open(path) }?;
    let version = own_version(&library);
    Ok((library, version))
}

/// What the library says of itself, where it does.
fn own_version(library: &Library) -> Option<String> {
    let mut text = [Buffer::zeroed(64)];
    // SAFETY: each of our wrappers that has this function writes at most 64 bytes.
    unsafe { library.function("peer_version", &[Argument::output(64)]) }.ok()?.call(&mut text).ok()?;
    let bytes = text[0].bytes().split(|byte| *byte == 0).next()?;
    Some(String::from_utf8_lossy(bytes).into_owned())
}

/// Sets of operands that a function is timed on.
const OPERAND_SETS: usize = 8;

/// Sets of operands that a function is checked on.
const CHECKS: usize = 200;

impl Loaded {
    /// A library, before there is a record of it.
    pub fn new(id: &'static str, library: Library) -> Self {
        Loaded { id, version: String::new(), library }
    }

    /// All functions for a kernel, each checked against the reference: an error names one that answers wrongly.
    pub fn functions(&self, kernel: &Kernel) -> Result<Vec<PeerFunction>> {
        let mut functions = Vec::new();
        for form in FORMS.into_iter().filter(|form| form.applies(&kernel.field)) {
            for ending in ENDINGS {
                functions.extend(self.function(kernel, form, ending)?);
            }
        }
        Ok(functions)
    }

    /// The function of two operands for a form, checked, to be called in loops; `None` when the peer has none.
    pub fn looped(&self, kernel: &Kernel, form: Form) -> Result<Option<Loop>> {
        let Some(found) = self.function(kernel, form, ENDINGS[0])? else { return Ok(None) };
        let home = found.workload.function;
        let address = home.address().context("a function without an address")?;
        // SAFETY: a C function of three pointers, to arrays of so many words, as the form says.
        let function = unsafe {
            std::mem::transmute::<*const (), unsafe extern "C" fn(*mut u64, *const u64, *const u64)>(address)
        };
        Ok(Some(Loop { function, words: form.words(&kernel.field), _home: home }))
    }

    /// The function for a form, `None` when the peer has none.
    fn function(
        &self,
        kernel: &Kernel,
        form: Form,
        (suffix, in_place, repeats): (&str, bool, usize),
    ) -> Result<Option<PeerFunction>> {
        let square = kernel.operation == Operation::SQUARE;
        let symbol = symbol(kernel, form, suffix);
        let (words, result) = (form.words(&kernel.field), form.result_words(&kernel.field));
        let mut arguments = if in_place {
            vec![Argument::in_out(8 * result)]
        } else {
            vec![Argument::output(8 * result), Argument::input(8 * words)]
        };
        if !square {
            arguments.push(Argument::input(8 * words));
        }
        // SAFETY: our wrappers of that name take arrays of so many words, as the form says.
        let function = match unsafe { self.library.function(&symbol, &arguments) } {
            Ok(function) => function,
            Err(RunError::SymbolMissing { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        check(&function, kernel, form, in_place).with_context(|| format!("{} {}: {symbol}", self.id, self.version))?;
        let mut stream = Stream::new(1);
        let maximum = BigInt::from(form.maximum(&kernel.field));
        let read = if square { 1 } else { 2 };
        let mut operand = || Buffer::from_u64(&form.encode(&kernel.field, stream.number(&maximum).magnitude()));
        let operands = (0..OPERAND_SETS).map(|_| (0..read).map(|_| operand()).collect()).collect();
        Ok(Some(PeerFunction { form, repeats, workload: Workload { function, operands, chain: 0 } }))
    }
}

/// A function's name.
fn symbol(kernel: &Kernel, form: Form, ending: &str) -> String {
    format!("peer_{}_{}_{}{ending}", kernel.name.replace('-', "_"), kernel.verb(), form.name())
}

impl Loop {
    /// `out = f(a, b)`, element by element, of slices of one length.
    #[inline]
    pub fn run(&self, out: &mut [u64], a: &[u64], b: &[u64]) {
        assert!(a.len() == out.len() && b.len() == out.len() && out.len().is_multiple_of(self.words));
        let len = out.len();
        let (out, a, b) = (out.as_mut_ptr(), a.as_ptr(), b.as_ptr());
        for at in (0..len).step_by(self.words) {
            // SAFETY: so many words from there on in each slice, of which the first is nobody else's.
            unsafe { (self.function)(out.add(at), a.add(at), b.add(at)) };
        }
    }
}

/// Calls the function on edges, random operands and the shared vectors; fails when one result is not what the reference
/// gives.
fn check(function: &NativeFunction, kernel: &Kernel, form: Form, in_place: bool) -> Result<()> {
    let square = kernel.operation == Operation::SQUARE;
    let result = form.result_words(&kernel.field);
    let maximum = BigInt::from(form.maximum(&kernel.field));
    let edges: Vec<BigUint> = edges(&maximum, 64).into_iter().map(|x| x.magnitude().clone()).collect();
    let mut stream = Stream::new(2);
    let mut pairs: Vec<(BigUint, BigUint)> =
        edges.iter().flat_map(|a| edges.iter().map(move |b| (a.clone(), b.clone()))).collect();
    pairs.extend(
        (0..CHECKS).map(|_| (stream.number(&maximum).magnitude().clone(), stream.number(&maximum).magnitude().clone())),
    );
    pairs.extend(shared(kernel, form)?);
    for (a, b) in pairs {
        let read = |x: &BigUint| Buffer::from_u64(&form.encode(&kernel.field, x));
        let mut buffers = if in_place { vec![read(&a)] } else { vec![Buffer::zeroed(8 * result), read(&a)] };
        if !square {
            buffers.push(read(&b));
        }
        function.call(&mut buffers)?;
        let given = buffers[0].to_u64();
        if !form.is_right(&kernel.field, &kernel.operation, &a, &b, &given) {
            bail!("wrong for {a:#x} and {b:#x}: {given:x?}");
        }
    }
    Ok(())
}

/// The operands of the shared vectors as this form has them; fails where the reference does not give the vectors'
/// products.
fn shared(kernel: &Kernel, form: Form) -> Result<Vec<(BigUint, BigUint)>> {
    let Some(modulus) = kernel.field.get::<Modulus>() else { return Ok(Vec::new()) };
    let held = |x: &BigUint| (x << form.factor(modulus.bits)) % &modulus.value;
    let cases = vectors::products(&modulus.value)?;
    for [a, b, product] in &cases {
        let words = form.encode(&kernel.field, &held(product));
        let right = form.is_right(&kernel.field, &Operation::MUL, &held(a), &held(b), &words);
        ensure!(right, "the reference contradicts the shared vectors at {a:#x} and {b:#x}");
    }
    Ok(cases.iter().map(|[a, b, _]| (held(a), held(b))).collect())
}
