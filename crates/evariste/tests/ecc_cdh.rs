//! NIST's vectors of the ECC CDH primitive, which multiplies by the cofactor too, on binary curves: reference, machine code of our own, and a package in C; two
//! curves a day, one of each kind, with all of their cases; all ten in a full run.

use std::fmt::Write as _;
use std::process::Command;

use evariste::{BigUint, Field, Op, Request, write_package};
use evariste_descriptions::Curve;
use evariste_testing::{full, sample};
use serde_json::Value;

use crate::wycheproof_cases::{Function, bytes_of};

/// A case: our scalar, their point, our point, the shared secret.
struct Case {
    scalar: Vec<u8>,
    theirs: Vec<u8>,
    ours: Vec<u8>,
    shared: Vec<u8>,
}

/// The curves, those of a random b among them first.
fn curves() -> Vec<(String, Vec<Case>)> {
    let file: Value = serde_json::from_str(include_str!("../../../vectors/ecc-cdh.json")).expect("JSON");
    let curves = file["curves"].as_array().expect("curves").iter();
    let case = |row: &Value| {
        let cell = |i: usize| bytes_of(row[i].as_str().expect("hexadecimal digits"));
        Case { scalar: cell(1), theirs: cell(2), ours: cell(3), shared: cell(4) }
    };
    let one = |curve: &Value| {
        let cases: Vec<Case> = curve["cases"].as_array().expect("cases").iter().map(case).collect();
        (curve["name"].as_str().expect("a name").to_owned(), cases)
    };
    let all: Vec<_> = curves.map(one).collect();
    assert_eq!((all.len(), all.iter().map(|(_, cases)| cases.len()).sum::<usize>()), (10, 250));
    all
}

/// The scalar times the cofactor, modulo the order: what the primitive multiplies a point of that order by.
fn with_cofactor(curve: &Curve, scalar: &[u8]) -> BigUint {
    let [order, cofactor] = [&curve.order, &curve.cofactor].map(|x| x.clone().expect("a group's order"));
    BigUint::from_bytes_be(scalar) * cofactor % order
}

fn is_koblitz((name, _): &(String, Vec<Case>)) -> bool {
    name.contains('k')
}

/// The coordinates of a point `04 x y`.
fn coordinates(point: &[u8]) -> (BigUint, BigUint) {
    let (x, y) = point[1..].split_at(point.len() / 2);
    (BigUint::from_bytes_be(x), BigUint::from_bytes_be(y))
}

#[test]
fn the_reference_and_machine_code() {
    for (name, cases) in sample("ECC CDH", curves(), usize::MAX, is_koblitz) {
        let text = format!("curve:{name}");
        let spec = evariste_descriptions::Field::parse(&text).expect("a curve");
        let curve: &Curve = spec.get().expect("a curve");
        let [exchange, public, ladder] =
            [Op::ECDH, Op::PUBLIC_KEY, Op::LADDER].map(|operation| Function::new(&name, &operation));
        let (size, words) = (exchange.length("k"), ladder.length("k"));
        for (i, case) in cases.iter().enumerate() {
            let (own, k) = (BigUint::from_bytes_be(&case.scalar), with_cofactor(curve, &case.scalar));
            let (theirs, ours) = (coordinates(&case.theirs), coordinates(&case.ours));
            let shared = BigUint::from_bytes_be(&case.shared);
            // The reference. Its exact multiples take long: of the first cases, and of all in a full run.
            if i < 3 || full() {
                let multiple = curve.scale(&k, &curve.packed(&Some(theirs.clone())));
                let (x, _) = curve.unpacked(&multiple).expect("no neutral element");
                assert_eq!(x, shared, "{name} {i}");
                assert_eq!(curve.scale_base(&own), Some(curve.packed(&Some(ours))), "{name} {i}");
            }
            let bytes = |k: &BigUint| [vec![0; size - k.to_bytes_be().len()], k.to_bytes_be()].concat();
            let given = exchange.bytes(&[("k", &bytes(&k)), ("p", &case.theirs)]);
            assert_eq!(given.as_ref(), Some(&case.shared), "{name} {i}");
            assert_eq!(public.bytes(&[("k", &bytes(&own))]).as_ref(), Some(&case.ours), "{name} {i}");
            let digits = |x: &BigUint, n: usize| {
                let mut digits: Vec<_> = x.iter_u64_digits().map(Into::into).collect();
                digits.resize(n, 0.into());
                digits
            };
            let inputs = [("k", digits(&k, words)), ("u", digits(&theirs.0, ladder.length("u")))];
            let [x] = ladder.call(&inputs, ["out"]);
            assert_eq!(x, digits(&shared, x.len()), "{name} {i}");
        }
    }
}

/// A program that runs cases through the package `ec`.
const MAIN: &str = r#"
int main(void) {
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
    uint8_t shared[sizeof cases->shared];
    if (!ec_ecdh(shared, cases[i].k, cases[i].p)) return 1;
    if (memcmp(shared, cases[i].shared, sizeof shared)) return 2;
  }
  return 0;
}
"#;

#[test]
fn a_package_in_c() {
    let Some(compiler) = ["cc", "gcc", "clang"].into_iter().find(|name| Command::new(name).arg("-v").output().is_ok())
    else {
        evariste_testing::lacks_tool("packages of ECC CDH", "a C compiler");
        return;
    };
    // In a default run the shortest curve of each kind: others take compilers longer, and say no more.
    let is_short = |(name, _): &&(String, Vec<Case>)| full() || name.contains("163");
    for (name, cases) in curves().iter().filter(is_short) {
        let field = Field::parse(&format!("curve:{name}")).expect("a curve");
        let layout = field.layouts().into_iter().find(|layout| layout.word == 64).expect("words of 64 bits");
        let chosen = field.choose(Some(&layout.name), None).expect("a choice");
        let request = Request {
            language: "c".into(),
            prefix: "ec".into(),
            operations: vec!["ecdh".into()],
            command_line: "test".into(),
            ..Request::default()
        };
        let package = field.package(&chosen, &request, |_, _| ()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("ec");
        write_package(&folder, &field.name(), &package.files, false).expect("written");
        let (size, length) = (cases[0].shared.len(), cases[0].theirs.len());
        let k = Function::new(name, &Op::ECDH).length("k");
        let mut main = format!(
            "#include \"ec.h\"\n#include <string.h>\nstatic const struct {{ uint8_t k[{k}], p[{length}], shared[{size}]; }} cases[] = {{\n"
        );
        let bytes = |x: &[u8]| x.iter().map(|b| format!("{b},")).collect::<String>();
        for case in cases {
            let scalar = with_cofactor(field.spec().get().expect("a curve"), &case.scalar).to_bytes_be();
            let scalar = [vec![0; k - scalar.len()], scalar].concat();
            let row = [&scalar, &case.theirs, &case.shared].map(|x| format!("{{{}}}", bytes(x)));
            writeln!(main, "{{{}}},", row.join(",")).expect("text");
        }
        main.push_str("};\n");
        main.push_str(MAIN);
        std::fs::write(folder.join("main.c"), main).expect("written");
        let built = Command::new(compiler)
            .args(["-O1", "-o", "main", "main.c", "ec.c"])
            .current_dir(&folder)
            .output()
            .expect(compiler);
        assert!(built.status.success(), "{name}: {}", String::from_utf8_lossy(&built.stderr));
        let ran = Command::new(folder.join("main")).status().expect("a program");
        assert!(ran.success(), "{name}: {ran}");
    }
}
