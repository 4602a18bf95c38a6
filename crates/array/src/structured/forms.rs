//! The forms in which a structure's coordinates may lie, and which of them an engine takes.
//!
//! Over a prime field there is one, that of the field's own arrays. Over a binary field elements are whole words in
//! lanes, multiplied by carry-less products, or bit-sliced: what decides is a multiple of a point, which is what curves
//! over such fields are there for.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use evariste_algorithms::operation::Holds;
use evariste_algorithms::{Operation, kinds, plans};
use evariste_descriptions::{BinaryField, Curve, Field, Modulus, Part, Tower};
use evariste_run::TimingLock;
use num_bigint::BigUint;

use super::{Operand, Structured, is_of_arrays};
use crate::choose;
use crate::engine::{Engine, Options};
use crate::error::ArrayError;

/// What forms are compared by.
const DECIDES: Operation = Operation::LADDER;

/// How often each form is timed; the least counts.
const ROUNDS: usize = 5;

impl Structured {
    /// The engines of a structure, one for each form of its coordinates.
    ///
    /// # Errors
    /// A structure of another kind; one without a layout for lanes.
    pub(super) fn forms(field: &Field, options: &Options) -> Result<Vec<Structured>, ArrayError> {
        let ground = kinds::ground(field);
        let measured = options.measured || !options.forget;
        let over = |ground: Engine| Structured::over(field, ground, measured);
        if let Some(f) = ground.get::<BinaryField>().filter(|_| ground != *field) {
            let backends = if options.interpreted { Vec::new() } else { choose::backends(options.features.as_deref()) };
            let backends = if options.measured { choose::of_this_core(backends) } else { backends };
            let mut forms = choose::binary_forms(f, &backends);
            // What is asked for, where it is there.
            for (asked, sliced) in [(options.sliced, true), (options.whole, false)] {
                if asked && forms.iter().any(|(layout, _)| (layout.word == 1) == sliced) {
                    forms.retain(|(layout, _)| (layout.word == 1) == sliced);
                }
            }
            let engines = forms.into_iter().map(|form| Engine::binary(&ground, f, form, options.clone()));
            return engines.map(|engine| engine.map(over)).collect();
        }
        if ground == *field || ground.get::<Modulus>().is_none() {
            let why = "arrays hold several coordinates of towers, curves and pairings over a prime or a binary field";
            return Err(ArrayError::kernel("arrays", &field.text(), why));
        }
        let options = Options { ranking: None, ..options.clone() };
        Ok(vec![over(Engine::made(&ground, options, false)?)])
    }

    /// The structure's engine on that of its prime or binary field.
    fn over(field: &Field, ground: Engine, measured: bool) -> Structured {
        let has =
            |operation: &Operation| is_of_arrays(operation) && !plans(field, ground.layout(), operation).is_empty();
        let own = kinds::exact(field).into_iter().filter(has).map(|op| (op, OnceLock::new())).collect();
        let tower = field.get::<Curve>().map(Curve::field).filter(|below| below.get::<Tower>().is_some());
        let below = tower.map(|tower| Arc::new(Structured::over(tower, ground.clone(), measured)));
        Structured { ground, field: field.clone(), codes: Arc::new(own), below, choice: None, measured }
    }

    /// The form of the least cycles of an element, as the table of a core has them; those that are as good as each other
    /// in the order of the list.
    pub(super) fn estimated(mut forms: Vec<Structured>) -> Result<Structured, ArrayError> {
        let most = forms.iter().map(|form| form.codes.len()).max();
        forms.retain(|form| Some(form.codes.len()) == most);
        if forms.len() > 1 {
            let cycles: Vec<Option<f64>> = forms.iter().map(Structured::cycles_of_an_element).collect();
            let least = (0..forms.len()).min_by(|i, j| {
                let [x, y] = [i, j].map(|i| cycles[*i].unwrap_or(f64::INFINITY));
                x.total_cmp(&y)
            });
            let texts = forms.iter().zip(&cycles).map(|(form, cycles)| match cycles {
                Some(cycles) => format!("{}: at least {cycles:.0} cycles a point", form.form()),
                None => format!("{}: no code", form.form()),
            });
            let choice = texts.collect::<Vec<_>>().join("; ");
            forms.swap(0, least.unwrap_or(0));
            forms[0].choice = Some(choice);
        }
        forms.into_iter().next().ok_or_else(|| ArrayError::kernel("arrays", "", "no form of coordinates"))
    }

