//! Every formula is checked, prints and parses back; wrong ones are refused with the place.

use evariste_formulas::{Formula, check, count, inlined, registry};
use expect_test::expect;

pub fn all() -> Vec<Formula> {
    let families = registry();
    let entries = families.iter().flat_map(|family| family.formulas);
    entries.map(|entry| entry.formula().unwrap_or_else(|e| panic!("{e}"))).collect()
}

/// The formula of that name.
pub fn named(name: &str) -> Formula {
    let families = registry();
    let entry = families.iter().flat_map(|family| family.formulas).find(|entry| entry.name == name);
    entry.unwrap_or_else(|| panic!("no formula {name}")).formula().unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn every_formula_is_checked() {
    let refused: Vec<String> = all().iter().filter_map(|formula| check(formula).err()).map(|e| e.to_string()).collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn text_parses_back_to_the_identical_formula() {
    for formula in all() {
        let text = formula.to_string();
        let back = Formula::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert!(back == formula, "{text}\n{back}");
    }
}

#[test]
fn formulas_without_their_calls_are_right_and_cost_no_more() {
    for formula in all() {
        let flat = inlined(&formula).unwrap();
        check(&flat).unwrap_or_else(|e| panic!("{e}"));
        let (before, after) = (count(&formula), count(&flat));
        assert!(flat.callees.is_empty() && after == before, "{formula}\n{flat}");
    }
}

#[test]
fn families_have_one_definition() {
    for family in registry() {
        let formulas: Vec<Formula> = family.formulas.iter().map(|e| e.formula().unwrap()).collect();
        assert!(formulas.iter().all(|f| f.definition == formulas[0].definition), "{}", family.name);
    }
}

#[test]
fn a_refutation_names_the_output_and_a_monomial() {
    let refuse = |text: &str| check(&Formula::parse(text).unwrap()).unwrap_err().to_string();
    let text = named("karatsuba-3").to_string();
    expect![[r#"karatsuba-3: r0 is wrong: in "gives r = a*b" the sides differ by -2 times a1*b2*xi"#]]
        .assert_eq(&refuse(&text.replace("%11 = b1 + b2", "%11 = b1 - b2")));
    expect![[r#"karatsuba-3: r0 is wrong: in "gives r = a*b + 1" the sides differ by -1 times 1"#]]
        .assert_eq(&refuse(&text.replace("a*b", "a*b + 1")));
    expect![[r#"karatsuba-3: r0, r1 is wrong: in "gives r = a*b" the sides differ by -1 times a0*b2*x^2"#]]
        .assert_eq(&refuse(&text.replace("r = r0 + r1*x + r2*x^2", "r = r0 + r1*x")));
    let text = named("quadratic-norm-inverse").to_string();
    let no_condition = expect![
        "quadratic-norm-inverse, steps: divides by a0^2 + -1*a1^2*beta, which no condition (nonzero …) names before"
    ];
    no_condition.assert_eq(&refuse(&text.replace("nonzero norm", "nonzero a0")));
    expect![[r#"quadratic-norm-inverse: the condition "nonzero norm - norm \"a is no unit\"" never holds"#]]
        .assert_eq(&refuse(&text.replace("nonzero norm", "nonzero norm - norm")));
}

#[test]
fn errors_say_what_would_be_right() {
    let parse = |text: &str| Formula::parse(text).unwrap_err().to_string();
    let good = named("gauss-complex-square").to_string();
    let wrong = [
        ("characteristic any", "characteristic 3"),
        ("a0 + a1\n", "a0 ? a1\n"),
        ("%3 = a0", "%4 = a0"),
        ("%5 = %3", "%5 = %9"),
        ("gives r = a^2", "gives r = a^2 +"),
        ("gives r = a^2", "gives r = c^2"),
        ("gives r = a^2", "gives r = a^99"),
        ("let a = ", "let a0 = "),
        ("    gives r = a^2\n", ""),
        ("input a: a0 a1", "input a: a0 let"),
        ("\"complex squaring\"", "complex squaring"),
        ("r0 = %5", "r0 = %50"),
    ];
    let all: Vec<String> = wrong
        .iter()
        .map(|(from, to)| {
            assert!(good.contains(from), "{from}");
            parse(&good.replace(from, to))
        })
        .collect();
    let expected = expect![[r#"
        line 4, column 20: expected "any", "not 2" or "2", found "3"
        line 13, column 13: expected a step: +, -, *, / 2 or ^2 behind an element, found "?"
        line 13, column 8: results are numbered in order: this is %3
        line 15, column 11: %9 comes later
        line 13, column 5: expected a name, a number or a parenthesis, found "%"
        line 1, column 1: formula gauss-complex-square: an equation speaks of c, which is not known there
        line 11, column 17: the exponent goes up to 64
        line 1, column 1: formula gauss-complex-square: two things are named a0
        line 1, column 1: formula gauss-complex-square: its definition gives no equation
        line 6, column 14: expected "=", found "beta"
        line 3, column 12: expected a text in quotation marks, found "complex"
        line 18, column 21: %50 comes later"#]];
    expected.assert_eq(&all.join("\n"));
}

/// Texts with random faults: an error or a formula, which is checked; never a panic.
#[test]
fn texts_with_faults_are_errors_or_formulas() {
    let mut random = evariste_testing::Random(evariste_testing::seed());
    let names =
        ["gauss-complex-square", "quadratic-norm-inverse", "karatsuba-3", "montgomery-ladder-step", "lopez-dahab-step"];
    let texts = names.map(|name| named(name).to_string());
    let (mut errors, mut formulas) = (0, 0);
    for round in 0..3000 {
        let mut words: Vec<&str> = texts[round % texts.len()].split_inclusive([' ', '\n']).collect();
        for _ in 0..1 + random.index(2) {
            let (at, from) = (random.index(words.len()), random.index(words.len()));
            match random.index(3) {
                0 => words[at] = words[from],
                1 => words.swap(at, from),
                _ => drop(words.remove(at)),
            }
        }
        match Formula::parse(&words.concat()) {
            Ok(formula) => {
                formulas += 1;
                let _ = check(&formula);
                assert_eq!(Formula::parse(&formula.to_string()), Ok(formula));
            }
            Err(_) => errors += 1,
        }
    }
    assert!(errors > 100 && formulas > 100, "{errors} {formulas}");
}

#[test]
fn what_is_too_large_is_refused() {
    let text = named("gauss-complex-square").to_string();
    let powers = "(((a0 + a1 + 1)^64 + a0)^64 + a1)^64";
    let large = Formula::parse(&text.replace("gives r = a^2", &format!("gives r = {powers}"))).unwrap();
    let expected = expect![
        "gauss-complex-square, gives r = (((a0 + a1 + 1)^64 + a0)^64 + a1)^64: a product of polynomials has too many terms to be compared"
    ];
    expected.assert_eq(&check(&large).unwrap_err().to_string());
    let long = vec!["a0"; 600].join(" + ");
    let expected = expect!["line 11, column 2520: the expression has more than 500 operations: name parts by let"];
    expected.assert_eq(
        &Formula::parse(&text.replace("gives r = a^2", &format!("gives r = {long}"))).unwrap_err().to_string(),
    );
}
