//! Formulas over an extension as formulas over its base: every operation by the formula that a floor has chosen for it.

use num_bigint::BigInt;

use crate::check::{Checked, check};
use crate::emit::{Emitter, Part};
use crate::evaluate::{Ring, evaluate, expression};
use crate::expression::Expression;
use crate::floor::{Floor, Multiple, combination};
use crate::formula::{
    Bit, Characteristic, Constant, Definition, Formula, Group, Known, Line, Output, OutputGroup, Value,
};
use crate::inline::set_outputs;

/// Why a formula has no form over the base.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unflat {
    /// A sum of elements that carry different factors.
    #[error(
        "{formula} over {floor}: a sum of elements of scales {left} and {right}; products that are added must carry \
         equal factors: choose products and squares of one scale, or divide before"
    )]
    Scales {
        /// The formula.
        formula: String,
        /// The floor.
        floor: String,
        /// Left operand's.
        left: u32,
        /// Right operand's.
        right: u32,
    },
    /// Something that the floor lacks.
    #[error("{formula} over {floor}: {what}")]
    Lacks {
        /// The formula.
        formula: String,
        /// The floor.
        floor: String,
        /// What.
        what: String,
    },
}

/// A formula over `K` as one over `K0`. Its definition is the same, with every element of `K` written in coordinates;
/// it holds because the formula's holds in every ring, and the floor's formulas are that ring's operations.
///
/// # Errors
/// When the floor lacks an operation, or scales do not agree.
pub fn flatten(formula: &Checked, floor: &Floor) -> Result<Checked, Unflat> {
    let lacks =
        |what: String| Unflat::Lacks { formula: formula.formula().name.clone(), floor: floor.name.clone(), what };
    let mut flat = Flat::new(formula.formula(), floor);
    flat.constants().map_err(lacks)?;
    let whole = flat.write()?;
    crate::verify::verify(&whole).map_err(|e| lacks(e.message))?;
    Ok(Checked::composed(whole))
}

/// An element of `K`: coordinates, and the factor that they carry.
#[derive(Clone, PartialEq)]
struct Coordinates {
    parts: Vec<Part>,
    scale: u32,
    /// The constant of `K` that it is, where the floor knows how to multiply by it.
    multiple: Option<usize>,
}

struct Flat<'a> {
    formula: &'a Formula,
    /// The formula's definition, without names that the floor's constants have.
    lines: Vec<Line>,
    floor: &'a Floor,
    emitter: Emitter,
    /// The root's name in the new formula.
    root: String,
    /// Constants of `K` that are free there: their coordinates are constants of `K0`.
    free: Vec<String>,
    /// Formulas that are called, and what they are over the base; `None`: they are run.
    called: Vec<(Formula, Option<Formula>)>,
    error: Option<Unflat>,
}

