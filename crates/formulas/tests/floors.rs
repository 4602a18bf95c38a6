//! Towers: formulas over an extension become formulas over its base, whose counts add up.

use evariste_formulas::{
    Checked, Constant, Expression, Floor, Formula, Known, Step, check, count, evaluate, flatten, inlined,
};
use evariste_testing::Random;
use expect_test::expect;

use crate::checks::{all, named};
use crate::toys::{Gauss, Prime};

fn expression(text: &str) -> Expression {
    Expression::parse(text).unwrap()
}

/// `Fp2 = Fp[u]/(u² + 1)` with a product alone.
fn bare() -> Floor {
    let beta = Constant { name: "beta".to_string(), known: Known::Is(expression("-1")) };
    Floor::new("fp2", ("u", 2, expression("beta")), vec![beta], &named("quadratic-karatsuba")).unwrap()
}

/// `Fp2 = Fp[u]/(u² + 1)` with ξ, and `i = u`.
pub fn gauss(xi: &str) -> Floor {
    let by_xi = named(&format!("multiple-by-{}", xi.replace(" + ", "-plus-").replace('*', "")));
    bare()
        .with_square(&named("gauss-complex-square"))
        .and_then(|floor| floor.with_inverse(&named("quadratic-norm-inverse")))
        .and_then(|floor| floor.with_constant("i", "u", Some(&named("multiple-by-u"))))
        .and_then(|floor| floor.with_constant("xi", xi, Some(&by_xi)))
        .unwrap_or_else(|e| panic!("{e}"))
}

fn over(formula: &Formula, floor: &Floor) -> Checked {
    let checked = check(formula).unwrap_or_else(|e| panic!("{e}"));
    flatten(&checked, floor).unwrap_or_else(|e| panic!("{e}"))
}

/// The cost in Fp of a formula over Fp2; what was composed is checked once more, as polynomials over Fp.
fn cost(name: &str, floor: &Floor) -> String {
    let flat = over(&named(name), floor);
    check(flat.formula()).unwrap_or_else(|e| panic!("{e}\n{}", flat.formula()));
    let text = flat.formula().to_string();
    assert_eq!(Formula::parse(&text).as_ref(), Ok(&**flat.formula()), "{text}");
    format!("{name}: {}", count(flat.formula()))
}

