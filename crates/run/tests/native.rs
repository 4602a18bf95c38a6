//! C texts compiled, called and timed on this machine.

use std::ffi::OsStr;

use evariste_run::{
    Argument, Buffer, Compiler, Family, Library, NativeFunction, RunError, TimingOptions, Workload, paired_ratio,
    time_paired,
};

/// Word arrays added, in the conventions of emitted code: outputs first.
const ADD: &str = "#include <stdint.h>
void add(uint64_t *o, const uint64_t *a, const uint64_t *b) { for (int i = 0; i < 4; i++) o[i] = a[i] + b[i]; }
";

/// The compilers of this machine; a counted skip when there are none.
fn compilers() -> Vec<Compiler> {
    let found = Compiler::all();
    if found.is_empty() {
        evariste_testing::lacks_tool("C kernels compiled and run", "a C compiler");
    }
    found
}

fn load(compiler: &Compiler, text: &str, flags: &[&str]) -> Result<Library, RunError> {
    // SAFETY: no text of this file has a constructor.
    unsafe { compiler.load(text, flags) }
}

fn function(library: &Library, symbol: &str, arguments: &[Argument]) -> Result<NativeFunction, RunError> {
    // SAFETY: the functions of this file are called with the arrays that they take.
    unsafe { library.function(symbol, arguments) }
}

fn three_arrays() -> [Argument; 3] {
    [Argument::output(32), Argument::input(32), Argument::input(32)]
}

#[test]
fn every_compiler_adds_arrays() {
    for compiler in compilers() {
        for level in ["-O0", "-O2", "-O3"] {
            let library = load(&compiler, ADD, &[level, "-Wall", "-Wextra", "-Werror"]).unwrap();
            let add = function(&library, "add", &three_arrays()).unwrap();
            drop(library);
            let mut buffers =
                [Buffer::zeroed(32), Buffer::from_u64(&[1, 2, 3, u64::MAX]), Buffer::from_u64(&[10, 20, 30, 2])];
            add.call(&mut buffers).unwrap();
            assert_eq!(buffers[0].to_u64(), [11, 22, 33, 1], "{} {level}", compiler.version);
            // The output over both inputs.
            add.call_at(&mut buffers, &[1, 1, 1]).unwrap();
            assert_eq!(buffers[1].to_u64(), [2, 4, 6, u64::MAX - 1], "{} {level}", compiler.version);
        }
    }
}

#[test]
fn every_arity_passes_its_arguments_in_order() {
    for compiler in compilers() {
        for arity in 1..=16usize {
            let parameters: Vec<String> = (0..arity).map(|index| format!("unsigned char *p{index}")).collect();
            let body: String = (0..arity).map(|index| format!("*p{index} = {};", index + 1)).collect();
            let library =
                load(&compiler, &format!("void f({}) {{ {body} }}", parameters.join(", ")), &["-O1"]).unwrap();
            let mut buffers = vec![Buffer::zeroed(1); arity];
            function(&library, "f", &vec![Argument::output(1); arity]).unwrap().call(&mut buffers).unwrap();
            let written: Vec<u8> = buffers.iter().map(|buffer| buffer.bytes()[0]).collect();
            assert_eq!(written, (1..=arity as u8).collect::<Vec<_>>());
        }
    }
}

#[test]
fn wrong_calls_are_errors_and_touch_nothing() {
    let Some(compiler) = compilers().into_iter().next() else { return };
    let library = load(&compiler, ADD, &["-O2"]).unwrap();
    let missing = function(&library, "subtract", &three_arrays()).unwrap_err();
    assert!(matches!(&missing, RunError::SymbolMissing { symbol } if symbol == "subtract"), "{missing}");
    for count in [0, 17] {
        let error = function(&library, "add", &vec![Argument::input(8); count]).unwrap_err();
        assert_eq!(error.to_string(), format!("`add` is declared with {count} arguments; 1 to 16 can be called"));
    }
    let add = function(&library, "add", &three_arrays()).unwrap();
    let mut short = [Buffer::zeroed(32), Buffer::zeroed(24), Buffer::zeroed(32)];
    let error = add.call(&mut short).unwrap_err();
    assert_eq!(error.to_string(), "`add`: argument 1 needs a buffer of 32 bytes, 24 were given");
    assert_eq!(add.call(&mut short[..2]).unwrap_err().to_string(), "`add` takes 3 arguments; 2 were given");
    assert_eq!(
        add.call_at(&mut short, &[0, 2, 7]).unwrap_err().to_string(),
        "`add`: argument 2 needs a buffer of 32 bytes, 0 were given"
    );
    assert!(add.call_at(&mut short, &[0, 2]).is_err());
}