impl<'a> Flat<'a> {
    fn new(formula: &'a Formula, floor: &'a Floor) -> Flat<'a> {
        let lines: Vec<Line> =
            formula.definition.0.iter().map(|line| line.renamed(&|name| apart(formula, floor, name))).collect();
        let mut taken: Vec<String> = all_names(formula, &lines);
        let coordinates = |name: &String| (0..floor.degree()).map(|k| coordinate(name, k)).collect::<Vec<_>>();
        taken.extend(taken.clone().iter().flat_map(coordinates));
        let constants = floor.constants.clone();
        let clashes = |name: &String| taken.contains(name) || constants.iter().any(|c| c.name == *name);
        let root = std::iter::once(floor.root.0.clone()).chain((1..).map(|i| format!("{}_{i}_", floor.root.0)));
        let root = root.into_iter().find(|name| !clashes(name)).unwrap_or_default();
        let emitter = Emitter::new(constants, taken);
        Flat { formula, lines, floor, emitter, root, free: Vec::new(), called: Vec::new(), error: None }
    }

    fn multiple(&self, name: &str) -> Option<(usize, &'a Multiple)> {
        self.floor.multiples.iter().enumerate().find(|(_, m)| m.name == name)
    }

    /// The formula's constants in `K0`: those that the floor does not know get coordinates of their own.
    fn constants(&mut self) -> Result<(), String> {
        for constant in &self.formula.constants {
            match (&constant.known, self.multiple(&constant.name)) {
                (Known::Is(_), None) => {}
                (Known::Free, None) => {
                    for k in 0..self.floor.degree() {
                        let name = coordinate(&constant.name, k);
                        self.emitter.constants.push(Constant { name, known: Known::Free });
                    }
                    self.free.push(constant.name.clone());
                }
                (Known::Root { .. }, None) => {
                    return Err(format!("the floor does not say what the constant {} is", constant.name));
                }
                (_, Some(_)) => self.relation(constant)?,
            }
        }
        Ok(())
    }

    /// Does the floor's constant satisfy what the formula knows of it?
    fn relation(&self, constant: &Constant) -> Result<(), String> {
        let (left, is) = match &constant.known {
            Known::Free => return Ok(()),
            Known::Is(is) => (Expression::Name(constant.name.clone()), is),
            Known::Root { power, is } => {
                (Expression::Power(Box::new(Expression::Name(constant.name.clone())), *power), is)
            }
        };
        let floor = self.floor;
        let mut lines = vec![Line::Root { name: floor.root.0.clone(), power: floor.root.1, is: floor.root.2.clone() }];
        // A constant of the base itself keeps its name.
        let other = floor.multiples.iter().filter(|m| m.is != Expression::Name(m.name.clone()));
        lines.extend(other.map(|m| Line::Let { name: m.name.clone(), is: m.is.clone() }));
        let plus = |e: &Expression| {
            Expression::Sum(Box::new(e.clone()), Box::new(Expression::Name("element_of_floor".to_string())))
        };
        let right = Expression::Sum(Box::new(is.clone()), Box::new(Expression::Name("same_element".to_string())));
        lines.push(Line::Gives { left: plus(&left), right, by: None });
        let element = || vec!["element_of_floor".to_string()];
        let question = Formula {
            name: floor.name.clone(),
            computes: String::new(),
            source: String::new(),
            characteristic: self.formula.characteristic,
            inputs: vec![Group { name: "x".to_string(), elements: element() }],
            bits: Vec::new(),
            constants: floor.constants.clone(),
            callees: Vec::new(),
            steps: Vec::new(),
            outputs: vec![OutputGroup {
                name: "y".to_string(),
                elements: vec![Output { name: "same_element".to_string(), value: Value(0) }],
            }],
            scale: 1,
            definition: Definition(lines),
        };
        let refused = |e| format!("the constant {} is not what the formula needs: {e}", constant.name);
        check(&question).map(|_| ()).map_err(refused)
    }

    /// Writes the whole formula.
    fn write(mut self) -> Result<Formula, Unflat> {
        let (formula, degree) = (self.formula, self.floor.degree());
        let inputs: Vec<Coordinates> = (0..formula.input_count())
            .map(|i| {
                let part = |k| Part::Value { value: Value((i * degree + k) as u32), negative: false };
                Coordinates { parts: (0..degree).map(part).collect(), scale: 1, multiple: None }
            })
            .collect();
        let bit = |i| Coordinates { parts: vec![Part::Bit(Bit(i))], scale: 1, multiple: None };
        let bits: Vec<Coordinates> = (0..formula.bits.len() as u32).map(bit).collect();
        let known: Vec<(String, Coordinates)> =
            formula.constants.iter().filter_map(|c| Some((c.name.clone(), self.constant(&c.name)?))).collect();
        let named = |name: &str| known.iter().find(|(n, _)| n == name).map(|(_, c)| c.clone());
        let outputs = evaluate(formula, &mut self, &inputs, &bits, &named);
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let outputs = outputs.map_err(|failure| self.lacks(failure.to_string()))?;
        let scale = outputs.first().map_or(1, |o| o.scale);
        if let Some(other) = outputs.iter().find(|o| o.scale != scale) {
            return Err(self.unequal(scale, other.scale));
        }
        let values: Vec<Value> = outputs.iter().flat_map(|o| &o.parts).map(|part| self.emitter.plain(part)).collect();
        let scale = formula.scale.checked_mul(scale).ok_or_else(|| self.lacks("the scale is too large".to_string()))?;
        let characteristic = self.characteristic()?;
        Ok(Formula { characteristic, ..self.assemble(scale, &values) })
    }

    /// A constant of `K` that the floor or the formula's free ones give.
    fn constant(&mut self, name: &str) -> Option<Coordinates> {
        let degree = self.floor.degree();
        if self.free.iter().any(|n| n == name) {
            let part = |k| Part::Constant { name: coordinate(name, k), negative: false };
            return Some(Coordinates { parts: (0..degree).map(part).collect(), scale: 1, multiple: None });
        }
        let (at, multiple) = self.multiple(name)?;
        let mut root = vec![Part::zero(); degree];
        // In an extension of degree 1 the root is what its power is.
        if degree > 1 {
            root[1] = Part::Integer(BigInt::from(1));
        }
        let root = Coordinates { parts: root, scale: 1, multiple: None };
        let constants = self.floor.constants.clone();
        let floor_root = self.floor.root.0.clone();
        let named = |n: &str| {
            if n == floor_root {
                return Some(root.clone());
            }
            let mut parts = vec![Part::zero(); degree];
            parts[0] = base_constant(constants.iter().find(|c| c.name == n)?);
            Some(Coordinates { parts, scale: 1, multiple: None })
        };
        let value = expression(&multiple.is, self, &named).ok()?;
        Some(Coordinates { multiple: multiple.by.is_some().then_some(at), ..value })
    }

    fn assemble(self, scale: u32, values: &[Value]) -> Formula {
        let (formula, degree) = (self.formula, self.floor.degree());
        let spread = |name: &String| (0..degree).map(|k| coordinate(name, k)).collect::<Vec<_>>();
        let inputs: Vec<Group> = formula
            .inputs
            .iter()
            .map(|g| Group { name: g.name.clone(), elements: g.elements.iter().flat_map(spread).collect() })
            .collect();
        let output = |name| Output { name, value: Value(0) };
        let mut outputs: Vec<OutputGroup> = formula
            .outputs
            .iter()
            .map(|g| OutputGroup {
                name: g.name.clone(),
                elements: g.elements.iter().flat_map(|o| spread(&o.name)).map(output).collect(),
            })
            .collect();
        let count = (formula.input_count() * degree) as u32;
        let (steps, values) = self.emitter.finish(count, values);
        set_outputs(&mut outputs, &values);
        Formula {
            name: format!("{}-over-{}", formula.name, self.floor.name),
            definition: self.definition(),
            inputs,
            outputs,
            steps,
            scale,
            constants: self.emitter.constants,
            callees: self.emitter.callees,
            ..formula.clone()
        }
    }

    /// Of the formula and all formulas of the floor.
    fn characteristic(&self) -> Result<Characteristic, Unflat> {
        let floor = self.floor;
        let chosen = [Some(&floor.product), floor.square.as_ref(), floor.inverse.as_ref()];
        let multiples = floor.multiples.iter().map(|m| m.by.as_ref());
        let all = chosen.into_iter().chain(multiples).flatten().map(|c| c.formula().characteristic);
        let special: Vec<Characteristic> =
            all.chain([self.formula.characteristic]).filter(|c| *c != Characteristic::Any).collect();
        match special.iter().find(|c| **c != special[0]) {
            Some(_) => Err(self.lacks("some formulas are for characteristic 2, and some for others".to_string())),
            None => Ok(special.first().copied().unwrap_or(Characteristic::Any)),
        }
    }

    /// The same definition, with elements of `K` in coordinates.
    fn definition(&self) -> Definition {
        let (formula, floor) = (self.formula, self.floor);
        let degree = floor.degree();
        let rename = |name: &str| if name == floor.root.0 { self.root.clone() } else { name.to_string() };
        let mut lines =
            vec![Line::Root { name: self.root.clone(), power: floor.root.1, is: floor.root.2.renamed(&rename) }];
        let apart = |name: &str| apart(formula, floor, name);
        let coordinates =
            |name: &str| combination(&(0..degree).map(|k| coordinate(name, k)).collect::<Vec<_>>(), &self.root);
        let spread = |name: &str| Line::Let { name: name.to_string(), is: coordinates(name) };
        for constant in &formula.constants {
            lines.push(match (&constant.known, self.multiple(&constant.name)) {
                // A constant of the base itself keeps its name.
                (_, Some((_, m))) if m.is == Expression::Name(m.name.clone()) => continue,
                (_, Some((_, multiple))) => Line::Let { name: apart(&constant.name), is: multiple.is.renamed(&rename) },
                (Known::Is(is), None) => Line::Let { name: apart(&constant.name), is: is.renamed(&apart) },
                _ => Line::Let { name: apart(&constant.name), is: coordinates(&constant.name) },
            });
        }
        lines.extend(formula.input_names().map(spread));
        lines.extend(formula.output_list().map(|o| spread(&o.name)));
        for line in &self.lines {
            if let Line::Unknown(name) = line {
                lines.extend((0..degree).map(|k| Line::Unknown(coordinate(name, k))));
                lines.push(spread(name));
            } else {
                lines.push(line.clone());
            }
        }
        Definition(lines)
    }

    fn lacks(&self, what: String) -> Unflat {
        Unflat::Lacks { formula: self.formula.name.clone(), floor: self.floor.name.clone(), what }
    }

    fn unequal(&self, left: u32, right: u32) -> Unflat {
        Unflat::Scales { formula: self.formula.name.clone(), floor: self.floor.name.clone(), left, right }
    }

    /// The scale of a sum.
    fn common(&mut self, a: &Coordinates, b: &Coordinates) -> u32 {
        let zero = |c: &Coordinates| c.parts.iter().all(|p| *p == Part::zero());
        if zero(a) {
            return b.scale;
        }
        if a.scale != b.scale && !zero(b) {
            let error = self.unequal(a.scale, b.scale);
            self.error.get_or_insert(error);
        }
        a.scale
    }

    fn product_of_scales(&mut self, scales: &[u32]) -> u32 {
        let product = scales.iter().try_fold(1u32, |p, s| p.checked_mul(*s));
        product.unwrap_or_else(|| {
            let error = self.lacks("the scale is too large".to_string());
            self.error.get_or_insert(error);
            1
        })
    }

    /// Runs one of the floor's formulas on parts.
    fn run(&mut self, formula: &Formula, inputs: &[Part]) -> Vec<Part> {
        let constants = self.floor.constants.clone();
        let named = |name: &str| constants.iter().find(|c| c.name == name).map(base_constant);
        match evaluate(formula, &mut self.emitter, inputs, &[], &named) {
            Ok(parts) => parts,
            Err(failure) => {
                let error = self.lacks(format!("{}: {failure}", formula.name));
                self.error.get_or_insert(error);
                vec![Part::zero(); self.floor.degree()]
            }
        }
    }

    /// As [`Flat::run`], by a call where the floor wants calls.
    fn call(&mut self, formula: &Formula, inputs: &[Part]) -> Vec<Part> {
        let called = if self.floor.calls { self.emitter.call(formula, inputs) } else { None };
        called.unwrap_or_else(|| self.run(formula, inputs))
    }

    fn each(&mut self, a: &Coordinates, f: impl Fn(&mut Emitter, &Part) -> Part) -> Coordinates {
        let parts = a.parts.iter().map(|p| f(&mut self.emitter, p)).collect();
        Coordinates { parts, scale: a.scale, multiple: None }
    }

    fn pairs(
        &mut self,
        a: &Coordinates,
        b: &Coordinates,
        f: impl Fn(&mut Emitter, &Part, &Part) -> Part,
    ) -> Coordinates {
        let scale = self.common(a, b);
        let parts = a.parts.iter().zip(&b.parts).map(|(x, y)| f(&mut self.emitter, x, y)).collect();
        Coordinates { parts, scale, multiple: None }
    }
}

