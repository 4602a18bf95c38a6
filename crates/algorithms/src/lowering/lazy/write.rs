//! The calls of a program, in as few places as its order allows.

use std::collections::HashMap;
use std::sync::Arc;

use evariste_ir::{ArrayKind, Builder, Kernel, View};
use num_bigint::{BigInt, BigUint};

use super::kernels;
use super::steps::{Block, From, Kind, Known, Node, Program};
use super::{Means, Whole, form};
use crate::lowering::constants::constant_array;
use crate::lowering::halve::halve;
use crate::lowering::places::Places;
use crate::lowering::{Element, Ground, coordinate};
use crate::prime::power::Callee;
use crate::signature::NotApplicable;

/// Writes the calls.
pub(super) fn write(
    b: &mut Builder,
    program: &Program,
    means: Means,
    outputs: &[Element],
    inputs: &[Element],
) -> Result<(), NotApplicable> {
    let layout = means.ground.layout;
    let last_use = last_use(program);
    let last_input = (0..program.numbers.len())
        .filter(|at| matches!(program.numbers[*at].from, From::Input(_)))
        .map(|at| last_use[at])
        .max()
        .unwrap_or(0);
    let single = Places::of_words(layout.digits() as u32, layout.word, false, last_use.clone());
    let double = Places::of_words(2 * layout.digits() as u32, layout.word, true, last_use);
    let mut writer = Writer {
        b,
        means,
        single,
        double,
        callees: HashMap::new(),
        blocks: HashMap::new(),
        names: HashMap::new(),
        held: vec![None; program.numbers.len()],
    };
    let place = |at: usize| {
        let output = program.outputs.iter().position(|node| node.0 == at).filter(|_| at >= last_input);
        output.map(|i| coordinate(outputs, i, layout))
    };
    for at in 0..program.numbers.len() {
        writer.number(program, at, &place, inputs)?;
    }
    writer.copies(program, outputs)
}

/// The last number that is made of each.
fn last_use(program: &Program) -> Vec<usize> {
    let mut last = vec![0; program.numbers.len()];
    for (at, number) in program.numbers.iter().enumerate() {
        number.from.operands().iter().for_each(|x| last[x.0] = at);
    }
    program.outputs.iter().for_each(|x| last[x.0] = program.numbers.len());
    last
}

struct Writer<'a> {
    b: &'a mut Builder,
    means: Means<'a>,
    single: Places,
    double: Places,
    callees: HashMap<Kind, Callee>,
    blocks: HashMap<Block, u32>,
    /// How many callees have a name.
    names: HashMap<String, u32>,
    held: Vec<Option<View>>,
}