    /// The form that takes the least time here, on a block of points each; its plans are those of the least cycles on the
    /// core at hand.
    pub(super) fn timed(mut forms: Vec<Structured>) -> Result<Structured, ArrayError> {
        let most = forms.iter().map(|form| form.codes.len()).max();
        forms.retain(|form| Some(form.codes.len()) == most);
        if forms.len() > 1 {
            let trials: Vec<Result<Trial, ArrayError>> = forms.iter().map(Trial::new).collect();
            let lock = TimingLock::acquire();
            let mut least = vec![f64::INFINITY; forms.len()];
            for _ in 0..ROUNDS {
                for (least, trial) in least.iter_mut().zip(&trials) {
                    if let Some(ns) = trial.as_ref().ok().and_then(|trial| trial.run().ok()) {
                        *least = least.min(ns);
                    }
                }
            }
            drop(lock);
            let texts = forms.iter().zip(&least).map(|(form, ns)| match ns.is_finite() {
                true => format!("{}: {ns:.0} ns a point", form.form()),
                false => format!("{}: no code", form.form()),
            });
            let choice = format!("measured here: {}", texts.collect::<Vec<_>>().join("; "));
            let best = (0..forms.len()).min_by(|i, j| least[*i].total_cmp(&least[*j]));
            forms.swap(0, best.unwrap_or(0));
            forms[0].choice = Some(choice);
        }
        forms.into_iter().next().ok_or_else(|| ArrayError::kernel("arrays", "", "no form of coordinates"))
    }

    /// The form of coordinates, in words.
    fn form(&self) -> String {
        let (layout, lanes) = (self.ground.layout(), self.ground.lanes());
        let how = if layout.word == 1 { "bit-sliced" } else { "whole words" };
        format!("{how} in {lanes} lanes")
    }

    /// The least cycles of a multiple, for each of the elements that are computed at once.
    fn cycles_of_an_element(&self) -> Option<f64> {
        let ranked = self.ranked(&DECIDES, &mut Vec::new()).ok()?;
        let (_, _, kernel) = ranked.first()?;
        Some(self.cycles(kernel)? / self.ground.lanes() as f64)
    }
}

/// A block of points of which multiples are timed.
struct Trial<'a> {
    engine: &'a Structured,
    scalars: super::Scalars,
    points: super::StructuredArray,
}

impl Trial<'_> {
    fn new(engine: &Structured) -> Result<Trial<'_>, ArrayError> {
        engine.code(&DECIDES)?;
        let count = engine.ground.lanes().max(64);
        // Time depends on no number: any will do.
        let any = |i: usize| BigUint::from(0x9e37_79b9_7f4a_7c15u64 | i as u64);
        let numbers: Vec<BigUint> = (1..=count).map(|i| any(i) % engine.ground.field().order()).collect();
        let points = engine.from_numbers(Holds::Part(Part::Abscissae), &numbers)?;
        let trial = Trial { engine, scalars: engine.scalars(&numbers), points };
        trial.run().map(|_| trial)
    }

    /// Nanoseconds of a multiple.
    fn run(&self) -> Result<f64, ArrayError> {
        let start = Instant::now();
        self.engine.compute(&DECIDES, &[Operand::Scalars(&self.scalars), Operand::from(&self.points)])?;
        Ok(start.elapsed().as_nanos() as f64 / self.points.len() as f64)
    }
}