#[test]
fn counts_over_the_prime_field() {
    let floor = gauss("1 + u");
    let names = [
        "cubic-schoolbook",
        "karatsuba-3",
        "karatsuba-3-shared",
        "toom-3",
        "toom-3-tripled-once",
        "toom-3i",
        "karatsuba-3-square",
        "chung-hasan-1",
        "chung-hasan-2",
        "chung-hasan-3",
        "chung-hasan-3x",
        "toom-3-square",
        "toom-3i-square",
        "cubic-norm-inverse",
        "twelve-karatsuba",
        "twelve-toom-3i",
        "twelve-complex-square",
        "twelve-toom-3i-square",
        "sparse-m-twist",
        "sparse-d-twist",
        "ladder-swap",
    ];
    let all: Vec<String> = names.iter().map(|name| cost(name, &floor)).collect();
    let expected = expect![[r#"
        cubic-schoolbook: 27M + 61A
        karatsuba-3: 18M + 64A
        karatsuba-3-shared: 18M + 62A
        toom-3: 15M + 99A
        toom-3-tripled-once: 15M + 97A
        toom-3i: 15M + 79A
        karatsuba-3-square: 12M + 44A
        chung-hasan-1: 13M + 41A
        chung-hasan-2: 12M + 41A
        chung-hasan-3: 11M + 43A + 2h
        chung-hasan-3x: 11M + 49A
        toom-3-square: 10M + 75A
        toom-3i-square: 10M + 57A
        cubic-norm-inverse: 35M + 2S + 1I + 71A
        twelve-karatsuba: 54M + 218A
        twelve-toom-3i: 45M + 269A
        twelve-complex-square: 36M + 158A
        twelve-toom-3i-square: 30M + 192A
        sparse-m-twist: 39M + 123A
        sparse-d-twist: 39M + 121A
        ladder-swap: 8C"#]];
    expected.assert_eq(&all.join("\n"));
}

#[test]
fn the_cost_of_xi_is_that_of_its_multiples() {
    let all = ["1 + u", "1 + 2*u", "9 + u"].map(|xi| cost("karatsuba-3-shared", &gauss(xi)));
    let expected = expect![[r#"
        karatsuba-3-shared: 18M + 62A
        karatsuba-3-shared: 18M + 66A
        karatsuba-3-shared: 18M + 78A"#]];
    expected.assert_eq(&all.join("\n"));
}

#[test]
fn formulas_that_only_composition_proves() {
    let floor = gauss("1 + u");
    let names = [
        "granger-scott",
        "karabina",
        "twelve-norm-inverse",
        "complete-addition-0",
        "miller-doubling",
        "miller-addition",
    ];
    let cost = |name: &str| format!("{name}: {}", count(over(&named(name), &floor).formula()));
    let all: Vec<String> = names.iter().map(|name| cost(name)).collect();
    let expected = expect![[r#"
        granger-scott: 18M + 95A
        karabina: 12M + 64A
        twelve-norm-inverse: 95M + 2S + 1I + 291A
        complete-addition-0: 36M + 106A + 2·derived_1 + 2·derived_2 + 2·derived_3
        miller-doubling: 21M + 65A + 4h + 1·derived_1 + 1·derived_2 + 1·derived_3
        miller-addition: 37M + 79A"#]];
    expected.assert_eq(&all.join("\n"));
    // Their definitions relate elements of Fp2, which a check over Fp has no relations for.
    let refused = check(over(&named("granger-scott"), &floor).formula()).unwrap_err().to_string();
    let expected =
        expect!["granger-scott-over-fp2: the relation of omega cannot be used: it is neither an input nor an unknown"];
    expected.assert_eq(&refused);
}

#[test]
fn what_does_not_fit_is_refused() {
    let refuse =
        |formula: &str, floor: &Floor| flatten(&check(&named(formula)).unwrap(), floor).unwrap_err().to_string();
    // Products by Toom-3i carry 4, squares by Karatsuba nothing.
    let xi = Constant { name: "xi".to_string(), known: Known::Free };
    let i = Constant { name: "i".to_string(), known: Known::Root { power: 2, is: expression("-1") } };
    let unequal = Floor::new("fp6", ("v", 3, expression("xi")), vec![xi, i], &named("toom-3i"))
        .and_then(|floor| floor.with_square(&named("karatsuba-3-square")))
        .and_then(|floor| floor.with_constant("beta", "v", Some(&named("multiple-by-v"))))
        .unwrap();
    let expected = expect![
        "quadratic-schoolbook-square over fp6: a sum of elements of scales 1 and 4; products that are added must carry equal factors: choose products and squares of one scale, or divide before"
    ];
    expected.assert_eq(&refuse("quadratic-schoolbook-square", &unequal));
    // i is what it has to be.
    let wrong = bare();
    let expected = expect!["toom-3i over fp2: the floor does not say what the constant i is"];
    expected.assert_eq(&refuse("toom-3i", &wrong));
    let wrong = wrong.with_constant("i", "1 + u", None).unwrap();
    let expected = expect![[
        r#"toom-3i over fp2: the constant i is not what the formula needs: fp2: same_element is wrong: in "gives i^2 + element_of_floor = -1 + same_element" the sides differ by 1 times 1"#
    ]];
    expected.assert_eq(&refuse("toom-3i", &wrong));
    let expected = expect!["cubic-norm-inverse over fp2: the floor has no inverse"];
    expected.assert_eq(&refuse("cubic-norm-inverse", &bare().with_constant("xi", "1 + u", None).unwrap()));
}

#[test]
fn a_floor_takes_its_own_operations_only() {
    let beta = || vec![Constant { name: "beta".to_string(), known: Known::Is(expression("-1")) }];
    let floor = |product: &Formula| Floor::new("fp2", ("u", 2, expression("beta")), beta(), product);
    let refused = |r: Result<Floor, evariste_formulas::Refutation>| r.unwrap_err().to_string();
    let expected =
        expect!["formula karatsuba-3: it has 6 inputs and 3 outputs; an operation of fp2 has 4 and 2, and no bits"];
    expected.assert_eq(&refused(floor(&named("karatsuba-3"))));
    let product = named("quadratic-karatsuba");
    let swapped = Formula::parse(&product.to_string().replace("a*b", "a*b*u/u")).unwrap();
    let expected =
        expect!["quadratic-karatsuba, gives r = a*b*u/u: divides by u, which no condition (nonzero …) names before"];
    expected.assert_eq(&refused(floor(&swapped)));
    let expected = expect![[
        r#"multiple-by-1-plus-u: r0 is wrong: in "gives r0 + r1*floor_u = floor_a^2" the sides differ by 1 times a0"#
    ]];
    expected.assert_eq(&refused(floor(&product).unwrap().with_square(&named("multiple-by-1-plus-u"))));
    let expected = expect![[
        r#"gauss-complex-square: r0, r1 is wrong: in "gives (r0 + r1*floor_u)*floor_a = 1" the sides differ by -1 times 1"#
    ]];
    expected.assert_eq(&refused(floor(&product).unwrap().with_inverse(&named("gauss-complex-square"))));
    // What is an inverse of some elements only: what its definition is given does not count.
    let narrow = named("quadratic-norm-inverse").to_string();
    let narrow = narrow.replace("let norm", "given a0 = 1\n    let norm").replace("r0 = %8", "r0 = %7");
    let narrow = Formula::parse(&narrow).unwrap();
    check(&narrow).unwrap();
    let expected = expect![[
        r#"quadratic-norm-inverse: r0, r1 is wrong: in "gives (r0 + r1*floor_u)*floor_a = 1" the sides differ by 1 times a0"#
    ]];
    expected.assert_eq(&refused(floor(&product).unwrap().with_inverse(&narrow)));
    // A constant that is named like an operand is none: a square is no product with it.
    let like_an_operand = |name: &str| {
        let more = Constant { name: name.to_string(), known: Known::Free };
        let constants = [beta(), vec![more]].concat();
        let floor = Floor::new("fp2", ("u", 2, expression("beta")), constants, &product);
        refused(floor.and_then(|floor| floor.with_constant("xi", name, Some(&named("gauss-complex-square")))))
    };
    let expected = expect![[r#"
        formula gauss-complex-square: an equation speaks of a, which is not known there
        formula quadratic-karatsuba: fp2 has a constant floor_a: names floor_… are taken"#]];
    expected.assert_eq(&["a", "floor_a"].map(like_an_operand).join("\n"));
    let by = named("multiple-by-1-plus-2u");
    let expected = expect![[
        r#"multiple-by-1-plus-2u: r1 is wrong: in "gives r0 + r1*floor_u = (1 + floor_u)*floor_a" the sides differ by 1 times a0*floor_u"#
    ]];
    expected.assert_eq(&refused(floor(&product).unwrap().with_constant("xi", "1 + u", Some(&by))));
}

/// Every formula that has a form over Fp computes there what it computes over Fp2: for p = 7, on random elements.
#[test]
fn formulas_over_the_base_compute_the_same() {
    let floor = gauss("1 + u");
    let (field, base) = (Gauss(7), Prime(7));
    let mut random = Random(evariste_testing::seed());
    let (mut compared, mut without) = (0, Vec::new());
    for formula in all() {
        let Ok(flat) = flatten(&check(&formula).unwrap(), &floor) else {
            without.push(formula.name.clone());
            continue;
        };
        let flat = flat.formula();
        let mut hits = 0;
        for _ in 0..60 {
            let mut element = || random.index(49) as u32;
            let inputs: Vec<u32> = formula.input_names().map(|_| element()).collect();
            let constants: Vec<(&str, u32)> = formula
                .constants
                .iter()
                .filter(|c| !matches!(c.known, Known::Is(_)))
                .map(|c| {
                    (
                        c.name.as_str(),
                        match c.name.as_str() {
                            "xi" => 8,
                            "i" => 7,
                            _ => element(),
                        },
                    )
                })
                .collect();
            let bits: Vec<u32> = formula.bits.iter().map(|_| element() % 2).collect();
            let above = |name: &str| constants.iter().find(|(n, _)| *n == name).map(|(_, v)| *v);
            let below = |name: &str| {
                let (of, k) = name.rsplit_once('_')?;
                Some(field.pair(above(of)?)[k.parse::<usize>().ok()?])
            };
            let spread: Vec<u32> = inputs.iter().flat_map(|x| field.pair(*x)).collect();
            // An element without an inverse may have none here either.
            if let (Ok(one), Ok(other)) = (
                evaluate(&formula, &mut field.clone(), &inputs, &bits, &above),
                evaluate(flat, &mut base.clone(), &spread, &bits, &below),
            ) {
                assert_eq!(one.iter().flat_map(|x| field.pair(*x)).collect::<Vec<_>>(), other, "{}", formula.name);
                hits += 1;
            }
        }
        assert!(hits > 20, "{}", formula.name);
        compared += 1;
    }
    let expected = expect![[r#"
        127 the same
        without the constants:
        toom-3-omega
        toom-3-phi
        toom-3-root-2
        toom-3-root-minus-2
        quartic-sixth-roots
        quartic-sixth-roots-square
        sextic-fifth-roots
        sextic-fifth-roots-square
        frobenius-2
        endomorphism"#]];
    expected.assert_eq(&format!("{compared} the same\nwithout the constants:\n{}", without.join("\n")));
}

/// Products of a cubic floor stay calls over the quadratic floor below it, of one formula that calls that floor's.
#[test]
fn calls_of_calls_are_kept() {
    let xi = Constant { name: "xi".to_string(), known: Known::Free };
    let cubic = Floor::new("fp6", ("v", 3, expression("xi")), vec![xi], &named("karatsuba-3-shared"))
        .and_then(|floor| floor.with_constant("beta", "v", Some(&named("multiple-by-v"))))
        .unwrap_or_else(|e| panic!("{e}"));
    let over_cubic = over(&named("quadratic-karatsuba"), &cubic.with_calls());
    let floor = gauss("1 + u").with_calls();
    let called = flatten(&over_cubic, &floor.clone().keeping_calls()).unwrap();
    let run = flatten(&over_cubic, &floor).unwrap();
    for (formula, calls, below) in [(&called, 3, &[6][..]), (&run, 18, &[0])] {
        let formula = formula.formula();
        let calls_of = |formula: &Formula| formula.steps.iter().filter(|s| matches!(s, Step::Call { .. })).count();
        let callees: Vec<usize> = formula.callees.iter().map(|callee| calls_of(callee)).collect();
        assert_eq!((calls_of(formula), &callees[..]), (calls, below), "{formula}");
        check(&inlined(formula).unwrap()).unwrap_or_else(|e| panic!("{e}\n{formula}"));
        check(formula).unwrap_or_else(|e| panic!("{e}\n{formula}"));
        assert_eq!(Formula::parse(&formula.to_string()).as_ref(), Ok(&**formula), "{formula}");
    }
    assert_eq!(count(called.formula()), count(run.formula()));
}