#[test]
fn a_broken_program_gives_the_compiler_s_message() {
    for compiler in compilers() {
        let error = load(&compiler, "void f(void) { this is not C }", &["-O2"]).unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, RunError::CompileFailed { .. }), "{text}");
        assert!(text.contains("kernel.c:1:") && text.contains("-O2") && text.contains("error"), "{text}");
        let flood = (0..100).map(|index| format!("int v{index} = undeclared{index};\n")).collect::<String>();
        let text = load(&compiler, &flood, &["-fno-caret-diagnostics"]).unwrap_err().to_string();
        assert!(text.lines().count() < 70, "{text}");
    }
}

#[test]
fn no_compiler_says_what_would_work() {
    let empty = tempfile::tempdir().unwrap();
    let error = Compiler::find_in(None, Some(empty.path().as_os_str())).unwrap_err().to_string();
    assert!(error.contains("cc, gcc, clang") && error.contains("apt-get install gcc"), "{error}");
    assert!(Compiler::find_in(None, None).is_err());
    let error = Compiler::find_in(Some("no-such-compiler -m32"), Some(OsStr::new("/usr/bin"))).unwrap_err().to_string();
    assert!(error.contains("`no-such-compiler -m32`") && error.contains("there is no such program"), "{error}");
    let error = Compiler::named("no-such-compiler").unwrap_err().to_string();
    assert!(error.contains("no-such-compiler"), "{error}");
}

#[cfg(unix)]
#[test]
fn a_cc_that_is_no_compiler_is_refused() {
    // Not a script that is written here: while another thread starts a program, its file may still be open for writing.
    let error = Compiler::find_in(Some("false"), std::env::var_os("PATH").as_deref()).unwrap_err().to_string();
    assert!(error.contains("`false`") && error.contains("exit status: 1"), "{error}");
}

