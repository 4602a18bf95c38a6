//! Very long kernels as several functions: compilers need time that grows with the square of a function's length (gcc
//! 12 needs more than five minutes for an unrolled product in GF(2^131)), so that the statements are cut into parts
//! which pass each other their values in a struct.

use std::collections::BTreeSet;
use std::ops::Range;

use evariste_ir::{Array, ArrayKind, Op, Stmt, Value};

use crate::error::EmitError;

use super::function::Printer;
use super::names;
use super::prepare::{Prepared, shift, visible_params};

/// Statements of one function at most.
const MOST: usize = 1200;

/// Kernels up to this length stay whole.
const WHOLE: usize = 6000;

/// Ranges of top-level statements for one function each; a single one when the kernel is short.
pub fn parts(prepared: &Prepared) -> Vec<Range<usize>> {
    let body = &prepared.kernel.body;
    let lengths: Vec<usize> = body.iter().map(|stmt| if prepared.is_live(stmt) { length(stmt) } else { 0 }).collect();
    let whole: usize = lengths.iter().sum();
    let mut all = Vec::new();
    let (mut start, mut filled) = (0, 0);
    for (i, length) in lengths.iter().enumerate() {
        if whole > WHOLE && filled > 0 && filled + length > MOST {
            all.push(start..i);
            (start, filled) = (i, 0);
        }
        filled += length;
    }
    all.push(start..body.len());
    all
}

fn length(stmt: &Stmt) -> usize {
    match stmt {
        Stmt::Loop(l) => l.body.iter().map(length).sum(),
        _ => 1,
    }
}

/// What statements touch.
#[derive(Default)]
struct Touched {
    used: BTreeSet<Value>,
    defined: BTreeSet<Value>,
    arrays: BTreeSet<Array>,
}

impl Touched {
    fn block(&mut self, prepared: &Prepared, body: &[Stmt]) {
        for stmt in body.iter().filter(|stmt| prepared.is_live(stmt)) {
            match stmt {
                Stmt::Op { op, args, results } => {
                    self.used.extend(args);
                    self.defined.extend(results);
                    if let Op::Lookup { table, .. } = op {
                        self.arrays.insert(*table);
                    }
                    if let Some(amount) = shift(op) {
                        self.index(amount);
                    }
                }
                Stmt::Load { result, array, index } => {
                    self.defined.insert(*result);
                    self.arrays.insert(*array);
                    self.index(index);
                }
                Stmt::Store { array, index, value } => {
                    self.used.insert(*value);
                    self.arrays.insert(*array);
                    self.index(index);
                }
                Stmt::Loop(l) => {
                    self.used.extend(l.carried.iter().flat_map(|c| [c.init, c.next]));
                    self.defined.extend(l.carried.iter().map(|c| c.result));
                    self.block(prepared, &l.body);
                }
                Stmt::Call { args, .. } => {
                    for view in args {
                        self.arrays.insert(view.array);
                        self.arrays.extend(view.order);
                        self.index(&view.start);
                    }
                }
            }
        }
    }

    fn index(&mut self, index: &evariste_ir::Index) {
        if let Some((table, inner)) = &index.table {
            self.arrays.insert(*table);
            self.index(inner);
        }
    }
}

impl Printer<'_> {
    /// Prints the parts as static functions, and into the printer's text the calls of them. Gives the functions' text.
    pub(super) fn in_parts(&mut self, symbol: &str, parts: &[Range<usize>]) -> Result<String, EmitError> {
        let prepared = self.prepared;
        let touched: Vec<Touched> = parts
            .iter()
            .map(|part| {
                let mut touched = Touched::default();
                touched.block(prepared, &prepared.kernel.body[part.clone()]);
                touched
            })
            .collect();
        let passes = |v: &&Value| self.prepared.live[v.0 as usize] && !self.prepared.constants.contains_key(v);
        // Values that a later part uses, by the part that defines them.
        let handed: Vec<Vec<Value>> = touched
            .iter()
            .enumerate()
            .map(|(i, t)| {
                t.defined
                    .iter()
                    .filter(passes)
                    .filter(|v| touched[i + 1..].iter().any(|later| later.used.contains(v)))
                    .copied()
                    .collect()
            })
            .collect();
        let mut functions = String::new();
        let mut calls = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            self.out.clear();
            self.arrays(&|a| touched[i].arrays.contains(&a), true);
            for v in handed[..i].iter().flatten().filter(|v| touched[i].used.contains(v)) {
                let name = self.value(*v);
                self.define(*v, &format!("live->{name}"));
            }
            self.block(&prepared.kernel.body[part.clone()])?;
            for v in &handed[i] {
                let name = self.value(*v);
                self.line(&format!("live->{name} = {name};"));
            }
            let arrays = self.passed(&touched[i].arrays);
            let parameters: String = arrays.iter().map(|(declared, _)| format!(", {declared}")).collect();
            let arguments: String = arrays.iter().map(|(_, name)| format!(", {name}")).collect();
            let name = format!("part_{}_of_{symbol}", i + 1);
            functions +=
                &format!("EVARISTE_SECTION void {name}(live_in_{symbol} *live{parameters}) {{\n{}}}\n\n", self.out);
            calls.push(format!("{name}(&live{arguments});"));
        }
        let mut fields: Vec<String> =
            handed.iter().flatten().map(|v| format!("  {} {};\n", self.c_type(*v), self.value(*v))).collect();
        if fields.is_empty() {
            fields.push("  int nothing;\n".to_string());
        }
        self.out.clear();
        self.line(&format!("live_in_{symbol} live;"));
        self.arrays(&|_| true, false);
        for call in calls {
            self.line(&call);
        }
        Ok(format!(
            "/* Values that the parts of {symbol} pass to each other. */\ntypedef struct {{\n{}}} live_in_{symbol};\n\n{functions}",
            fields.concat()
        ))
    }

    /// Declaration and name of the arrays that a part is given: parameters and locals.
    fn passed(&self, arrays: &BTreeSet<Array>) -> Vec<(String, String)> {
        let kernel = &self.prepared.kernel;
        let visible: Vec<Array> = visible_params(kernel).collect();
        let given = arrays.iter().filter(|a| {
            self.prepared.live_array[a.0 as usize] && !matches!(kernel.array(**a).kind, ArrayKind::Table(_))
        });
        given
            .map(|a| {
                let info = kernel.array(*a);
                let constant = if visible.contains(a) && info.kind == ArrayKind::Input { "const " } else { "" };
                let name = names::array(&info.name);
                (format!("{constant}{} {name}[{}]", self.prepared.model.c_type(info.ty), info.len), name)
            })
            .collect()
    }
}

/// Parts are kept apart, or the compiler would put them together again.
pub const PART: &str = "
#if defined(__GNUC__)
#define EVARISTE_SECTION static __attribute__((noinline))
#else
#define EVARISTE_SECTION static
#endif
";

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    /// A long bit-sliced kernel has both preambles: a name that both defined kept such packages from compiling.
    #[test]
    fn its_names_are_not_those_of_bit_sliced_words() {
        let names = |text: &'static str| -> HashSet<&str> {
            let defined = text.lines().filter_map(|line| line.strip_prefix("#define "));
            defined.filter_map(|rest| rest.split([' ', '(']).next()).collect()
        };
        let (own, others) = (names(super::PART), names(super::super::types::LANES));
        assert!(!own.is_empty() && others.contains("EVARISTE_LANES"));
        assert!(own.is_disjoint(&others), "{:?}", own.intersection(&others).collect::<Vec<_>>());
    }
}
