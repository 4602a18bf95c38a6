//! Plans: what could compute an operation. A plan's kernel can be read, run, and proved.

use std::fmt;
use std::sync::Arc;

use evariste_algorithms::{Layout, Operation, plans_vartime};
use evariste_backend::Kind;
use evariste_proof::{Outcome, prove};
use evariste_tune::TuneError;
use evariste_tune::choose::Chosen;

use crate::error::Error;
use crate::field::Field;
use crate::kernel::Kernel;

/// An operation of a field in a layout by a named algorithm, with the kernel that this gives.
///
/// ```
/// use evariste::{Field, Op};
///
/// let field = Field::parse("p256")?;
/// let plan = field.plan(&Op::MUL, "montgomery-cios/montgomery-4x64")?;
/// assert_eq!(plan.algorithm(), "montgomery-cios");
/// assert_eq!(plan.layout().digits(), 4);
///
/// // Only what is proved can be emitted or measured.
/// let proved = plan.prove().proved().expect("a proof");
/// assert!(evariste::builder::c_source(&[&proved], "example")?.text.contains("example_mul"));
/// # Ok::<(), evariste::Error>(())
/// ```
#[derive(Clone)]
pub struct Plan {
    plan: evariste_algorithms::Plan,
    kernel: Kernel,
}

impl Plan {
    /// Writes the plan's kernel.
    pub(crate) fn new(field: Field, plan: evariste_algorithms::Plan) -> Result<Plan, Error> {
        let kernel = plan.write().map_err(|why| Error::NotApplicable { plan: plan.name(), why: why.to_string() })?;
        let kernel = Kernel::new(field, plan.layout.clone(), plan.operation.clone(), Arc::new(kernel));
        Ok(Plan { plan, kernel })
    }

    /// Algorithm and layout: `montgomery-cios/montgomery-4x64`.
    pub fn name(&self) -> String {
        self.plan.name()
    }

    /// The algorithm: `montgomery-cios`.
    pub fn algorithm(&self) -> &str {
        &self.plan.algorithm
    }

    /// What the kernel does and why, where that is not plain: where reductions fall in a formula of a tower.
    pub fn explanation(&self) -> Option<String> {
        self.plan.explanation()
    }

    /// The operation.
    pub fn operation(&self) -> &Operation {
        &self.plan.operation
    }

    /// The layout.
    pub fn layout(&self) -> &Layout {
        &self.plan.layout
    }

    /// The kernel as it was written, before any proof.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// Proves the kernel against its contract.
    pub fn prove(&self) -> Outcome {
        prove(self.kernel.data())
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} by {}", self.operation().name(), self.kernel.field(), self.name())
    }
}

impl Field {
    /// The plan that a choice gives for an operation: the one of that name in the chosen layout (algorithm, or full
    /// name), else the chosen one.
    ///
    /// # Errors
    /// A plan that does not exist; an operation that the layout does not have.
    pub fn chosen_plan(&self, chosen: &Chosen, operation: &Operation, name: Option<&str>) -> Result<Plan, Error> {
        let plan = match name {
            Some(name) => chosen.plan_named(operation, name)?,
            None => chosen.plan(operation).ok_or_else(|| Error::NotApplicable {
                plan: operation.name(),
                why: format!("layout {} has no algorithm for it\nhelp: choose another layout", chosen.layout.name),
            })?,
        };
        Plan::new(self.clone(), plan)
    }

    /// The schedule of a plan's machine code on this machine, as text, and whether a search found it: the remembered
    /// one, else the heuristic's.
    ///
    /// # Errors
    /// A machine without machine code; a plan that is not proved or has no scalar form; a remembered text that is no
    /// schedule.
    pub fn schedule(&self, chosen: &Chosen, plan: &Plan) -> Result<(String, bool), Error> {
        let proved = evariste_tune::choose::prove_plan(&plan.plan)?;
        if let Some(found) = chosen.schedule(plan.operation(), &plan.name(), proved.kernel())? {
            return Ok((found.schedule.to_string(), true));
        }
        let missing = || TuneError::MachineCode("this machine has no back end that takes schedules".into());
        let backend =
            evariste_backend::found(|kind| kind == Kind::Scalar, None).into_iter().next().ok_or_else(missing)?;
        let mut schedule = String::new();
        backend
            .with_orders(&proved, &mut |orders| schedule = orders.heuristic().to_string())
            .map_err(TuneError::from)?;
        Ok((schedule, false))
    }

    /// The plan of that full name for an operation.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the names that there are; [`Error::NotApplicable`] where its bounds do not meet the
    /// layout.
    pub fn plan(&self, operation: &Operation, name: &str) -> Result<Plan, Error> {
        let all = evariste_tune::candidates::all_plans(self.spec(), &self.layouts(), std::slice::from_ref(operation));
        let vartime =
            || self.layouts().iter().flat_map(|l| plans_vartime(self.spec(), l, operation)).find(|p| p.name() == name);
        match all.iter().find(|p| p.name() == name).cloned().or_else(vartime) {
            Some(plan) => Plan::new(self.clone(), plan),
            None => {
                let names: Vec<String> = all.iter().map(evariste_algorithms::Plan::name).collect();
                let help = if names.is_empty() {
                    format!("{self} has no plan for {}", operation.name())
                } else {
                    format!("plans for {}: {}", operation.name(), names.join(", "))
                };
                Err(Error::Unknown { kind: "plan", given: name.into(), help })
            }
        }
    }
}
