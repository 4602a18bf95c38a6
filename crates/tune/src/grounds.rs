//! The kernels that plans of towers and curves call, chosen once for all plans that are ranked together.

use std::collections::HashMap;
use std::sync::Arc;

use evariste_algorithms::recipe::{Need, Of};
use evariste_algorithms::signature::NotApplicable;
use evariste_algorithms::{Operation, Plan, kinds};
use evariste_backend::{Kind, found};
use evariste_ir::Kernel;

use crate::choose::Chosen;

/// The kernels that plans call, of structures that stand on another field: in each layout those chosen there.
#[derive(Default)]
pub struct Grounds(HashMap<Call, Option<Arc<Kernel>>>);

/// A layout by name, and what is called there.
type Call = (String, Operation, Of);

impl Grounds {
    /// Those of these plans.
    pub fn of(plans: &[Plan]) -> Grounds {
        let mut grounds = Grounds::default();
        for plan in plans.iter().filter(|plan| kinds::ground(&plan.field) != plan.field) {
            let scalar = found(|kind| kind == Kind::Scalar, None).into_iter().next();
            let code = scalar.map(|backend| backend.entry().into());
            for need in plan.needs() {
                let chosen = || Chosen { code, ..Chosen::new(&plan.field, plan.layout.clone(), None) };
                let kernel = || Some(Arc::new(chosen().called(need, &|_| Ok(())).ok()?.statement().clone()));
                grounds.0.entry(Grounds::call(plan, need)).or_insert_with(kernel);
            }
        }
        grounds
    }

    fn call(plan: &Plan, need: &Need) -> Call {
        (plan.layout.name.clone(), need.operation.clone(), need.of)
    }

    /// The kernel of a plan, from these where it calls any of them.
    ///
    /// # Errors
    /// As [`Plan::write`].
    pub fn write(&self, plan: &Plan) -> Result<Kernel, NotApplicable> {
        let kernels = plan.needs().iter().map(|need| self.0.get(&Grounds::call(plan, need))?.clone());
        match kernels.collect::<Option<Vec<_>>>() {
            Some(kernels) if !kernels.is_empty() => plan.write_with(&kernels),
            _ => plan.write(),
        }
    }
}
