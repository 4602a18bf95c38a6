//! Peers: built by cargo, each by itself so that none takes another's features, loaded, and their functions found by
//! name and checked.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};
use evariste_algorithms::Operation;
use evariste_run::{Argument, Buffer, Library, NativeFunction, RunError, Workload};
use evariste_tune::operands::{Stream, edges};
use num_bigint::{BigInt, BigUint};

use crate::prime::form::{FORMS, Form};
use crate::prime::kernels::Kernel;

/// A peer: its id and the packages that make it, the best first; the next ones are tried where one cannot be built.
pub struct Peer {
    /// The id in the table.
    pub id: &'static str,
    /// Packages in `prime/`, each with the crate whose version is the peer's.
    packages: &'static [(&'static str, &'static str)],
}

/// All peers.
pub const PEERS: [Peer; 13] = [
    Peer { id: "blst", packages: &[("blst", "blst")] },
    Peer { id: "ark-ff", packages: &[("ark-ff", "ark-ff")] },
    Peer { id: "ark-ff-asm", packages: &[("ark-ff-asm", "ark-ff")] },
    Peer { id: "fiat-crypto", packages: &[("fiat-crypto", "fiat-crypto")] },
    Peer { id: "crypto-bigint", packages: &[("crypto-bigint", "crypto-bigint")] },
    Peer { id: "halo2curves", packages: &[("halo2curves", "halo2curves")] },
    Peer { id: "halo2curves-asm", packages: &[("halo2curves-asm", "halo2curves")] },
    Peer { id: "dalek-u64", packages: &[("dalek-u64", "curve25519-dalek")] },
    Peer { id: "libsecp256k1", packages: &[("libsecp256k1", "secp256k1-sys")] },
    Peer { id: "mcl", packages: &[("mcl", "mcl_rust")] },
    Peer { id: "openssl", packages: &[("openssl", "")] },
    Peer { id: "gmp", packages: &[("gmp", "gmp-mpfr-sys"), ("gmp-system", "")] },
    // What the distribution ships, which is not GMP at its best.
    Peer { id: "gmp-system", packages: &[("gmp-system", "")] },
];

/// The compilers' flags: everything that this processor has.
const RUSTFLAGS: &str = "-C target-cpu=native";
const CFLAGS: &str = "-O3 -march=native";

/// The packages' versions.
const LOCK: &str = include_str!("../../Cargo.lock");

/// A peer that has been built.
pub struct Loaded {
    /// The id in the table.
    pub id: &'static str,
    /// Its version.
    pub version: String,
    library: Library,
}

/// A function of a peer, checked, with operands to be timed on.
pub struct PeerFunction {
    /// How its operands lie in words.
    pub form: Form,
    /// What it is timed on.
    pub workload: Workload,
}