/// A constant of `K0` as a part: integers are known.
fn base_constant(c: &Constant) -> Part {
    match &c.known {
        Known::Is(Expression::Integer(x)) => Part::Integer(x.clone()),
        Known::Is(Expression::Negative(e)) => match &**e {
            Expression::Integer(x) => Part::Integer(-x),
            _ => Part::Constant { name: c.name.clone(), negative: false },
        },
        _ => Part::Constant { name: c.name.clone(), negative: false },
    }
}

/// The name of a coordinate.
fn coordinate(name: &str, k: usize) -> String {
    format!("{name}_{k}")
}

/// Every name that a formula has.
fn all_names(f: &Formula, lines: &[Line]) -> Vec<String> {
    let mut all: Vec<String> = f.input_names().map(str::to_string).collect();
    all.extend(f.bits.iter().cloned());
    all.extend(f.constants.iter().map(|c| c.name.clone()));
    all.extend(f.output_list().map(|o| o.name.clone()));
    all.extend(lines.iter().filter_map(Line::declares).map(str::to_string));
    all
}

/// Another name for what is named like a constant of the floor.
fn apart(f: &Formula, floor: &Floor, name: &str) -> String {
    let declared = f.definition.0.iter().filter_map(Line::declares).any(|n| n == name);
    // A constant of the base itself keeps its name.
    let same = floor.multiples.iter().any(|m| m.name == name && m.is == Expression::Name(m.name.clone()));
    let ours = declared || !same && f.constants.iter().any(|c| c.name == name);
    if ours && floor.constants.iter().any(|c| c.name == name) { format!("{name}_above") } else { name.to_string() }
}

