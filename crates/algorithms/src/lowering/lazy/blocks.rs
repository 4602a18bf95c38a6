//! Formulas that a formula calls, as kernels: their inputs and outputs are numbers in arrays of their own.

use evariste_formulas::Formula;
use evariste_ir::{Builder, Contract, Kernel, Operand};
use num_bigint::{BigInt, BigUint};
use num_traits::One;

use super::limits::Limits;
use super::ranges::{Given, Wanted, program};
use super::steps::{Block, Program};
use super::{Calls, Means, Supply, form, write};
use crate::lowering::order::Order;
use crate::lowering::{Element, Ground, claims};
use crate::signature::{NotApplicable, ValueClaim, input, output};

/// The formulas that a formula calls.
pub(super) struct Blocks<'a> {
    /// The formula that calls.
    pub formula: &'a Formula,
    /// The numbers of its constants.
    pub constants: &'a [BigUint],
    pub ground: Ground<'a>,
    pub limits: &'a Limits<'a>,
    pub calls: Calls,
}

impl Blocks<'_> {
    /// The calls of the whole formula.
    pub fn whole(&self) -> Result<Program, NotApplicable> {
        let order = Order::new(self.formula, &self.ground.modulus.value, self.constants)?;
        program(Wanted {
            order: &order,
            limits: self.limits,
            inputs: &self.limits.resting,
            wide: false,
            block: &|block| self.given(block),
        })
    }

    /// The formula of a block, which may call others.
    fn callee(&self, block: &Block) -> Result<(&Formula, Vec<BigUint>), NotApplicable> {
        let missing = |what: &str| NotApplicable(format!("a call without its {what}"));
        let callee = self.formula.callees.get(block.callee).ok_or_else(|| missing("formula"))?;
        if callee.scale != 1 {
            return Err(NotApplicable("a call of a formula with a scale".into()));
        }
        // Those of callees are found by name.
        let number = |name: &String| {
            let at = self.formula.constants.iter().position(|c| c.name == *name)?;
            self.constants.get(at).cloned()
        };
        let numbers = callee.constants.iter().map(|c| number(&c.name)).collect::<Option<Vec<_>>>();
        Ok((callee, numbers.ok_or_else(|| missing("constants"))?))
    }

    /// Those that a block calls.
    fn below<'b>(&'b self, formula: &'b Formula, constants: &'b [BigUint]) -> Blocks<'b> {
        Blocks { formula, constants, ..*self }
    }

    /// Does a formula that is called give whole numbers? One that calls others gives elements.
    fn is_whole(&self, callee: &Formula) -> bool {
        self.calls == Calls::Whole && callee.callees.is_empty()
    }

    fn program(&self, block: &Block) -> Result<Program, NotApplicable> {
        let (callee, numbers) = self.callee(block)?;
        let order = Order::new(callee, &self.ground.modulus.value, &numbers)?;
        program(Wanted {
            order: &order,
            limits: self.limits,
            inputs: &block.most,
            wide: self.is_whole(callee),
            block: &|block| self.below(callee, &numbers).given(block),
        })
    }

    /// What a block gives.
    pub fn given(&self, block: &Block) -> Result<Given, NotApplicable> {
        let program = self.program(block)?;
        let sizes = program.outputs.iter().map(|node| program.size(*node).clone()).collect();
        Ok(Given { sizes, wide: self.is_whole(self.callee(block)?.0) })
    }

    /// The kernel of a block.
    pub fn kernel(&self, block: &Block, supply: &Supply) -> Result<Kernel, NotApplicable> {
        let program = self.program(block)?;
        let (callee, numbers) = self.callee(block)?;
        let (layout, whole) = (self.ground.layout, self.is_whole(callee));
        let weights = form::weights(layout, whole);
        let mut b = Builder::new(callee.name.replace('-', "_"), layout.word);
        let (mut outputs, mut operands) = (Vec::new(), Vec::<Operand>::new());
        for (i, node) in program.outputs.iter().enumerate() {
            let name = format!("out{i}");
            let bounds = form::bounds(layout, whole, program.size(*node));
            let (array, operand) = output(&mut b, &name, &weights, &bounds);
            outputs.push(Element { name, array, coordinates: 1 });
            operands.push(operand);
        }
        let bounds = layout.up_to(&block.most);
        let given: Vec<_> = callee.input_names().map(|name| input(&mut b, name, &layout.weights, &bounds)).collect();
        let element = |i: &crate::signature::Input| Element { name: String::new(), array: i.array, coordinates: 1 };
        let inputs: Vec<Element> = given.iter().map(element).collect();
        let below = self.below(callee, &numbers);
        let means = Means { ground: self.ground, supply, block: &|block| below.kernel(block, supply) };
        write::write(&mut b, &program, means, &outputs, &inputs)?;
        let claims = claims::claims(callee, self.ground, &numbers)?;
        let claims: Result<Vec<_>, _> =
            claims.into_iter().map(|claim| if whole { of_whole(claim) } else { Ok(claim) }).collect();
        let claims = operands.into_iter().zip(claims?).map(|(operand, claim)| claim.on(operand)).collect();
        Ok(b.finish(Contract { facts: Vec::new(), inputs: given.into_iter().map(|i| i.operand).collect(), claims }))
    }
}

/// What is claimed of a whole number: it is not divided by the factor of Montgomery form.
fn of_whole(claim: ValueClaim) -> Result<ValueClaim, NotApplicable> {
    match claim.polynomial.0.iter().all(|(_, factors)| factors.len() == 2) {
        true => Ok(ValueClaim { factor: BigInt::one(), ..claim }),
        false => Err(NotApplicable("an output that is no sum of products alone".into())),
    }
}
