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