impl Ring for Flat<'_> {
    type Element = Coordinates;

    fn integer(&mut self, x: &BigInt) -> Coordinates {
        let mut parts = vec![Part::zero(); self.floor.degree()];
        parts[0] = Part::Integer(x.clone());
        Coordinates { parts, scale: 1, multiple: None }
    }

    fn add(&mut self, a: &Coordinates, b: &Coordinates) -> Coordinates {
        self.pairs(a, b, |e, x, y| e.add(x, y))
    }

    fn sub(&mut self, a: &Coordinates, b: &Coordinates) -> Coordinates {
        self.pairs(a, b, |e, x, y| e.sub(x, y))
    }

    fn neg(&mut self, a: &Coordinates) -> Coordinates {
        self.each(a, |e, x| e.neg(x))
    }

    fn small(&mut self, k: u32, a: &Coordinates) -> Coordinates {
        self.each(a, |e, x| e.small(k, x))
    }

    fn double(&mut self, a: &Coordinates) -> Coordinates {
        self.small(2, a)
    }

    fn mul(&mut self, a: &Coordinates, b: &Coordinates) -> Coordinates {
        // An integer multiplies every coordinate.
        let integer = |c: &Coordinates| {
            let rest = c.parts[1..].iter().all(|p| *p == Part::zero());
            (rest && matches!(c.parts[0], Part::Integer(_))).then(|| c.parts[0].clone())
        };
        for (one, other) in [(a, b), (b, a)] {
            if let Some(x) = integer(one) {
                return self.each(other, |e, y| e.mul(&x, y));
            }
        }
        let product = self.floor.product.clone();
        let scale = self.product_of_scales(&[a.scale, b.scale, product.formula().scale]);
        let parts = self.call(product.formula(), &[&a.parts[..], &b.parts].concat());
        Coordinates { parts, scale, multiple: None }
    }

    fn mul_constant(&mut self, c: &Coordinates, a: &Coordinates) -> Coordinates {
        let floor = self.floor;
        let Some(by) = c.multiple.and_then(|at| floor.multiples[at].by.as_ref()) else { return self.mul(c, a) };
        let scale = self.product_of_scales(&[a.scale, by.formula().scale]);
        Coordinates { parts: self.run(by.formula(), &a.parts), scale, multiple: None }
    }

    fn square(&mut self, a: &Coordinates) -> Coordinates {
        let floor = self.floor;
        let Some(square) = &floor.square else { return self.mul(a, a) };
        let scale = self.product_of_scales(&[a.scale, a.scale, square.formula().scale]);
        Coordinates { parts: self.call(square.formula(), &a.parts), scale, multiple: None }
    }

    fn halve(&mut self, a: &Coordinates) -> Option<Coordinates> {
        let parts = a.parts.iter().map(|p| self.emitter.halve(p)).collect::<Option<Vec<_>>>()?;
        Some(Coordinates { parts, scale: a.scale, multiple: None })
    }

    fn invert(&mut self, a: &Coordinates) -> Option<Coordinates> {
        let Some(inverse) = &self.floor.inverse else {
            let error = self.lacks("the floor has no inverse".to_string());
            self.error.get_or_insert(error);
            return None;
        };
        let inverse = inverse.formula().clone();
        if a.scale != 1 || inverse.scale != 1 {
            let error = self.unequal(1, a.scale.max(inverse.scale));
            self.error.get_or_insert(error);
            return None;
        }
        Some(Coordinates { parts: self.run(&inverse, &a.parts), scale: 1, multiple: None })
    }

    fn call(&mut self, callee: &Formula, arguments: &[Coordinates]) -> Option<Vec<Coordinates>> {
        if !self.floor.keeps_calls || arguments.iter().any(|a| a.scale != 1) {
            return None;
        }
        let known = self.called.iter().find(|(formula, _)| formula == callee).map(|(_, flat)| flat.clone());
        let flat = match known {
            Some(flat) => flat,
            None => {
                let mut inner = Flat::new(callee, self.floor);
                let flat = inner.constants().ok().and_then(|()| inner.write().ok()).filter(|flat| flat.scale == 1);
                self.called.push((callee.clone(), flat.clone()));
                flat
            }
        }?;
        let parts: Vec<Part> = arguments.iter().flat_map(|a| a.parts.clone()).collect();
        let outputs = self.emitter.call(&flat, &parts)?;
        let element = |parts: &[Part]| Coordinates { parts: parts.to_vec(), scale: 1, multiple: None };
        Some(outputs.chunks(self.floor.degree()).map(element).collect())
    }

    fn select(&mut self, bit: &Coordinates, a: &Coordinates, b: &Coordinates) -> Coordinates {
        let bit = bit.parts[0].clone();
        self.pairs(a, b, |e, x, y| e.select(&bit, x, y))
    }

    fn swap(&mut self, bit: &Coordinates, a: &Coordinates, b: &Coordinates) -> [Coordinates; 2] {
        let scale = self.common(a, b);
        let bit = &bit.parts[0];
        let both: Vec<[Part; 2]> = a.parts.iter().zip(&b.parts).map(|(x, y)| self.emitter.swap(bit, x, y)).collect();
        let side = |k: usize| both.iter().map(|two| two[k].clone()).collect();
        [0, 1].map(|k| Coordinates { parts: side(k), scale, multiple: None })
    }
}
