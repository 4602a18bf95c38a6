//! A checked program without its instruction set.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use evariste_ir::Kernel;
use evariste_proof::Proved;

use super::unwind::notes;
use super::{Assembly, Counts, Local, Target};
use crate::check::Checked;
use crate::isa::Isa;
use crate::program::Parameter;

/// A checked program of whatever instruction set, as packages take it. Made of [`Checked`] alone.
#[derive(Clone)]
pub struct Printable(Arc<dyn Held>);

impl<I: Assembly> From<Checked<I>> for Printable {
    fn from(checked: Checked<I>) -> Printable {
        Printable(Arc::new(checked))
    }
}

impl Printable {
    /// What files say of its processor.
    pub fn target(&self) -> &'static Target {
        self.0.target()
    }

    /// The kernel that it was checked against.
    pub fn proved(&self) -> &Proved {
        self.0.proved()
    }

    /// Is it the machine code of that kernel ([`Checked::is_of`])?
    pub fn is_of(&self, kernel: &Kernel) -> bool {
        self.0.proved().kernel() == kernel
    }

    /// Its parameters, in calling order.
    pub fn params(&self) -> &[Parameter] {
        self.0.params()
    }

    /// Its constants, in the order of their addresses.
    pub fn constants(&self) -> &[u64] {
        self.0.constants()
    }

    /// What a processor must offer, as users name it.
    pub fn features(&self) -> String {
        self.0.features()
    }

    /// The [bits](super::Extension::bit) of what a processor must offer; `None`: C cannot ask for all of it.
    pub fn extensions(&self) -> Option<u32> {
        self.0.extensions()
    }

    /// Does it need what most processors that packages are for lack?
    pub fn is_apart(&self) -> bool {
        self.extensions().is_some_and(|bits| !self.target().apart(bits).is_empty())
    }

    /// Does it begin with what indirect calls land on?
    pub fn has_landing(&self) -> bool {
        self.0.has_landing()
    }

    /// Its instructions and the notes for debuggers, a line each.
    ///
    /// # Errors
    /// What it does to the stack that no note describes.
    pub fn lines(&self, local: Local<'_>) -> Result<Vec<String>, String> {
        self.0.lines(local)
    }

    /// Its instructions by class.
    pub fn count(&self) -> Counts {
        self.0.count()
    }

    /// The program itself, where it is of that instruction set.
    pub fn checked<I: Isa>(&self) -> Option<&Checked<I>> {
        self.0.any().downcast_ref()
    }
}

/// The program's text form.
impl fmt::Display for Printable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.text())
    }
}

impl fmt::Debug for Printable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Printable").field(&self.target().name).field(&self.proved().kernel().name).finish()
    }
}

/// What [`Printable`] asks of the program that it holds.
trait Held: Send + Sync {
    fn any(&self) -> &dyn Any;
    fn target(&self) -> &'static Target;
    fn proved(&self) -> &Proved;
    fn params(&self) -> &[Parameter];
    fn constants(&self) -> &[u64];
    fn features(&self) -> String;
    fn extensions(&self) -> Option<u32>;
    fn has_landing(&self) -> bool;
    fn lines(&self, local: Local<'_>) -> Result<Vec<String>, String>;
    fn count(&self) -> Counts;
    fn text(&self) -> String;
}

impl<I: Assembly> Held for Checked<I> {
    fn any(&self) -> &dyn Any {
        self
    }

    fn target(&self) -> &'static Target {
        I::TARGET
    }

    fn proved(&self) -> &Proved {
        Checked::proved(self)
    }

    fn params(&self) -> &[Parameter] {
        &self.program().params
    }

    fn constants(&self) -> &[u64] {
        &self.program().constants
    }

    fn features(&self) -> String {
        self.program().features.to_string()
    }

    fn extensions(&self) -> Option<u32> {
        I::extensions(self.program().features)
    }

    fn has_landing(&self) -> bool {
        self.program().code.first().is_some_and(I::is_landing)
    }

    fn lines(&self, local: Local<'_>) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        for (inst, notes) in self.program().code.iter().zip(notes(self.program())?) {
            lines.extend(notes.into_iter().map(|note| format!("    {note}")));
            lines.push(match I::label(inst) {
                Some(label) => format!("{}:", local(&label.to_string())),
                None => format!("    {}", I::line(inst, local)),
            });
        }
        Ok(lines)
    }

    fn count(&self) -> Counts {
        I::count(self.program())
    }

    fn text(&self) -> String {
        self.program().to_string()
    }
}
