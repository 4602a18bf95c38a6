//! What a debugger or an exception needs at each instruction: how far the stack pointer is from where it was before the
//! call, and where the caller's registers are. Written as the assembler's directives for call frames.

use std::collections::HashMap;

use super::Assembly;
use crate::program::Program;

/// Where control goes from an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// To the next instruction.
    Behind,
    /// To a label.
    Jump(u32),
    /// To a label or the next instruction.
    Branch(u32),
    /// Into a routine, and then to the next instruction.
    Call(u32),
    /// Back to the caller.
    Return,
}

/// The stack before an instruction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// In a routine that the function calls, which keeps no register: of what it stores only the return address is the
    /// caller's, where a register holds that.
    inner: bool,
    link: Option<usize>,
    /// The register that the canonical frame address is reckoned from: the stack pointer, or one that holds what it was
    /// before it was aligned.
    base: usize,
    /// Bytes between the two (at the entry what a call pushes).
    depth: i32,
    /// Registers that the caller wants back, and where its values of them lie, from the canonical frame address; `None`:
    /// in the register.
    kept: Vec<(usize, Option<i32>)>,
}

/// Instructions that move the stack pointer further than this do not belong to programs.
const FURTHEST: i64 = 1 << 24;

impl Frame {
    /// The frame at the entry of a function, or of a routine that it calls: an unwinder goes from the routine's return
    /// address to the frame of the function, which knows the caller's registers.
    fn entry<I: Assembly>(inner: bool) -> Frame {
        let convention = I::CONVENTION;
        let kept = convention.saved.iter().copied().chain(convention.link).map(|register| (register, None));
        let (base, depth, link) = (convention.stack_pointer, convention.pushed() as i32, convention.link);
        Frame { inner, link, base, depth, kept: kept.collect() }
    }

    /// The register that the canonical frame address is reckoned from.
    pub fn base(&self) -> usize {
        self.base
    }

    /// It is reckoned from another register from now on, which has the same value.
    pub fn reckon_from(&mut self, register: usize) {
        self.base = register;
    }

    /// The stack pointer moves down by so many bytes, or up.
    ///
    /// # Errors
    /// Too many of them.
    pub fn grow(&mut self, bytes: i64) -> Result<(), &'static str> {
        let bytes = i32::try_from(bytes).ok().filter(|bytes| i64::from(bytes.unsigned_abs()) < FURTHEST);
        self.depth = bytes.and_then(|bytes| self.depth.checked_add(bytes)).ok_or("moves the stack too far")?;
        Ok(())
    }

    /// A register is stored so many bytes above the stack pointer. The first store of one that the caller wants back is
    /// its place; what is stored later is another value.
    pub fn store(&mut self, register: usize, displacement: i32) {
        let (place, wanted) = (displacement - self.depth, !self.inner || self.link == Some(register));
        if let Some((_, kept)) = self.kept.iter_mut().find(|(r, _)| wanted && *r == register) {
            *kept = kept.or(Some(place));
        }
    }

    /// A register is loaded from there.
    pub fn load(&mut self, register: usize, displacement: i32) {
        let place = displacement - self.depth;
        if let Some((_, kept)) = self.kept.iter_mut().find(|(r, _)| *r == register)
            && *kept == Some(place)
        {
            *kept = None;
        }
    }
}

/// The directives that stand before each instruction. An error is a reason in words.
pub(super) fn notes<I: Assembly>(program: &Program<I>) -> Result<Vec<Vec<String>>, String> {
    let mut now = Frame::entry::<I>(false);
    let between = |frame: Option<Frame>| {
        let notes = frame.as_ref().map_or_else(Vec::new, |frame| directives::<I>(&now, frame));
        now = frame.unwrap_or_else(|| now.clone());
        notes
    };
    Ok(frames(program)?.into_iter().map(between).collect())
}

/// The frame before each instruction, `None` where control never comes.
fn frames<I: Assembly>(program: &Program<I>) -> Result<Vec<Option<Frame>>, String> {
    let labels: HashMap<u32, usize> =
        program.code.iter().enumerate().rev().filter_map(|(at, inst)| Some((I::label(inst)?, at))).collect();
    let mut frames: Vec<Option<Frame>> = vec![None; program.code.len()];
    let mut open = vec![(0, Frame::entry::<I>(false))];
    while let Some((at, frame)) = open.pop() {
        let (Some(known), Some(inst)) = (frames.get_mut(at), program.code.get(at)) else {
            return Err("control runs over the end".to_string());
        };
        match known {
            Some(known) if *known == frame => continue,
            Some(_) => return Err(format!("two ways lead to instruction {at} with different stacks")),
            None => *known = Some(frame.clone()),
        }
        let mut after = frame;
        let stepped = I::step(&mut after, inst).and_then(|()| {
            if i64::from(after.depth) < I::CONVENTION.pushed() { Err("takes from the caller's stack") } else { Ok(()) }
        });
        stepped.map_err(|why| format!("instruction {at} ({inst}) {why}"))?;
        let to = |label: u32| {
            labels.get(&label).copied().ok_or_else(|| format!("instruction {at} goes to a label that is not there"))
        };
        match I::flow(inst) {
            Flow::Behind => open.push((at + 1, after)),
            Flow::Jump(label) => open.push((to(label)?, after)),
            Flow::Branch(label) => open.extend([(to(label)?, after.clone()), (at + 1, after)]),
            Flow::Call(label) => open.extend([(to(label)?, Frame::entry::<I>(true)), (at + 1, after)]),
            Flow::Return => {}
        }
    }
    Ok(frames)
}

/// The directives between two frames.
fn directives<I: Assembly>(from: &Frame, to: &Frame) -> Vec<String> {
    let mut lines = Vec::new();
    if from.base != to.base {
        lines.push(format!(".cfi_def_cfa {}, {}", I::register(to.base), to.depth));
    } else if from.depth != to.depth {
        lines.push(format!(".cfi_def_cfa_offset {}", to.depth));
    }
    for ((register, old), (_, new)) in from.kept.iter().zip(&to.kept) {
        match (old, new) {
            (old, new) if old == new => {}
            (_, Some(offset)) => lines.push(format!(".cfi_offset {}, {offset}", I::register(*register))),
            (_, None) => lines.push(format!(".cfi_restore {}", I::register(*register))),
        }
    }
    lines
}

/// All directives of a program, with the instructions that they stand before: tests.
#[cfg(test)]
pub(crate) fn numbered<I: Assembly>(program: &Program<I>) -> Result<Vec<String>, String> {
    let notes = notes(program)?.into_iter().enumerate();
    Ok(notes.flat_map(|(at, lines)| lines.into_iter().map(move |line| format!("{at}: {line}"))).collect())
}
