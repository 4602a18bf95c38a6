//! Real kernels at real sizes: proved, and their faults refused.

use crate::kernels;

use crate::kernels::integers::*;
use crate::kernels::montgomery::*;
use crate::kernels::montgomery_rows::cios_merge;
use evariste_ir::Kernel;
use evariste_proof::{Outcome, prove};
use num_bigint::BigInt;

fn proved(name: &str, kernel: &Kernel) {
    match prove(kernel) {
        Outcome::Proved(p) => {
            let r = p.report();
            println!(
                "{name:45} {:5} operations {:4} queries {:6} eliminations {:7} updates {:8.2} ms",
                r.operations,
                r.stats.queries,
                r.stats.eliminations,
                r.stats.updates,
                r.time.as_secs_f64() * 1e3
            );
        }
        other => panic!("{name}: {other:?}"),
    }
}

fn refused(name: &str, kernel: &Kernel) {
    match prove(kernel) {
        Outcome::Proved(_) => panic!("{name}: a faulty kernel was proved"),
        Outcome::Unknown(o) => println!("{name:55} {}: {}", o.what, o.detail),
        Outcome::Refuted(c) => println!("{name:55} {}", c.violation),
    }
}

fn p25519() -> BigInt {
    kernels::pow2(255) - 19
}

fn p256() -> BigInt {
    kernels::pow2(256) - kernels::pow2(224) + kernels::pow2(192) + kernels::pow2(96) - 1
}

fn bls() -> BigInt {
    "4002409555221667393417789825735904156556882819939007885332058136124031650490837864442687629129015664037894272559787".parse().unwrap()
}

#[test]
fn integer_products() {
    for n in [4, 6, 9] {
        proved(&format!("operand scanning {n}x64"), &operand_scanning(64, n, ""));
    }
    for (n, w) in [(4, 64), (9, 64), (17, 32)] {
        proved(&format!("Comba {n}x{w}"), &comba(w, n, ""));
    }
    for n in [8, 12, 17] {
        proved(&format!("delayed carry {n}x32"), &comba_delayed(32, n, ""));
    }
    for n in [4, 6, 8] {
        proved(&format!("Karatsuba {n}x64"), &karatsuba(64, n, ""));
    }
    proved("rolled 4x64", &rolled(64, 4));
    proved("rolled 16x64", &rolled(64, 16));
}

#[test]
fn faulty_integer_products() {
    for fault in ["dropped carry", "lo and hi swapped", "wrong digit", "bound"] {
        refused(&format!("operand scanning: {fault}"), &operand_scanning(64, 4, fault));
    }
    for fault in ["carry between registers", "two registers"] {
        refused(&format!("Comba: {fault}"), &comba(64, 4, fault));
    }
    for fault in ["narrow accumulators", "mask", "column carry", "not cleared"] {
        refused(&format!("delayed carry: {fault}"), &comba_delayed(32, 8, fault));
    }
    for fault in ["no +1", "one sign", "middle top dropped"] {
        refused(&format!("Karatsuba: {fault}"), &karatsuba(64, 4, fault));
    }
}

type Schedule = fn(u32, usize, &BigInt, End, &str) -> Kernel;

#[test]
fn montgomery() {
    let schedules: [(&str, Schedule); 6] = [
        ("CIOS", cios),
        ("CIOS by merge rows", cios_merge),
        ("SOS", sos),
        ("FIPS", fips),
        ("FIOS", fios),
        ("no-carry CIOS", cios_no_carry),
    ];
    for (name, schedule) in schedules {
        proved(&format!("{name} 4x64 final, 2^255-19"), &schedule(64, 4, &p25519(), End::Final, ""));
        proved(&format!("{name} 4x64 lazy, 254 bits"), &schedule(64, 4, &dense(254), End::Lazy, ""));
        proved(&format!("{name} 6x64 lazy, BLS12-381"), &schedule(64, 6, &bls(), End::Lazy, ""));
        proved(&format!("{name} 6x64 final, BLS12-381"), &schedule(64, 6, &bls(), End::Final, ""));
        if name != "no-carry CIOS" {
            proved(&format!("{name} 4x64 final, dense"), &schedule(64, 4, &dense(256), End::Final, ""));
            proved(&format!("{name} 4x64 final, P-256"), &schedule(64, 4, &p256(), End::Final, ""));
            proved(&format!("{name} 9x64 final, 576 bits"), &schedule(64, 9, &dense(576), End::Final, ""));
            // Merge rows of such a modulus add words of p + 1.
            if name != "CIOS by merge rows" {
                proved(
                    &format!("{name} 9x64 final, 521 bits"),
                    &schedule(64, 9, &(kernels::pow2(521) - 1), End::Final, ""),
                );
            }
        }
        proved(&format!("{name} 9x64 lazy, 521 bits"), &schedule(64, 9, &dense(521), End::Lazy, ""));
    }
    proved("CIOS 8x32 lazy", &cios(32, 8, &dense(254), End::Lazy, ""));
}