#[test]
fn compilers_are_named_and_probed() {
    for compiler in compilers() {
        assert!(compiler.supports("-O2"), "{compiler:?}");
        assert!(!compiler.supports("-fno-such-flag-at-all"), "{compiler:?}");
        if compiler.name.contains("clang") {
            assert_eq!(compiler.family, Family::Clang);
        }
        if compiler.name.contains("gcc") && !cfg!(target_os = "macos") {
            assert_eq!(compiler.family, Family::Gcc);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn code_sizes_come_from_the_object() {
    let source = "void small(unsigned *p) { *p = 1; }
void large(volatile unsigned *p) { *p = 1; *p = 2; *p = 3; *p = 4; *p = 5; *p = 6; *p = 7; *p = 8; }";
    for compiler in compilers() {
        let library = load(&compiler, source, &["-O2"]).unwrap();
        let small = library.code_size("small").unwrap();
        let large = function(&library, "large", &[Argument::output(4)]).unwrap().code_size().unwrap();
        assert!(0 < small && small < large && large < 1000, "{small} {large}");
        assert_eq!(library.code_size("absent"), None);
        // Without the full symbol table nothing tells what functions are made of.
        let stripped = load(&compiler, source, &["-O2", "-Wl,--strip-all"]).unwrap();
        assert_eq!(stripped.code_size("large"), None);
    }
}

/// Two functions, the second doing much more of the same.
const LIGHT_AND_HEAVY: &str = "#include <stdint.h>
static inline uint64_t step(uint64_t x, uint64_t k) { return (x ^ (x >> 29)) * (k | 1); }
void light(uint64_t *o, const uint64_t *a, const uint64_t *b) { uint64_t x = *a; for (int i = 0; i < 20; i++) x = step(x, *b); *o = x; }
void heavy(uint64_t *o, const uint64_t *a, const uint64_t *b) { uint64_t x = *a; for (int i = 0; i < 400; i++) x = step(x, *b); *o = x; }
void constant(uint64_t *o) { *o = 5; }
void advance(uint64_t *s, uint64_t *o) { *s = step(*s, 77); *o = *s; }
";

/// A quick measurement; the number of samples is what the tests look at.
const QUICK: TimingOptions = TimingOptions {
    rounds: 10,
    samples_per_round: 20,
    sample_ns: 3_000.0,
    warm_ns: 20_000.0,
    budget_ns: 1e9,
    latency: true,
};

#[test]
fn timings_have_all_their_samples() {
    let Some(compiler) = compilers().into_iter().next() else { return };
    let library = load(&compiler, LIGHT_AND_HEAVY, &["-O2"]).unwrap();
    let words = [Argument::output(8), Argument::input(8), Argument::input(8)];
    let two = vec![
        vec![Buffer::from_u64(&[1]), Buffer::from_u64(&[2])],
        vec![Buffer::from_u64(&[3]), Buffer::from_u64(&[4])],
    ];
    let workloads = [
        Workload { function: function(&library, "light", &words).unwrap(), operands: two.clone(), chain: 0 },
        Workload { function: function(&library, "heavy", &words).unwrap(), operands: two, chain: 1 },
        Workload { function: function(&library, "constant", &words[..1]).unwrap(), operands: vec![vec![]], chain: 0 },
        Workload {
            function: function(&library, "advance", &[Argument::in_out(8), Argument::output(8)]).unwrap(),
            operands: vec![vec![Buffer::from_u64(&[1])]],
            chain: 0,
        },
    ];
    let timings = time_paired(&workloads, &QUICK).unwrap();
    assert_eq!(timings.len(), 4);
    let latencies: Vec<bool> = timings.iter().map(|timing| timing.latency.is_some()).collect();
    assert_eq!(latencies, [true, true, false, true]);
    for figure in timings.iter().flat_map(|timing| timing.latency.iter().chain([&timing.throughput])) {
        assert_eq!((figure.samples, figure.rounds_ns.len()), (200, 10));
        for value in [
            figure.cycles,
            figure.cycles_quantile2,
            figure.ns,
            figure.ns_quantile2,
            figure.clock_ghz,
            figure.clock_ratio,
        ] {
            assert!(value.is_finite() && value > 0.0, "{figure:?}");
        }
        assert!(figure.cycles_quantile2 <= figure.cycles && figure.ns_quantile2 <= figure.ns, "{figure:?}");
    }
    assert!(paired_ratio(&timings[1].throughput, &timings[0].throughput).is_finite());
    let without = time_paired(&workloads[..1], &TimingOptions { latency: false, ..QUICK }).unwrap();
    assert!(without[0].latency.is_none());
}

#[test]
fn operands_must_fit_the_arguments() {
    let Some(compiler) = compilers().into_iter().next() else { return };
    let library = load(&compiler, ADD, &["-O2"]).unwrap();
    let function = function(&library, "add", &three_arrays()).unwrap();
    let time = |operands| {
        time_paired(&[Workload { function: function.clone(), operands, chain: 0 }], &QUICK).unwrap_err().to_string()
    };
    assert_eq!(time(vec![]), "`add` reads 2 operands, 0 were given to time it on");
    assert_eq!(time(vec![vec![Buffer::zeroed(32)]]), "`add` reads 2 operands, 1 were given to time it on");
    assert_eq!(
        time(vec![vec![Buffer::zeroed(32), Buffer::zeroed(8)]]),
        "`add`: argument 2 needs a buffer of 32 bytes, 8 were given"
    );
}