impl Peer {
    /// Builds and loads the peer. An error says why none of its packages could be built.
    pub fn load(&self) -> Result<Loaded> {
        let mut why = Vec::new();
        for (package, of) in self.packages {
            // SAFETY: a peer's constructors are what its language puts into any library.
            match build(package).and_then(|path| Ok(unsafe { Library::open(&path) }?)) {
                Ok(library) => {
                    let version =
                        own_version(&library).or_else(|| locked_version(of)).unwrap_or_else(|| "unknown".into());
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

/// Builds one package with the profile `peer` and gives the library's path.
pub(crate) fn build(package: &str) -> Result<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = target_folder()?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let name = format!("evariste-peer-{package}");
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--profile", "peer", "--package", &name, "--target-dir"])
        .arg(&target)
        .current_dir(folder)
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env("RUSTFLAGS", RUSTFLAGS)
        .env("CFLAGS", CFLAGS)
        .output()
        .context("run cargo")?;
    if !built.status.success() {
        return Err(anyhow!("cannot be built: {}", reason(&String::from_utf8_lossy(&built.stderr))));
    }
    let file = format!("{}{}{}", std::env::consts::DLL_PREFIX, name.replace('-', "_"), std::env::consts::DLL_SUFFIX);
    Ok(target.join("peer").join(file))
}

/// Where peers are built.
pub(crate) fn target_folder() -> Result<PathBuf> {
    // The executable lies in TARGET/PROFILE.
    let own = std::env::current_exe()?;
    Ok(own.ancestors().nth(2).context("the executable lies in no target folder")?.join("prime"))
}

/// The line of a failed build that says most.
pub(crate) fn reason(output: &str) -> String {
    let lines = || output.lines().map(str::trim);
    let errors =
        || lines().filter(|line| line.to_lowercase().contains("error") && !line.contains("custom build command"));
    errors()
        .find(|line| line.contains("rror: "))
        .or_else(|| errors().next())
        .or_else(|| lines().next_back())
        .unwrap_or_default()
        .to_string()
}

/// What the library says of itself, where it does.
pub(crate) fn own_version(library: &Library) -> Option<String> {
    let mut text = [Buffer::zeroed(64)];
    // SAFETY: each of our wrappers that has this function writes at most 64 bytes.
    unsafe { library.function("peer_version", &[Argument::output(64)]) }.ok()?.call(&mut text).ok()?;
    let bytes = text[0].bytes().split(|byte| *byte == 0).next()?;
    Some(String::from_utf8_lossy(bytes).into_owned())
}

/// The version of a crate in the lock file.
pub(crate) fn locked_version(of: &str) -> Option<String> {
    let after = LOCK.split(&format!("name = \"{of}\"\nversion = \"")).nth(1)?;
    Some(after.split('"').next()?.to_string())
}

/// Sets of operands that a function is timed on.
const OPERAND_SETS: usize = 8;

/// Sets of operands that a function is checked on.
const CHECKS: usize = 200;

impl Loaded {
    /// All functions for a kernel, each checked against the reference: an error names one that answers wrongly.
    pub fn functions(&self, kernel: &Kernel) -> Result<Vec<PeerFunction>> {
        let mut functions = Vec::new();
        for form in FORMS.into_iter().filter(|form| form.applies(&kernel.field)) {
            for in_place in [false, true] {
                functions.extend(self.function(kernel, form, in_place)?);
            }
        }
        Ok(functions)
    }

    /// The function for a form, `None` when the peer has none.
    fn function(&self, kernel: &Kernel, form: Form, in_place: bool) -> Result<Option<PeerFunction>> {
        let square = kernel.operation == Operation::SQUARE;
        let suffix = if in_place { "_in_place" } else { "" };
        let symbol = format!(
            "peer_{}_{}_{}{suffix}",
            kernel.name.replace('-', "_"),
            if square { "sqr" } else { "mul" },
            form.name()
        );
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
        let mut operand = || Buffer::from_u64(&form.encode(stream.number(&maximum).magnitude(), words));
        let operands = (0..OPERAND_SETS).map(|_| (0..read).map(|_| operand()).collect()).collect();
        Ok(Some(PeerFunction { form, workload: Workload { function, operands, chain: 0 } }))
    }
}

/// Calls the function on edges and random operands; fails when one result is not what the reference gives.
fn check(function: &NativeFunction, kernel: &Kernel, form: Form, in_place: bool) -> Result<()> {
    let square = kernel.operation == Operation::SQUARE;
    let (words, result) = (form.words(&kernel.field), form.result_words(&kernel.field));
    let maximum = BigInt::from(form.maximum(&kernel.field));
    let edges: Vec<BigUint> = edges(&maximum, 64).into_iter().map(|x| x.magnitude().clone()).collect();
    let mut stream = Stream::new(2);
    let mut pairs: Vec<(BigUint, BigUint)> =
        edges.iter().flat_map(|a| edges.iter().map(move |b| (a.clone(), b.clone()))).collect();
    pairs.extend(
        (0..CHECKS).map(|_| (stream.number(&maximum).magnitude().clone(), stream.number(&maximum).magnitude().clone())),
    );
    for (a, b) in pairs {
        let read = |x: &BigUint| Buffer::from_u64(&form.encode(x, words));
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
