//! Look-ups in tables of multiples that are made at run time: windows of binary combs, faults in them, and what happens
//! while the rule is broken.

use std::sync::Arc;

use evariste_algorithms::{Operation, layouts, plans};
use evariste_descriptions::Field;
use evariste_ir::mutate::mutants;
use evariste_ir::{BitMap, Builder, Claim, Contract, Interval, Kernel, Operand, Type};

use super::is_proved;
use crate::broken_rules::{Rule, breaking};
use crate::claims::bits::monomials::is_image;
use crate::toys::exhaust;

/// The product of two polynomials of three coefficients modulo x^3, looked up in the eight multiples of b.
fn product(fault: &str) -> Kernel {
    let mut b = Builder::new("window", 3);
    let seven = [7.into()];
    let out = b.output("out", 1, &seven);
    let (a, c) = (b.input("a", 1, &seven), b.input("b", 1, &seven));
    let (x, y) = (b.load(a, 0u32), b.load(c, 0u32));
    let zero = b.word_constant(0);
    let (two, four) = (b.wrapping_shl(y, 1u32), b.wrapping_shl(y, 2u32));
    let three = match fault {
        "a product" => b.and(y, two),
        "or" => b.or(y, two),
        "of the other" => b.xor(x, two),
        _ => b.xor(y, two),
    };
    let (five, six) = (b.xor(y, four), b.xor(two, four));
    let mut entries = vec![zero, y, two, three, four, five, six, b.xor(three, four)];
    match fault {
        "wrong entry" => entries[3] = y,
        "swapped" => entries.swap(5, 6),
        "powers swapped" => entries.swap(2, 4),
        "not 0 at 0" => entries[0] = y,
        "constant at 0" => entries[0] = b.word_constant(1),
        "too few" => entries.truncate(7),
        _ => {}
    }
    let table = b.array(
        "multiples",
        Type::Word(3),
        entries.len() as u32,
        evariste_ir::ArrayKind::Local,
        vec![Interval::bits(3)],
    );
    entries.iter().enumerate().for_each(|(u, entry)| b.store(table, u as u32, *entry));
    let index = if fault == "index of both" { b.xor(x, y) } else { x };
    let found = b.lookup(table, index);
    b.store(out, 0u32, found);
    let operand = |name: &str, array| Operand::new(name, array, &[0], &seven, 7.into());
    let images = (0..9).map(|at| Vec::from_iter(Some(at / 3 + at % 3).filter(|k| *k < 3))).collect();
    b.finish(Contract {
        facts: Vec::new(),
        inputs: vec![operand("a", a), operand("b", c)],
        claims: vec![Claim::Bits { output: operand("out", out), map: BitMap::Bilinear(Arc::new(images)) }],
    })
}

#[test]
fn tables_of_multiples() {
    let right = product("");
    assert!(is_proved(&right) && exhaust(&right).is_none());
    for fault in [
        "a product",
        "or",
        "of the other",
        "wrong entry",
        "swapped",
        "powers swapped",
        "not 0 at 0",
        "constant at 0",
        "index of both",
    ] {
        let kernel = product(fault);
        assert!(exhaust(&kernel).is_some() && !is_proved(&kernel), "{fault}");
        // On basis vectors entries at sums of powers of two, and at 0, are never seen.
        let unseen = ["a product", "or", "of the other", "wrong entry", "swapped", "not 0 at 0", "constant at 0"]
            .contains(&fault);
        let believed = breaking(&[Rule::Table, Rule::Nets], || is_proved(&kernel));
        assert_eq!(believed, unseen, "{fault} while the rule is broken");
    }
    assert!(!is_proved(&product("too few")));
}

#[test]
fn mutants_that_are_proved_are_right() {
    let mut proved = 0;
    let all = mutants(&product(""));
    assert!(all.len() > 40, "{}", all.len());
    for mutant in all {
        if is_proved(&mutant.kernel) {
            assert!(exhaust(&mutant.kernel).is_none(), "{}", mutant.fault);
            proved += 1;
        }
    }
    println!("{proved} mutants are right");
}

/// No run is needed: the products of coordinates tell.
#[test]
fn tables_of_multiples_are_shown_without_runs() {
    let verdict = |fault: &str| {
        let kernel = product(fault);
        let [Claim::Bits { output, map }] = kernel.contract.claims.as_slice() else { panic!("one map of bits") };
        let vectors: Vec<_> = kernel.contract.inputs.iter().map(|o| o.coordinates().expect("a row of bits")).collect();
        is_image(&kernel, output, &vectors, map)
    };
    assert_eq!(verdict(""), Some(true));
    for fault in ["wrong entry", "swapped", "or", "a product", "of the other", "not 0 at 0", "constant at 0", "too few"]
    {
        assert_eq!(verdict(fault), None, "{fault}");
    }
    assert_eq!(verdict("powers swapped"), None);
    assert_eq!(verdict("index of both"), None);
}

/// Words of every kind of size, and with `EVARISTE_FULL=1` the longest that are written.
#[test]
fn combs_with_windows_are_proved() {
    let long: &[(&str, &[u32])] =
        if std::env::var_os("EVARISTE_FULL").is_some() { &[("GF(2^571)", &[64])] } else { &[] };
    let short: &[(&str, &[u32])] =
        &[("GF(2^5)", &[2, 3, 4, 5, 7, 8]), ("GF(2^17)", &[3, 5, 8, 16, 32]), ("GF(2^163)", &[64])];
    for (field, words) in short.iter().chain(long) {
        let field = Field::parse(field).expect("a field");
        for word in *words {
            let layouts = layouts(&field, *word);
            let combs = layouts
                .iter()
                .flat_map(|l| plans(&field, l, &Operation::MUL))
                .filter(|p| p.algorithm.starts_with("comb-window"));
            let proved = combs.filter(|p| is_proved(&p.write().expect("applies"))).count();
            assert!(proved > 0, "{} in words of {word}", field.text());
        }
    }
}