#[test]
fn faulty_montgomery() {
    let p = dense(256);
    for fault in [
        "wrong sign",
        "wrong digit of p",
        "dropped carry",
        "stale quotient",
        "index of p repeated",
        "no subtraction",
        "top carry lost",
        "subtraction ignores the top",
        "inverted mask",
    ] {
        refused(&format!("CIOS: {fault}"), &cios(64, 4, &p, End::Final, fault));
    }
    refused("CIOS lazy: bound", &cios(64, 4, &dense(254), End::Lazy, "bound"));
    refused("no-carry CIOS, 2p > R", &cios_no_carry(64, 4, &p, End::Final, ""));
    refused("no-carry CIOS, unreduced", &cios_no_carry(64, 4, &p25519(), End::Final, "unreduced"));
    for fault in [
        "carry forgotten",
        "carry always 1",
        "carry of the wrong word",
        "quotient of the wrong word",
        "chain of neighbours cut",
        "last carry lost",
    ] {
        refused(&format!("CIOS by merge rows: {fault}"), &cios_merge(64, 4, &p, End::Final, fault));
    }
    refused("FIOS: second carry lost", &fios(64, 4, &p, End::Final, "second carry lost"));
    refused("SOS: row carry lost", &sos(64, 4, &p, End::Final, "row carry lost"));
    refused("FIPS: stale quotient", &fips(64, 4, &p, End::Final, "stale quotient"));
    refused("FIPS: product missing", &fips(64, 4, &p, End::Final, "product missing"));
}

fn secp256k1() -> BigInt {
    kernels::pow2(256) - kernels::pow2(32) - 977
}

#[test]
fn special_moduli() {
    use kernels::fields::*;
    proved("2^255-19, product and folds 4x64", &fold_25519(""));
    proved("2^255-19, canonical form", &canonical_25519(""));
    proved("2^255-19, digits up to 54 bits 5x51", &fold_25519_unsaturated(""));
    proved("2^64+13 by complement", &affine_dfc(""));
    for (name, p, n) in
        [("2^255-19", p25519(), 4), ("secp256k1", secp256k1(), 4), ("BLS12-381", bls(), 6), ("576 bits", dense(576), 9)]
    {
        proved(&format!("add mod {name}"), &add_mod(64, n, &p, ""));
        proved(&format!("sub mod {name}"), &sub_mod(64, n, &p, ""));
    }
    proved("lazy sub", &lazy_sub(64, 4, &dense(254), ""));
}

#[test]
fn faulty_special_moduli() {
    use kernels::fields::*;
    for fault in ["constant 39", "third fold missing"] {
        refused(&format!("2^255-19: {fault}"), &fold_25519(fault));
    }
    refused("canonical: no subtraction", &canonical_25519("no subtraction"));
    for fault in ["slack", "unfolded", "carry lost"] {
        refused(&format!("2^255-19, 5x51: {fault}"), &fold_25519_unsaturated(fault));
    }
    for fault in ["no complement", "bias 181", "borrow not corrected", "bound p-2"] {
        refused(&format!("DFC: {fault}"), &affine_dfc(fault));
    }
    for fault in ["carry dropped", "inverted mask"] {
        refused(&format!("add: {fault}"), &add_mod(64, 4, &secp256k1(), fault));
    }
    for fault in ["inverted mask", "p+2 added"] {
        refused(&format!("sub: {fault}"), &sub_mod(64, 4, &secp256k1(), fault));
    }
    refused("lazy sub: only p", &lazy_sub(64, 4, &dense(254), "only p"));
}

#[test]
fn fused_halves() {
    use kernels::ifma::*;
    for (name, n, p) in
        [("256 bits", 5, dense(256)), ("P-256", 5, p256()), ("BLS12-381", 8, bls()), ("521 bits", 11, dense(521))]
    {
        proved(&format!("52-bit Montgomery, textbook, {name}"), &montgomery(n, &p, false, ""));
        proved(&format!("52-bit Montgomery, mask trick, {name}"), &montgomery(n, &p, true, ""));
    }
    proved("52-bit Montgomery, chained 5", &chained(5, &dense(256), ""));
    proved("52-bit Montgomery, chained 8", &chained(8, &bls(), ""));
}

#[test]
fn faulty_fused_halves() {
    use kernels::ifma::*;
    for fault in ["bias", "no correction", "low carry", "unmasked", "digit unmasked", "bound"] {
        refused(&format!("52-bit Montgomery: {fault}"), &montgomery(5, &dense(256), true, fault));
    }
    refused("chained: carry lost", &chained(5, &dense(256), "carry lost"));
}
