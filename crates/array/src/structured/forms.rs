//! The forms in which a structure's coordinates may lie, and which of them an engine takes.
//!
//! Over a prime field it is that of the field's own arrays; where vectors are short, elements of towers may lie one by
//! one in whole words instead, as scalar code has them: what decides is a product. Over a binary field elements are whole
//! words in lanes, multiplied by carry-less products, or bit-sliced: what decides is a multiple of a point, which is what
//! curves over such fields are there for.

use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use evariste_algorithms::operation::Holds;
use evariste_algorithms::{Layout, Operation, kinds, layouts, plans};
use evariste_descriptions::{BinaryField, Curve, Field, Modulus, Part, Tower};
use evariste_run::TimingLock;
use num_bigint::BigUint;

use super::code::{BEYOND, WIDE};
use super::{Codes, Operand, Structured, is_of_arrays};
use crate::choose;
use crate::engine::{Engine, Options};
use crate::error::ArrayError;

/// How often each form is timed; the least counts.
const ROUNDS: usize = 5;

/// Elements of an array that is short beside the vectors of bit-sliced code.
const FEW: usize = 64;

/// How many elements arrays will have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lengths {
    /// Few or many.
    Any,
    /// About so many.
    About(NonZeroUsize),
}

impl Lengths {
    /// Of that option.
    fn of(elements: usize) -> Lengths {
        NonZeroUsize::new(elements).map_or(Lengths::Any, Lengths::About)
    }

    /// A short one of these lengths, and how many lanes are computed there for each element: the last vector's are,
    /// whether they hold one or not.
    fn shortest(self, lanes: usize) -> (usize, f64) {
        let length = match self {
            Lengths::Any => FEW,
            Lengths::About(elements) => elements.get(),
        };
        (length, length.next_multiple_of(lanes.max(1)) as f64 / length as f64)
    }

