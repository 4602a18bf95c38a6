//! Which routines of a program compute which kernels, as far as that was shown. **Trusted.**
//!
//! A routine is compared with its kernel once, on unknowns of its own. Where a call of it stands for a call of the
//! kernel, both sides give the same results to the same inputs, and nothing of either is entered.

use std::collections::{HashMap, HashSet};

use evariste_ir::statements::with_times;
use evariste_ir::{Kernel, Stmt};

use crate::isa::Isa;
use crate::program::{Callee, Program};

/// What is known of a program's routines.
#[derive(Default)]
pub struct Routines<'k> {
    /// The kernels of the routines; equal ones are one.
    kernels: Vec<&'k Kernel>,
    /// Every kernel that is called from somewhere and has a routine, by its address.
    numbers: HashMap<*const Kernel, u32>,
    /// The routines by their labels.
    by_label: HashMap<u32, Routine>,
}

/// A routine that a program names.
pub struct Routine {
    /// Its kernel.
    pub kernel: u32,
    /// What it was shown to do; `None`: not yet.
    pub shown: Option<Shown>,
}

/// What a caller must know of a routine.
pub struct Shown {
    /// Its parameters.
    pub callee: Callee,
    /// The lowest place that its stack pointer goes to, from where it is entered.
    pub lowest: i64,
    /// Registers that hold the same after it as before.
    pub keeps: Vec<bool>,
}

impl<'k> Routines<'k> {
    /// The routines of a program, none of them shown.
    ///
    /// # Errors
    /// A path to no kernel, two routines at one label.
    pub fn new<I: Isa>(kernel: &'k Kernel, program: &Program<I>) -> Result<Routines<'k>, String> {
        let mut routines = Routines::default();
        for callee in &program.callees {
            let at = kernel.at(&callee.path);
            let at = at.ok_or_else(|| format!("{} has no callee {:?}", kernel.name, callee.path))?;
            let number = routines.equal(at).unwrap_or(routines.kernels.len());
            if number == routines.kernels.len() {
                routines.kernels.push(at);
            }
            let routine = Routine { kernel: number as u32, shown: None };
            if routines.by_label.insert(callee.label, routine).is_some() {
                return Err(format!("two routines at label {}", callee.label));
            }
        }
        if !routines.kernels.is_empty() {
            routines.find(kernel, &mut HashSet::new());
        }
        Ok(routines)
    }

    fn equal(&self, kernel: &Kernel) -> Option<usize> {
        self.kernels.iter().position(|k| std::ptr::eq(*k, kernel) || *k == kernel)
    }

    /// Numbers all that is called.
    fn find(&mut self, kernel: &Kernel, seen: &mut HashSet<*const Kernel>) {
        for callee in &kernel.callees {
            if seen.insert(&**callee) {
                if let Some(number) = self.equal(callee) {
                    self.numbers.insert(&**callee, number as u32);
                }
                self.find(callee, seen);
            }
        }
    }

    /// The kernel of that number.
    pub fn kernel(&self, number: u32) -> &'k Kernel {
        self.kernels[number as usize]
    }

    /// The number of a kernel that has a routine.
    pub fn number(&self, kernel: &Kernel) -> Option<u32> {
        self.numbers.get(&std::ptr::from_ref(kernel)).copied()
    }

    /// The routine at a label.
    pub fn at(&self, label: u32) -> Option<&Routine> {
        self.by_label.get(&label)
    }

    /// The routine at a label was shown to compute its kernel.
    pub fn show(&mut self, shown: Shown) {
        if let Some(routine) = self.by_label.get_mut(&shown.callee.label) {
            routine.shown = Some(shown);
        }
    }

    /// The kernels whose routines are called in [own] code: those that the kernel's side does not enter. Which they are
    /// decides what is recognised, not what is accepted.
    pub fn called<I: Isa>(&self, program: &Program<I>, label: Option<u32>) -> HashSet<u32> {
        own(program, label).filter_map(|inst| Some(self.at(I::callee(inst)?)?.kernel)).collect()
    }
}

/// The code between the label, or the first instruction, and the next routine's label.
pub fn own<I: Isa>(program: &Program<I>, label: Option<u32>) -> impl Iterator<Item = &I::Inst> {
    let of = |inst: &I::Inst| I::label(inst);
    let from = label.and_then(|_| program.code.iter().position(|inst| of(inst) == label)).map_or(0, |at| at + 1);
    let ends = move |inst: &&I::Inst| of(inst).is_some_and(|l| program.callees.iter().any(|callee| callee.label == l));
    program.code.iter().skip(from).take_while(move |inst| !ends(inst))
}

/// How many statements a check of a program runs: loops as often as they run, a routine once, what is called and has no
/// routine each time. The time of a check goes by it.
///
/// # Errors
/// As [`Routines::new`].
pub fn statements<I: Isa>(kernel: &Kernel, program: &Program<I>) -> Result<u64, String> {
    fn of_kernel(
        kernel: &Kernel,
        routines: &Routines<'_>,
        atoms: &HashSet<u32>,
        known: &mut HashMap<*const Kernel, u64>,
    ) -> u64 {
        if let Some(n) = known.get(&std::ptr::from_ref(kernel)) {
            return *n;
        }
        let n = with_times(&kernel.body).fold(0, |sum: u64, (stmt, times)| {
            let one = match stmt {
                Stmt::Loop(_) => 0,
                Stmt::Call { callee, .. } => {
                    let callee = &kernel.callees[*callee as usize];
                    match routines.number(callee) {
                        Some(n) if atoms.contains(&n) => 1,
                        _ => of_kernel(callee, routines, atoms, known),
                    }
                }
                _ => 1,
            };
            sum.saturating_add(one.saturating_mul(times))
        });
        known.insert(kernel, n);
        n
    }
    let routines = Routines::new(kernel, program)?;
    let one = |kernel: &Kernel, label: Option<u32>| {
        of_kernel(kernel, &routines, &routines.called(program, label), &mut HashMap::new())
    };
    let parts =
        program.callees.iter().filter_map(|c| Some(one(routines.kernel(routines.at(c.label)?.kernel), Some(c.label))));
    Ok(parts.fold(one(kernel, None), u64::saturating_add))
}
