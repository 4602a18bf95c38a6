//! What the probe executes, in the emulator, which sees every access: loops touch their array alone, keep the registers
//! that functions keep, and end.

use evariste_codegen::x86_64::{Features, Inst, X86_64};
use evariste_emulator::{Array, Image, call_with};
use evariste_jit::{Code, encode};
use evariste_probe::{MEMORY, Pool, Probe};

const COPIES: usize = 20;

/// Runs code three times on an array of the probe's that knows its own address: `prepare` gets that address and the
/// array's bytes before each call, and a first call tells where the array lies. Gives the instructions executed, the
/// address, and the array.
fn call(name: &str, code: &Code, mut prepare: impl FnMut(u64, &mut [u8])) -> (u64, u64, Vec<u8>) {
    let image = Image::new(0x5555_5540_0000, &code.bytes, code.code_len, code.constants_at);
    let one = 1.0f64.to_bits().to_le_bytes();
    let mut arrays = [Array { bytes: one.repeat(MEMORY / 8), writable: true, filled: true, element_bytes: 8 }];
    let mut place = 0;
    for _ in 0..2 {
        prepare(place, &mut arrays[0].bytes);
        let mut seen = 0;
        let parameters = |places: &[u64]| {
            seen = places[0];
            vec![places[0], 3]
        };
        let ran = call_with(&image, code.entry as u64, &mut arrays, parameters, 7);
        if place == seen {
            let [array] = arrays;
            return (ran.unwrap_or_else(|fault| panic!("{name}: {fault}")), place, array.bytes);
        }
        place = seen;
    }
    unreachable!("{name}: the array moves")
}

/// Runs a body three times on an array whose first word is its own address; gives the instructions executed.
fn run(name: &str, body: &[Inst], features: Features) -> u64 {
    let code = encode(&X86_64::repeated(body, features)).unwrap_or_else(|e| panic!("{name}: {e}"));
    call(name, &code, |place, bytes| bytes[..8].copy_from_slice(&place.to_le_bytes())).0
}

/// Whatever the processor, the forms of SSE2 are measured, and wider vectors never beside them.
#[test]
fn vectors_are_measured_beside_those_of_their_width() {
    for (features, widths) in [
        (Features::AVX512, &[128, 256, 512][..]),
        (Features::AVX2, &[128, 256]),
        (Features::BMI2, &[128]),
        (Features::BASELINE, &[128]),
    ] {
        let all = X86_64::specimens(features);
        let sets: std::collections::BTreeSet<u32> = all.iter().filter_map(|s| s.set).collect();
        assert!(sets.iter().eq(widths), "{sets:?}");
        for s in all {
            let suffix = s.name.rsplit_once('.').map(|(_, suffix)| suffix);
            let of_suffix = match suffix {
                Some("xmm") => Some(128),
                Some("ymm") => Some(256),
                Some("zmm") => Some(512),
                _ => None,
            };
            assert_eq!(s.set, of_suffix, "{}", s.name);
        }
    }
}

#[test]
fn loops_of_every_specimen_keep_to_their_memory() {
    for features in [Features::AVX512, Features::AVX2, Features::BMI2, Features::BASELINE] {
        for s in X86_64::specimens(features) {
            for pool in [Pool::Many, Pool::Few, Pool::Left, Pool::Right] {
                let body: Vec<Inst> = (0..COPIES).flat_map(|i| (s.copy)(i, pool)).collect();
                let ran = run(&s.name, &body, features);
                assert!(ran > 3 * body.len() as u64, "{}: {ran} instructions", s.name);
            }
            if let Some(link) = &s.link {
                run(&format!("the chain of {}", s.name), &link.repeat(COPIES), features);
            }
        }
    }
}

#[test]
fn loads_far_apart_keep_to_their_memory() {
    for additions in [16, 160] {
        let code = encode(&X86_64::apart(additions)).unwrap_or_else(|e| panic!("{e}"));
        let (ran, place, bytes) = call("loads far apart", &code, |place, bytes| {
            // The heads point to the third and fourth line, which point to each other.
            for (at, to) in [(0, 128), (8, 192), (128, 192), (192, 128)] {
                bytes[at..at + 8].copy_from_slice(&u64::to_le_bytes(place + to));
            }
        });
        assert!(ran > 6 * additions as u64);
        // After three turns each is where the other one began.
        let heads = [0, 8].map(|at| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("a word")));
        assert_eq!(heads, [place + 192, place + 128]);
    }
}

#[test]
fn names_are_there_once_and_cores_are_known_by_some() {
    let all = X86_64::specimens(Features::AVX512);
    let mut names: Vec<&str> = all.iter().map(|s| s.name.as_str()).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    for name in X86_64::KNOWN_BY.iter().chain(X86_64::KINDS.iter().flat_map(|(_, members)| *members)) {
        assert!(names.contains(name), "{name} is no specimen");
    }
}
