//! What NVIDIA's compiler makes of packages in CUDA C++, for every architecture from Turing to Blackwell and without a GPU:
//! registers of a thread, and which functions have too few of them. By default some of the packages are compiled for some
//! of the architectures, others each day; all for all with `EVARISTE_FULL=1`.

use std::path::Path;

use evariste_testing::{ARCHITECTURES, Nvcc};

use crate::common::Place;

/// Registers that a thread can have.
const MOST: u32 = 255;

/// A package, and what may be asked of its kernels.
struct Package {
    arguments: &'static [&'static str],
    /// Registers of a thread at most, on any architecture, of functions that are not said to spill.
    registers: u32,
    /// Functions with more values at once than there are registers, and why.
    spilling: &'static [&'static str],
}

#[rustfmt::skip] // A table.
const PACKAGES: &[Package] = &[
    Package { arguments: &["25519"], registers: 152, spilling: &[] },
    Package { arguments: &["p256"], registers: 160, spilling: &[] },
    Package { arguments: &["bls12-381-fp", "--ops", "mul,square,add,sub,opp,to_montgomery,from_montgomery,from_bytes,to_bytes"], registers: 72, spilling: &[] },
    Package { arguments: &["babybear"], registers: 64, spilling: &[] },
    Package { arguments: &["2^64"], registers: 32, spilling: &[] },
    // An inverse is some two hundred and fifty squares and products, unrolled, of four words each.
    Package { arguments: &["GF(2^233)"], registers: 176, spilling: &["inv"] },
    Package { arguments: &["GF(2^11):onb2"], registers: 48, spilling: &[] },
    // Elements of 36 words: three of them, and the sums of products between them, are more than all registers.
    Package { arguments: &["bls12-381-fp6", "--ops", "mul,square,add"], registers: 168, spilling: &["mul", "square"] },
    Package { arguments: &["curve:p256", "--ops", "add,double,from_uncompressed"], registers: 160, spilling: &[] },
    Package { arguments: &["curve:25519", "--ops", "ecdh"], registers: 168, spilling: &[] },
    Package { arguments: &["cipher:dfc"], registers: 128, spilling: &[] },
    Package { arguments: &["cipher:wg"], registers: 168, spilling: &[] },
    Package { arguments: &["mac:mmh32"], registers: 168, spilling: &[] },
    Package { arguments: &["mac:square-hash-32"], registers: 168, spilling: &[] },
];

/// What the compiler says of a kernel.
#[derive(Debug)]
struct Said {
    /// The function's name, without prefix and `_many`.
    function: String,
    architecture: u32,
    registers: u32,
    /// Bytes that it stores because registers are too few.
    spilled: u32,
}

/// The numbers in the lines of `ptxas -v`.
fn read(told: &str) -> Vec<Said> {
    let number = |line: &str, before: &str, behind: &str| -> Option<u32> {
        let (head, _) = line.split_once(behind)?;
        head.rsplit_once(before)?.1.trim().parse().ok()
    };
    let (mut all, mut entry, mut spilled) = (Vec::new(), None, None);
    for line in told.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let (symbol, rest) = rest.split_once("' for 'sm_").expect("an architecture");
            // `_Z11fe_mul_manyPmPKmS1_m`.
            let (head, _) = symbol.split_once("_many").expect("a kernel of ours");
            let name = head.split_once("fe_").expect("the prefix").1;
            entry = Some((name.to_string(), rest.trim_end_matches('\'').parse().expect("a number")));
        }
        spilled = number(line, ",", "bytes spill stores").or(spilled);
        if let Some(registers) = number(line, "Used", "registers") {
            let (function, architecture) = entry.take().expect("a kernel");
            all.push(Said { function, architecture, registers, spilled: spilled.take().expect("bytes") });
        }
    }
    all
}

#[test]
fn what_ptxas_says_is_understood() {
    let told = "ptxas info    : 0 bytes gmem\n\
         ptxas info    : Compiling entry function '_Z11fe_mul_manyPmPKmS1_m' for 'sm_120'\n\
         ptxas info    : Function properties for _Z11fe_mul_manyPmPKmS1_m\n\
         \x20   872 bytes stack frame, 2000 bytes spill stores, 2224 bytes spill loads\n\
         ptxas info    : Used 255 registers, used 0 barriers, 872 bytes cumulative stack size\n";
    let all = read(told);
    let [Said { function, architecture: 120, registers: 255, spilled: 2000 }] = &all[..] else { panic!("{all:?}") };
    assert_eq!(function, "mul");
}

#[test]
fn registers_suffice_on_every_gpu() {
    let Some(nvcc) = Nvcc::find(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")) else {
        return evariste_testing::lacks_tool("packages in CUDA on GPUs", "nvcc");
    };
    let place = Place::new();
    // By default three packages, each on one of the oldest five and one of the newest five architectures. What takes
    // minutes to compile has most values at once, and waits for a full run.
    let quick = |package: &&Package| evariste_testing::full() || package.arguments[0] != "bls12-381-fp6";
    let (fields, others): (Vec<_>, Vec<_>) =
        PACKAGES.iter().filter(quick).partition(|package| !package.arguments[0].contains(':'));
    let mut todays = evariste_testing::sample("fields in CUDA", fields, 6, |_| ());
    todays.extend(evariste_testing::sample("programs in CUDA", others, usize::MAX, |_| ()));
    for package in todays {
        let name = package.arguments[0];
        let architectures =
            evariste_testing::sample(&format!("{name} on GPUs"), ARCHITECTURES.to_vec(), usize::MAX, |n| *n < 90);
        println!("{name} for {architectures:?}");
        place
            .run(
                &[&["emit"], package.arguments, &["--lang", "cuda", "--prefix", "fe", "-o", "out", "--force"]].concat(),
            )
            .ok();
        let mut compile = nvcc.command(&architectures);
        compile.args(["-O3", "-Xptxas", "-v", "-Werror", "all-warnings", "-c", "-o", "test.o", "test.cu"]);
        let output = compile.current_dir(place.path("out")).output().expect("nvcc");
        let told = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{name}: {told}");
        let all = read(&told);
        let header = std::fs::read_to_string(place.path("out/fe.cuh")).expect("the header");
        let kernels = header.matches("static __global__ void fe_").count();
        assert!(kernels > 0 && all.len() == kernels * architectures.len(), "{name}: {kernels} kernels, {told}");
        for said in &all {
            assert!(architectures.contains(&said.architecture), "{name}: {said:?}");
            if package.spilling.contains(&said.function.as_str()) {
                assert!(said.registers <= MOST, "{name}: {said:?}");
            } else {
                assert!(said.spilled == 0 && said.registers <= package.registers, "{name}: {said:?}");
            }
        }
        // Where none of them spills any more, the table says too much.
        let spills = |function: &&str| all.iter().any(|said| said.function == **function && said.spilled > 0);
        let known = architectures.len() == ARCHITECTURES.len();
        assert!(!known || package.spilling.iter().all(spills), "{name} needs no spills: {all:?}");
    }
}