impl Writer<'_> {
    fn number(
        &mut self,
        program: &Program,
        at: usize,
        place: &dyn Fn(usize) -> Option<View>,
        inputs: &[Element],
    ) -> Result<(), NotApplicable> {
        let number = &program.numbers[at];
        match &number.from {
            From::Input(i) => self.held[at] = Some(coordinate(inputs, *i, self.means.ground.layout)),
            From::Constant(value) => self.held[at] = Some(self.constant(value)),
            From::Call(kind, operands) => {
                self.declare(kind)?;
                let views = self.operands(program, operands, at);
                let view = place(at).unwrap_or_else(|| self.take(number.wide));
                self.callees[kind].call_views(self.b, view.clone(), &views);
                self.held[at] = Some(view);
            }
            From::Output { index: 0, block, operands } => {
                let callee = self.block(block)?;
                let views = self.operands(program, operands, at);
                let of = |other: &&Known| matches!(&other.from, From::Output { index, .. } if *index > 0);
                let count = 1 + program.numbers[at + 1..].iter().take_while(of).count();
                let results: Vec<View> =
                    (at..at + count).map(|at| place(at).unwrap_or_else(|| self.take(number.wide))).collect();
                for (i, view) in results.iter().enumerate() {
                    self.held[at + i] = Some(view.clone());
                }
                self.b.call(callee, [results, views].concat());
            }
            From::Output { .. } => {}
        }
        Ok(())
    }

    fn take(&mut self, wide: bool) -> View {
        let places = if wide { &mut self.double } else { &mut self.single };
        places.take(self.b)
    }

    /// The places of operands. Those that nobody reads afterwards are free: kernels read before they write.
    fn operands(&mut self, program: &Program, operands: &[Node], at: usize) -> Vec<View> {
        let views: Vec<View> = operands.iter().filter_map(|x| self.held[x.0].clone()).collect();
        for (node, view) in operands.iter().zip(&views) {
            let known = &program.numbers[node.0];
            let places = if known.wide { &mut self.double } else { &mut self.single };
            let ours = self.b.kernel().array(view.array).kind == ArrayKind::Local;
            if ours && !matches!(known.from, From::Constant(_)) && places.dies_at(node.0, at) {
                places.leave(view);
            }
        }
        views
    }

    /// The callee of a formula that is called.
    fn block(&mut self, block: &Block) -> Result<u32, NotApplicable> {
        if let Some(callee) = self.blocks.get(block) {
            return Ok(*callee);
        }
        let kernel = (self.means.block)(block)?;
        let kernel = self.renamed(Arc::new(kernel));
        let callee = self.b.callee(kernel);
        self.blocks.insert(block.clone(), callee);
        Ok(callee)
    }

    /// Callees of one name differ in their bounds.
    fn renamed(&mut self, kernel: Arc<Kernel>) -> Arc<Kernel> {
        let count = self.names.entry(kernel.name.clone()).or_insert(0);
        *count += 1;
        if *count == 1 {
            return kernel;
        }
        Arc::new(Kernel { name: format!("{}_{count}", kernel.name), ..(*kernel).clone() })
    }

    fn constant(&mut self, number: &BigUint) -> View {
        let ground = self.means.ground;
        constant_array(self.b, &ground.modulus.value, ground.layout, number)
    }

    /// Registers what is called.
    fn declare(&mut self, kind: &Kind) -> Result<(), NotApplicable> {
        if self.callees.contains_key(kind) {
            return Ok(());
        }
        let kernel = self.kernel(kind)?;
        if !kernel.disjoint.is_empty() {
            return Err(NotApplicable(format!("{} must allow an output at the place of an operand", kernel.name)));
        }
        let kernel = self.renamed(kernel);
        let name = kernel.name.clone();
        let callee = Callee::new(self.b, kernel, &name);
        self.callees.insert(kind.clone(), callee);
        Ok(())
    }

    fn kernel(&self, kind: &Kind) -> Result<Arc<Kernel>, NotApplicable> {
        let Ground { modulus, layout } = self.means.ground;
        let operations = &self.means.supply.operations;
        let whole = |whole, bound: &BigInt| (self.means.supply.whole)(whole, &form::loose(layout, bound));
        Ok(match kind {
            Kind::Mul => operations.mul.clone(),
            Kind::Square => operations.square.clone(),
            Kind::Add => operations.add.clone(),
            Kind::Sub => operations.sub.clone(),
            Kind::Opp => operations.opp.clone(),
            Kind::Halve => Arc::new(halve(modulus, layout)?),
            Kind::MulOf(most) => whole(Whole::ReducedProduct, most)?,
            Kind::SquareOf(most) => whole(Whole::ReducedSquare, most)?,
            Kind::MulWide(most) => whole(Whole::Product, most)?,
            Kind::SquareWide(most) => whole(Whole::Square, most)?,
            // The reduction takes what is at most a square.
            Kind::Reduce(most) => {
                let root = most.sqrt();
                let root = if &root * &root < *most { root + 1u32 } else { root };
                whole(Whole::Reduction, &root)?
            }
            Kind::Combination(sum) => Arc::new(kernels::combination("sum_wide", sum, modulus, layout)?),
            Kind::Rested(terms) => Arc::new(kernels::rested("sum_at_rest", terms, modulus, layout)?),
            Kind::Products(sum) => Arc::new(kernels::products("sum_of_products", sum, modulus, layout)?),
            Kind::Sum(sum) => {
                let name = match (sum.wide, sum.is_difference()) {
                    (false, false) => "add_loose",
                    (false, true) => "sub_loose",
                    (true, false) => "add_wide",
                    (true, true) => "sub_wide",
                };
                Arc::new(kernels::sum(name, sum, modulus, layout)?)
            }
        })
    }

    /// Outputs that are not where they belong. An output may lie where an input does: all are read before the first is
    /// written.
    fn copies(&mut self, program: &Program, outputs: &[Element]) -> Result<(), NotApplicable> {
        let n = self.means.ground.layout.digits() as u32;
        let mut all = Vec::new();
        for (i, Node(at)) in program.outputs.iter().enumerate() {
            let to = coordinate(outputs, i, self.means.ground.layout);
            let n = if program.numbers[*at].wide { 2 * n } else { n };
            let from = self.held[*at].clone().ok_or_else(|| NotApplicable("an output is not there".into()))?;
            if from != to {
                let index = |k: u32| from.start.clone().offset(k.into());
                all.push(((0..n).map(|k| self.b.load(from.array, index(k))).collect::<Vec<_>>(), to));
            }
        }
        for (digits, to) in all {
            for (k, digit) in (0u32..).zip(digits) {
                self.b.store(to.array, to.start.clone().offset(k.into()), digit);
            }
        }
        Ok(())
    }
}