    /// Lanes that are computed for each element: where nothing is known of lengths, the geometric mean of long arrays, which
    /// fill their vectors, and of short ones.
    fn lanes_of_an_element(self, lanes: usize) -> f64 {
        let (_, of_few) = self.shortest(lanes);
        if self == Lengths::Any { of_few.sqrt() } else { of_few }
    }
}

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
        let lanes = over(Engine::made(&ground, options.clone(), false)?);
        let asked = options.whole;
        let whole = one_by_one(field, &ground, &lanes.ground, options).map(over);
        let whole = whole.and_then(|form| form.with_the_operations_of(&lanes));
        Ok(match whole {
            Some(whole) if asked => vec![whole],
            Some(whole) => vec![lanes, whole],
            None => vec![lanes],
        })
    }

    /// This engine with no operation but those of another one; `None` where it lacks one.
    fn with_the_operations_of(self, other: &Structured) -> Option<Structured> {
        let has = |operation: &Operation| self.operations().any(|own| own == operation);
        let all = other.operations().map(|operation| has(operation).then(|| (operation.clone(), OnceLock::new())));
        let codes = Arc::new(all.collect::<Option<Codes>>()?);
        Some(Structured { codes, ..self })
    }

    /// The operation that decides between forms, and what it is of.
    fn decides(&self) -> (Operation, &'static str) {
        if self.field.get::<Tower>().is_some() { (Operation::MUL, "a product") } else { (Operation::LADDER, "a point") }
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

    /// The form of the least cycles of an element of such arrays, as the table of a core has them.
    pub(super) fn estimated(forms: Vec<Structured>, elements: usize) -> Result<Structured, ArrayError> {
        Structured::least(forms, Lengths::of(elements), |forms| {
            let reckons = forms.first().map_or("", Structured::reckons);
            (["", reckons, "cycles"], forms.iter().map(Structured::cycles_of_an_element).collect())
        })
    }

    /// The form that takes the least time here for an element of such arrays, by the time of a block of points each; its
    /// plans are those of the least cycles on the core at hand.
    pub(super) fn timed(forms: Vec<Structured>, elements: usize) -> Result<Structured, ArrayError> {
        Structured::least(forms, Lengths::of(elements), |forms| {
            let trials: Vec<Result<Trial, ArrayError>> = forms.iter().map(Trial::new).collect();
            let lock = TimingLock::acquire();
            let mut least = vec![None; forms.len()];
            for _ in 0..ROUNDS {
                for (least, trial) in least.iter_mut().zip(&trials) {
                    if let Some(ns) = trial.as_ref().ok().and_then(|trial| trial.run().ok()) {
                        *least = Some(least.map_or(ns, |least: f64| least.min(ns)));
                    }
                }
            }
            drop(lock);
            (["measured here: ", "", "ns"], least)
        })
    }

    /// The form of the least cost of an element of such arrays, of what an element costs where no lane is empty; those that
    /// are as good as each other in the order of the list. Words: how costs are known, what they are, and their unit.
    fn least(
        mut forms: Vec<Structured>,
        lengths: Lengths,
        costs: impl Fn(&[Structured]) -> ([&'static str; 3], Vec<Option<f64>>),
    ) -> Result<Structured, ArrayError> {
        let most = forms.iter().map(|form| form.codes.len()).max();
        forms.retain(|form| Some(form.codes.len()) == most);
        if forms.len() > 1 {
            let ([how, are, unit], costs) = costs(&forms);
            let texts = forms.iter().zip(&costs).map(|(form, cost)| {
                let Some(cost) = cost else { return format!("{}: no code", form.form()) };
                let (length, lanes) = lengths.shortest(form.ground.lanes());
                let few =
                    if lanes > 1.0 { format!(", {:.0} in arrays of {length}", cost * lanes) } else { String::new() };
                let what = [are, &format!("{cost:.0}"), unit, form.decides().1];
                let what = what.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
                format!("{}: {what}{few}", form.form())
            });
            let choice = format!("{how}{}", texts.collect::<Vec<_>>().join("; "));
            let weighed: Vec<f64> = forms
                .iter()
                .zip(&costs)
                .map(|(form, cost)| {
                    cost.map_or(f64::INFINITY, |cost| cost * lengths.lanes_of_an_element(form.ground.lanes()))
                })
                .collect();
            let best = (0..forms.len()).min_by(|i, j| weighed[*i].total_cmp(&weighed[*j]));
            forms.swap(0, best.unwrap_or(0));
            forms[0].choice = Some(choice);
        }
        forms.into_iter().next().ok_or_else(|| ArrayError::kernel("arrays", "", "no form of coordinates"))
    }

    /// The form of coordinates, in words.
    fn form(&self) -> String {
        let (layout, lanes) = (self.ground.layout(), self.ground.lanes());
        match (layout.word, self.field.get::<Tower>()) {
            (1, _) => format!("bit-sliced in {lanes} lanes"),
            (_, None) => format!("whole words in {lanes} lanes"),
            (_, Some(_)) if lanes == 1 => format!("{} one by one", layout.name),
            (_, Some(_)) => format!("{} in {lanes} lanes", layout.name),
        }
    }

    /// What the cycles are that forms are compared by.
    fn reckons(&self) -> &'static str {
        if self.field.get::<Tower>().is_some() { "about" } else { "at least" }
    }

    /// The least cycles of what decides, for each of the elements that are computed at once; of towers about what code
    /// takes, since forms are of lanes and of scalar code there.
    fn cycles_of_an_element(&self) -> Option<f64> {
        let ranked = self.ranked(&self.decides().0, &mut Vec::new()).ok()?;
        let (_, _, kernel) = ranked.first()?;
        let beyond = match self.field.get::<Tower>() {
            Some(_) => BEYOND[usize::from(self.ground.lanes() == 1)],
            None => 1.0,
        };
        Some(beyond * self.cycles(kernel)? / self.ground.lanes() as f64)
    }
}

/// The engine of a prime field of several words for towers by scalar code, which may be ahead of vectors of few words.
fn one_by_one(field: &Field, ground: &Field, lanes: &Engine, options: Options) -> Option<Engine> {
    let (kernels, modulus) = (&lanes.kernels, ground.get::<Modulus>()?);
    let may_be_ahead = (kernels.row() < WIDE || options.whole) && kernels.per_word() == 1;
    if field.get::<Tower>().is_none() || !may_be_ahead || options.interpreted {
        return None;
    }
    let (chosen, backend) = choose::scalar(field, options.features.as_deref(), options.forget).ok()?;
    // Canonical at rest, where nothing else was measured.
    let montgomery = chosen.layout.montgomery.is_some();
    let canonical = |l: &Layout| choose::in_whole_words(l, &*backend) && l.montgomery.is_some() == montgomery;
    let layout = match &chosen.ranking {
        Some(_) => Some(chosen.layout),
        None => layouts(field, chosen.layout.word).into_iter().find(canonical),
    };
    let layout = layout.filter(|layout| choose::in_whole_words(layout, &*backend))?;
    Engine::whole(ground, modulus, (layout, Some(backend)), options).ok()
}

/// A block of elements that are timed: points of which multiples are computed, or factors.
struct Trial<'a> {
    engine: &'a Structured,
    operation: Operation,
    scalars: Option<super::Scalars>,
    elements: super::StructuredArray,
}

impl Trial<'_> {
    fn new(engine: &Structured) -> Result<Trial<'_>, ArrayError> {
        let (operation, _) = engine.decides();
        engine.code(&operation)?;
        let is_of_points = operation == Operation::LADDER;
        let count = engine.ground.lanes().max(64);
        // Time depends on no number: any will do.
        let any = |i: usize| BigUint::from(0x9e37_79b9_7f4a_7c15u64 | i as u64);
        let numbers: Vec<BigUint> = (1..=count).map(|i| any(i) % engine.ground.field().order()).collect();
        let holds = if is_of_points { Holds::Part(Part::Abscissae) } else { Holds::Element };
        let scalars = is_of_points.then(|| engine.scalars(&numbers));
        let trial = Trial { engine, operation, scalars, elements: engine.from_numbers(holds, &numbers)? };
        trial.run().map(|_| trial)
    }

    /// Nanoseconds of a result.
    fn run(&self) -> Result<f64, ArrayError> {
        let elements = Operand::from(&self.elements);
        let first = self.scalars.as_ref().map_or(elements, Operand::Scalars);
        let start = Instant::now();
        self.engine.compute(&self.operation, &[first, elements])?;
        Ok(start.elapsed().as_nanos() as f64 / self.elements.len() as f64)
    }
}
