//! What outputs are, as polynomials in inputs and constants, read from the definition: for who states it elsewhere (as the
//! contract of a kernel, say).

use std::collections::HashMap;

use num_bigint::BigInt;
use num_traits::{One, Signed};

use crate::check::Checked;
use crate::formula::{Formula, Line, Step};
use crate::judge::Judge;
use crate::polynomial::{Monomial, Polynomial, Variable};
use crate::quantity::Quantity;
use crate::refutation::Refutation;
use crate::verify::verify;

/// Outputs as polynomials.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meaning {
    /// The names of variables, by number: inputs, bits, constants that are not said by others, and what the definition
    /// adds.
    pub variables: Vec<String>,
    /// Each output by its name, in order, without the scale: a formula's value is [`Formula::scale`] times this. `None` where
    /// the definition does not say it by a polynomial in inputs and constants: projective coordinates, inverses.
    pub outputs: Vec<(String, Option<Polynomial>)>,
}

/// The outputs by the definition: an equation `r0 + r1*x + … = …` says each coefficient. Nothing is read from the steps.
///
/// # Errors
/// When a relation of the definition cannot be used.
pub fn meaning(formula: &Formula) -> Result<Meaning, Refutation> {
    verify(formula)?;
    let mut judge = Judge::new(formula, &formula.definition);
    judge.constants()?;
    let inner = judge.names.len();
    judge.relations()?;
    let outputs: Vec<(String, Variable)> =
        formula.output_list().map(|o| (o.name.clone(), judge.variable(&o.name))).collect();
    for line in formula.definition.0.iter().filter(|line| matches!(line, Line::Let { .. })) {
        judge.line(line)?;
    }
    let mut found: HashMap<Variable, Polynomial> = HashMap::new();
    for line in &formula.definition.0 {
        if let Line::Gives { left, right, by: None } = line
            && let (Ok(left), Ok(right)) = (judge.value(left, line), judge.value(right, line))
        {
            let equation = difference(&judge, &left, &right);
            coefficients(&judge, &equation).for_each(|c| solve(&judge, &outputs, &c, &mut found));
        }
    }
    // Polynomials in inputs and constants alone.
    let plain = |p: &Polynomial| p.terms().all(|(m, _)| m.powers().iter().all(|(v, _)| (v.0 as usize) < inner));
    let output = |(name, v): (String, Variable)| (name, found.get(&v).filter(|p| plain(p)).cloned());
    Ok(Meaning { outputs: outputs.into_iter().map(output).collect(), variables: judge.names })
}

/// What the steps compute, with the scale, as polynomials in inputs and constants; of a checked formula this is the
/// definition's value times the scale (or coordinates of the definition's point). `None` for what halves or inverts.
///
/// # Errors
/// When polynomials are too large.
pub fn polynomials(formula: &Checked) -> Result<Meaning, Refutation> {
    let formula = &**formula.formula();
    let mut judge = Judge::new(formula, &formula.definition);
    judge.constants()?;
    let variables = judge.names.clone();
    let inverts = formula.steps.iter().any(|step| matches!(step, Step::Invert(_)));
    let values = if inverts { vec![None; formula.output_list().count()] } else { whole(&mut judge, formula)? };
    let outputs = formula.output_list().map(|o| o.name.clone()).zip(values).collect();
    Ok(Meaning { variables, outputs })
}

fn whole(judge: &mut Judge, formula: &Formula) -> Result<Vec<Option<Polynomial>>, Refutation> {
    let scale = Polynomial::constant(formula.scale);
    let values = judge.outputs_of(formula)?.into_iter();
    Ok(values.map(|q| (q.denominator == scale).then(|| judge.ring.relations.reduce(q.numerator))).collect())
}

/// Left side minus right side, denominators multiplied through.
fn difference(judge: &Judge, left: &Quantity, right: &Quantity) -> Polynomial {
    let relations = &judge.ring.relations;
    let [a, b] = [(left, right), (right, left)].map(|(x, y)| relations.times(&x.numerator, &y.denominator));
    relations.reduce(a.minus(&b))
}

/// The coefficients of the powers of all roots.
fn coefficients(judge: &Judge, p: &Polynomial) -> impl Iterator<Item = Polynomial> {
    let mut all: HashMap<Monomial, Polynomial> = HashMap::new();
    for (m, c) in p.terms() {
        let (root, rest) = (m.only(|v| judge.is_root(v)), m.only(|v| !judge.is_root(v)));
        all.entry(root).or_default().add_term(rest, c.clone());
    }
    all.into_values()
}

/// `±o + rest = 0`, rest without outputs, says what o is.
fn solve(judge: &Judge, outputs: &[(String, Variable)], p: &Polynomial, found: &mut HashMap<Variable, Polynomial>) {
    let mentioned: Vec<Variable> = outputs.iter().map(|(_, v)| *v).filter(|v| p.mentions(*v)).collect();
    let [output] = mentioned[..] else { return };
    let parts = p.coefficients(output);
    let [rest, factor] = &parts[..] else { return };
    let Some((_, c)) = factor.first().filter(|(m, c)| factor.count() == 1 && m.powers().is_empty() && c.abs().is_one())
    else {
        return;
    };
    found.insert(output, judge.ring.relations.reduce(rest.scaled(&(BigInt::from(-1) * c))));
}
