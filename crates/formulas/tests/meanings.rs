//! What the definitions say of outputs, as polynomials.

use evariste_formulas::polynomial::Polynomial;
use evariste_formulas::{Formula, Meaning, meaning, registry};
use expect_test::expect;

use crate::checks::named;

fn show(meaning: &Meaning, p: &Polynomial) -> String {
    let mut terms: Vec<_> = p.terms().collect();
    terms.sort();
    let power =
        |(v, e): &(evariste_formulas::polynomial::Variable, u32)| format!("{}^{e}", meaning.variables[v.0 as usize]);
    let term = |m: &evariste_formulas::polynomial::Monomial| m.powers().iter().map(power).collect::<Vec<_>>().join(" ");
    terms.iter().map(|(m, c)| format!("{c} {}", term(m))).collect::<Vec<_>>().join(" + ").replace("^1", "")
}

fn text(f: &Formula) -> String {
    let meaning = meaning(f).unwrap();
    let line = |(name, p): &(String, Option<Polynomial>)| {
        format!("{name} = {}", p.as_ref().map_or("?".to_string(), |p| show(&meaning, p)))
    };
    meaning.outputs.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn definitions_say_what_outputs_are() {
    let expected = expect![[r#"
        r0 = 1 a0 b0 + 1 a1 b2 xi + 1 a2 b1 xi
        r1 = 1 a0 b1 + 1 a1 b0 + 1 a2 b2 xi
        r2 = 1 a0 b2 + 1 a1 b1 + 1 a2 b0"#]];
    expected.assert_eq(&text(&named("toom-3i")));
    let expected = expect![[r#"
        r0 = ?
        r1 = ?"#]];
    expected.assert_eq(&text(&named("quadratic-norm-inverse")));
    let expected = expect![[r#"
        X2 = 1 X0 + -1 X0 s + 1 X1 s
        Z2 = 1 Z0 + -1 Z0 s + 1 Z1 s
        X3 = 1 X0 s + 1 X1 + -1 X1 s
        Z3 = 1 Z0 s + 1 Z1 + -1 Z1 s"#]];
    expected.assert_eq(&text(&named("ladder-swap")));
    let expected = expect![[r#"
        X2 = ?
        Z2 = ?
        X3 = ?
        Z3 = ?"#]];
    expected.assert_eq(&text(&named("montgomery-ladder-step")));
}

/// All of products, squares, Frobenius; none of what is projective or an inverse.
#[test]
fn what_is_said_by_polynomials() {
    let mut said = Vec::new();
    for family in registry() {
        let outputs = meaning(&family.formulas[0].formula().unwrap()).unwrap().outputs;
        let count = outputs.iter().filter(|(_, p)| p.is_some()).count();
        said.push(format!("{} {count}/{}", family.name, outputs.len()));
    }
    let expected = expect![[r#"
        quadratic-product 2/2
        quadratic-square 2/2
        quadratic-inverse 0/2
        quadratic-norm 1/1
        quadratic-conjugate-multiple 2/2
        multiple-by-u 2/2
        multiple-by-1-plus-u 2/2
        multiple-by-1-plus-2u 2/2
        multiple-by-9-plus-u 2/2
        multiple-by-v 3/3
        cubic-product 3/3
        cubic-square 3/3
        cubic-inverse 0/3
        cubic-adjoint 1/4
        cubic-multiple 3/3
        quartic-product 4/4
        quartic-square 4/4
        quartic-norm 2/2
        quartic-half-norm 1/1
        quartic-opposite-multiple 4/4
        fifth-root-multiple 4/4
        multiple-by-quartic-root 4/4
        sextic-product 6/6
        sextic-square 6/6
        sextic-norm 3/3
        sextic-opposite-multiple 6/6
        multiple-by-sextic-root 6/6
        third-root-product 2/2
        third-root-square 2/2
        third-root-norm 1/1
        third-root-conjugate-multiple 2/2
        third-root-multiple-by-root 2/2
        sixth-root-product 2/2
        sixth-root-square 2/2
        sixth-root-norm 1/1
        sixth-root-conjugate-multiple 2/2
        sixth-root-multiple-by-root 2/2
        sixth-root-multiple-by-omega 2/2
        fifth-root-product 4/4
        fifth-root-square 4/4
        fifth-root-adjoint 1/5
        fifth-root-multiple-by-zeta 4/4
        fifth-root-multiple-by-zeta2 4/4
        fifth-root-multiple-by-zeta3 4/4
        fifth-root-multiple-by-zeta4 4/4
        twelve-product 6/6
        twelve-square 6/6
        twelve-inverse 0/6
        twelve-by-m-line 6/6
        twelve-by-d-line 6/6
        cyclotomic-square 0/6
        compressed-square 0/4
        decompression-quotient 1/2
        decompression-quotient-of-zero 1/2
        decompression-rest 0/1
        decompression 0/2
        frobenius 12/12
        frobenius-2 12/12
        frobenius-6 12/12
        weierstrass-addition 0/3
        weierstrass-doubling 0/3
        jacobian-addition 0/3
        jacobian-mixed-addition 0/3
        jacobian-doubling 0/3
        montgomery-ladder-step 0/4
        edwards-addition 0/4
        edwards-mixed-addition 0/4
        edwards-mixed-addition-minus-1 0/4
        edwards-doubling 0/4
        edwards-doubling-without-t 0/3
        lopez-dahab-step 0/4
        lopez-dahab-recovery 0/2
        binary-edwards-step 0/4
        opposite 3/3
        opposite-edwards 4/4
        opposite-binary 2/2
        endomorphism 1/3
        twist-endomorphism 4/4
        to-affine 0/2
        jacobian-to-affine 0/2
        from-affine 3/3
        from-affine-edwards 4/4
        ladder-swap 4/4
        miller-doubling 0/6
        miller-addition 0/6
        twist-frobenius 4/4
        line-at-point 4/4
        tate-doubling 0/6
        tate-addition 0/6
        line-at-even 2/2
        line-at-odd 2/2
        over-vertical 0/3
        cubic-by-line 3/3"#]];
    expected.assert_eq(&said.join("\n"));
}

/// Steps and definition say the same where the definition says it by polynomials; of curves the steps say the coordinates.
#[test]
fn steps_give_the_definitions_polynomials() {
    let mut projective = Vec::new();
    for family in registry() {
        for entry in family.formulas {
            let formula = entry.formula().unwrap();
            let defined = meaning(&formula).unwrap();
            let checked = evariste_formulas::check(&formula).unwrap();
            let computed = evariste_formulas::polynomials(&checked).unwrap();
            let scale = formula.scale.into();
            for ((name, ours), (_, theirs)) in computed.outputs.iter().zip(&defined.outputs) {
                match (ours, theirs) {
                    (Some(ours), Some(theirs)) => assert_eq!(*ours, theirs.scaled(&scale), "{} {name}", formula.name),
                    (Some(ours), None) => projective.push((ours.count(), format!("{} {name}", formula.name))),
                    _ => {}
                }
            }
        }
    }
    let longest = projective.iter().max().unwrap();
    let expected = expect!["150 by steps alone, the longest fifth-root-adjoint s2 with 13 terms"];
    expected.assert_eq(&format!(
        "{} by steps alone, the longest {} with {} terms",
        projective.len(),
        longest.1,
        longest.0
    ));
}
