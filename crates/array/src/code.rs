//! The code of one kernel: a function of many groups of lanes, one of a single group, and the interpreter where there
//! is neither.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use evariste_algorithms::Layout;
use evariste_backend::{Backend, Choice, Estimate, Kind, Made, Repeat};
use evariste_ir::{Array, Interpreter, Kernel};
use evariste_jit::{Argument, Function, MOST_PARAMETERS, Prefetch};
use evariste_proof::Proved;
use evariste_run::TimingLock;

/// What makes code of kernels; `None`: the interpreter runs them.
pub(crate) type MaybeBackend = Option<Arc<dyn Backend>>;

/// Words of memory that a digit of the elements side by side takes.
pub(crate) fn row(backend: &MaybeBackend) -> usize {
    match backend.as_ref().map(|backend| backend.entry().kind) {
        Some(Kind::Lanes { bits }) => bits as usize / 64,
        _ => 1,
    }
}

/// Bits of a digit in memory, of words of so many bits: words of 64 bits hold two digits of 32, eight of 8, 64 of one,
/// one of any other length.
pub(crate) fn digit_bits(word: u32) -> u32 {
    if matches!(word, 1 | BYTE | SHORT) { word } else { 64 }
}

/// Is an element modulo a number one machine word of 64 bits, or half of one, whose carries are no matter of its digits?
pub(crate) fn is_word(layout: &Layout) -> bool {
    layout.digits() == 1 && layout.radix.is_none() && matches!(layout.word, 64 | SHORT)
}

/// An operand of a call on some groups.
#[derive(Clone, Copy)]
pub(crate) enum In<'a> {
    /// The output of that number, with what is in it.
    Out(usize),
    /// An array of as many groups.
    Words(&'a [u64]),
    /// The groups of one block, for every block.
    Constant(&'a [u64]),
}

/// One way to run a kernel.
enum Callable {
    Machine(Function),
    Interpreted(Box<Interpreter>),
}

/// What a caller gives for a parameter: the output or the input of that number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Output(usize),
    Input(usize),
}

/// A parameter of a kernel, as arrays give it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub role: Role,
    /// The array of the kernel.
    pub array: Array,
    /// Digits of an element.
    pub digits: usize,
}

/// The parameters of a kernel in the order of a call.
fn parameters(kernel: &Kernel) -> Result<Vec<Parameter>, String> {
    let (mut outputs, mut inputs) = (0.., 0..);
    let parameter = |array: Array| {
        let info = kernel.array(array);
        let role = match info.role() {
            Some(evariste_ir::Role::Output) => outputs.next().map(Role::Output),
            Some(evariste_ir::Role::Input) => inputs.next().map(Role::Input),
            Some(evariste_ir::Role::InOut) | None => None,
        };
        let role = role.ok_or_else(|| format!("{} is read and written: arrays take one or the other", info.name))?;
        Ok(Parameter { role, array, digits: info.len as usize })
    };
    let all = kernel.visible().map(parameter).collect::<Result<Vec<_>, String>>()?;
    match all.len() {
        ..=MOST_PARAMETERS if all.iter().any(|p| p.role == Role::Output(0)) => Ok(all),
        ..=MOST_PARAMETERS => Err("a kernel without an output".into()),
        many => Err(format!("{many} parameters: a call takes at most {MOST_PARAMETERS}")),
    }
}

/// The code of a kernel with any number of outputs and inputs.
pub(crate) struct Code {
    pub(crate) parameters: Vec<Parameter>,
    /// How many of them are outputs.
    outputs: usize,
    /// Words of memory of a digit of a group.
    row: usize,
    /// Bits of a digit in memory.
    pub(crate) bits: u32,
    /// Functions, by the number of groups that a call computes: many first, then 1.
    levels: Vec<(usize, Callable)>,
    /// The plan and the shape, in words.
    pub description: String,
    /// The plan is that of a ranking.
    pub ranked: bool,
    /// It computes longer than memory takes for its operands.
    long: bool,
    /// Nodes of a group on vectors.
    nodes: usize,
}

/// Outputs of a call, which inputs may be too.
pub(crate) type Outputs<'a> = [&'a [Cell<u64>]; MOST_PARAMETERS];

/// Bits of digits of which two lie in a word of memory.
pub(crate) const SHORT: u32 = 32;
/// Bits of those of which eight do: on vectors alone.
pub(crate) const BYTE: u32 = 8;

/// Groups that code of routines computes side by side, where that is timed beside one.
const SIDE_BY_SIDE: u32 = 2;

/// How often each is timed.
const ROUNDS: usize = 5;

/// Nodes of a kernel of which one group is enough for a call, and for the checker, which runs all groups of a call.
const LONG: usize = 5120;

/// Words of a vector of 512 bits.
const EIGHT: usize = 8;

/// Nodes of a kernel that computes longer than memory takes for its operands.
const SLOW: usize = 160;

/// Groups of a call of kernels that are neither long nor short.
const BLOCK: usize = 8;

/// Nodes of a kernel that takes less time than a call, when it is called for one group.
const FEW: usize = 64;

impl Code {
    /// Makes and checks the functions; `wanted` is the shape that was measured to be the fastest, as text.
    pub fn new(proved: &Proved, backend: &MaybeBackend, plan: &str, wanted: Option<&str>) -> Result<Code, String> {
        Code::of(proved, backend, plan, wanted, None)
    }

    /// `calls`: how many groups calls in lanes compute, if that is given.
    fn of(
        proved: &Proved,
        backend: &MaybeBackend,
        plan: &str,
        wanted: Option<&str>,
        calls: Option<&[u32]>,
    ) -> Result<Code, String> {
        let kernel = proved.kernel();
        let parameters = parameters(kernel)?;
        let outputs = parameters.iter().filter(|p| matches!(p.role, Role::Output(_))).count();
        let (mut long, mut nodes) = (false, 0);
        let (levels, how) = match backend {
            Some(backend) if backend.entry().kind.has_lanes() => {
                let estimate = backend.estimate(kernel).map_err(|e| e.to_string())?;
                (long, nodes) = (estimate.operations > SLOW, estimate.operations);
                in_lanes(proved, &**backend, &estimate, wanted, calls)?
            }
            Some(backend) => {
                let made = backend.make(proved, &Choice { long: true, ..Choice::default() });
                (vec![(1, callable(&made.map_err(|e| e.to_string())?)?)], "scalar machine code".to_string())
            }
            None => (vec![(1, Callable::Interpreted(Box::new(Interpreter::new(kernel))))], "interpreted".to_string()),
        };
        let description = format!("{plan}, {how}");
        Ok(Code {
            parameters,
            outputs,
            row: row(backend),
            bits: digit_bits(kernel.word),
            levels,
            description,
            ranked: false,
            long,
            nodes,
        })
    }

    /// As [`Code::new`], where code of routines computes one group a call or several, whichever takes less time here: the
    /// least of a few rounds, on zeros, since time depends on no number.
    pub fn measured(proved: &Proved, backend: &MaybeBackend, plan: &str) -> Result<Code, String> {
        let estimate = backend.as_ref().and_then(|backend| backend.estimate(proved.kernel()).ok());
        if estimate.and_then(|estimate| estimate.beside).is_none() {
            return Code::new(proved, backend, plan, None);
        }
        let made = |groups| Code::of(proved, backend, plan, None, Some(&[groups]));
        let (one, mut several) = (made(1)?, made(SIDE_BY_SIDE)?);
        let groups = several.block_groups();
        if groups == 1 {
            return Ok(one);
        }
        let lock = TimingLock::acquire();
        let mut least = [f64::INFINITY; 2];
        for _ in 0..ROUNDS {
            for (code, least) in [&one, &several].into_iter().zip(&mut least) {
                *least = least.min(code.timed(groups)?);
            }
        }
        drop(lock);
        if least[0] < least[1] {
            return Ok(one);
        }
        several.levels.extend(one.levels);
        Ok(several)
    }

    /// Nanoseconds of so many groups of zeros.
    fn timed(&self, groups: usize) -> Result<f64, String> {
        let room = |p: &Parameter| vec![0; groups * self.row * p.digits];
        let is_output = |p: &&Parameter| matches!(p.role, Role::Output(_));
        let mut outs: Vec<Vec<u64>> = self.parameters.iter().filter(is_output).map(room).collect();
        let operands: Vec<Vec<u64>> = self.parameters.iter().filter(|p| !is_output(p)).map(room).collect();
        let mut outs: Vec<&mut [u64]> = outs.iter_mut().map(|out| &mut out[..]).collect();
        let inputs: Vec<In> = operands.iter().map(|words| In::Words(words)).collect();
        let start = Instant::now();
        self.run_all(&mut outs, &inputs, &[])?;
        Ok(start.elapsed().as_nanos() as f64)
    }

    /// Its numbers of outputs and inputs.
    pub fn arity(&self) -> (usize, usize) {
        (self.outputs, self.parameters.len() - self.outputs)
    }

    /// Has it more nodes on vectors than that? One element after the other always takes long.
    pub fn is_longer_than(&self, nodes: usize) -> bool {
        self.row == 1 || self.nodes > nodes
    }

    /// Groups of the longest call.
    pub fn block_groups(&self) -> usize {
        self.levels.first().map_or(1, |(groups, _)| *groups)
    }

    /// The functions, of many groups first. `None`: the interpreter runs some.
    pub fn functions(&self) -> Option<Vec<Function>> {
        let machine = |(_, callable): &(usize, Callable)| match callable {
            Callable::Machine(function) => Some(function.clone()),
            Callable::Interpreted(_) => None,
        };
        self.levels.iter().map(machine).collect()
    }

    /// Runs a kernel with one output on every group of it.
    pub fn run(&self, out: &mut [u64], inputs: &[In]) -> Result<(), String> {
        self.run_all(&mut [out], inputs, &[])
    }

    /// Runs a kernel with one output on every group of it, and prefetches memory meanwhile.
    pub fn run_prefetching(&self, out: &mut [u64], inputs: &[In], prefetches: &[Prefetch]) -> Result<(), String> {
        self.run_all(&mut [out], inputs, prefetches)
    }

    /// Runs the kernel on every group of the outputs, which have as many groups each, and prefetches memory meanwhile,
    /// between calls on few groups each, since a processor waits for few cache lines at a time.
    pub fn run_all(&self, outs: &mut [&mut [u64]], inputs: &[In], prefetches: &[Prefetch]) -> Result<(), String> {
        if (outs.len(), inputs.len()) != self.arity() {
            let (outputs, wanted) = self.arity();
            return Err(format!("{} results of {} operands: it has {outputs} of {wanted}", outs.len(), inputs.len()));
        }
        let groups = self.groups(outs)?;
        let prefetches = if self.prefetches_between_calls() { prefetches } else { &[] };
        let mut cells: Outputs = [&[]; MOST_PARAMETERS];
        cells.iter_mut().zip(outs).for_each(|(cells, out)| *cells = Cell::from_mut(*out).as_slice_of_cells());
        let most = if prefetches.is_empty() { usize::MAX } else { BLOCK / 2 };
        let mut at = 0;
        for (size, callable) in self.levels.iter().filter(|(size, _)| *size <= most) {
            if at + size <= groups {
                let end = at + (groups - at) / size * size;
                let prefetches = if at == 0 { prefetches } else { &[] };
                self.call(callable, &cells, inputs, at..end, *size, prefetches)?;
                at = end;
            }
        }
        Ok(())
    }

    /// Is a prefetch between calls worth it that these are on few groups each? On vectors of fewer than eight words
    /// a long kernel takes so long that what it reads and writes arrives by itself.
    fn prefetches_between_calls(&self) -> bool {
        self.row >= EIGHT || !self.long
    }

    /// The groups that all outputs have.
    fn groups(&self, outs: &[&mut [u64]]) -> Result<usize, String> {
        let mut groups = None;
        for parameter in &self.parameters {
            if let Role::Output(i) = parameter.role {
                let own = outs[i].len() / (parameter.digits * self.row).max(1);
                if *groups.get_or_insert(own) != own {
                    return Err("results of different length".into());
                }
            }
        }
        Ok(groups.unwrap_or(0))
    }

    /// Calls on these groups, each of `size` of them.
    fn call(
        &self,
        callable: &Callable,
        outs: &Outputs,
        inputs: &[In],
        all: Range<usize>,
        size: usize,
        prefetches: &[Prefetch],
    ) -> Result<(), String> {
        let function = match callable {
            Callable::Machine(function) => function,
            Callable::Interpreted(interpreter) => {
                return all.into_iter().try_for_each(|at| self.interpret(interpreter, outs, inputs, at));
            }
        };
        let argument = |i: usize| self.argument(outs, inputs, self.parameters[i], &all, size);
        // Scalar code takes one element a call, of which a word of memory may hold several.
        let times = all.len() / size * if self.row == 1 && self.in_parts() { 64 / self.bits as usize } else { 1 };
        macro_rules! call {
            ($($arity:literal)+) => {
                match self.parameters.len() {
                    $($arity => {
                        let arguments = std::array::from_fn::<_, $arity, _>(argument);
                        function.call_prefetching(times, &arguments, prefetches)
                    })+
                    // More than calls take: refused when the code was made.
                    _ => function.call_prefetching(times, &[], prefetches),
                }
            };
        }
        call!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16).map_err(|e| e.to_string())
    }

    /// Are digits parts of a word of memory to the code, too?
    fn in_parts(&self) -> bool {
        matches!(self.bits, BYTE | SHORT)
    }

    /// The words of these groups of a parameter; of a constant those of `size` groups.
    #[inline(always)]
    fn argument<'a>(
        &self,
        outs: &Outputs<'a>,
        inputs: &[In<'a>],
        parameter: Parameter,
        groups: &Range<usize>,
        size: usize,
    ) -> Argument<'a> {
        let group = parameter.digits * self.row;
        let place = groups.start * group..groups.end * group;
        let cut = |argument: Argument<'a>| {
            if self.in_parts() { argument.cut(self.bits as usize / 8) } else { argument }
        };
        match parameter.role {
            Role::Output(i) => cut(Argument::from(&outs[i][place])),
            Role::Input(i) => match inputs[i] {
                In::Out(k) => cut(Argument::from(&outs[k][place])),
                In::Words(words) => cut(Argument::from(&words[place])),
                // One element to scalar code, always the same.
                In::Constant(words) if self.row == 1 && self.in_parts() => {
                    cut(Argument::from(&words[..size * group])).element(0)
                }
                In::Constant(words) => cut(Argument::from(&words[..size * group])),
            },
        }
    }
}

/// Functions for many groups of lanes and for what is left, and their shape in words.
fn in_lanes(
    proved: &Proved,
    backend: &dyn Backend,
    estimate: &Estimate,
    shape: Option<&str>,
    calls: Option<&[u32]>,
) -> Result<(Vec<(usize, Callable)>, String), String> {
    // Calls of so many groups, and group by group what is left; a call that follows another one costs a few cycles.
    let calls: &[u32] = match (calls, estimate.beside, estimate.operations) {
        (Some(calls), ..) => calls,
        (None, Some(1), _) => &[1],
        (None, Some(groups), _) => &[groups, 1],
        (None, None, long) if long > LONG => &[1],
        (None, None, few) if few < FEW => &[2 * BLOCK as u32, 4, 1],
        (None, None, _) => &[BLOCK as u32, BLOCK as u32 / 2, 1],
    };
    let make = |groups: u32| {
        let repeat = if groups == 1 && calls.len() > 1 { Repeat::Single } else { Repeat::Groups(groups) };
        backend.make(proved, &Choice { shape, repeat, ..Choice::default() }).map_err(|e| e.to_string())
    };
    let mut made: Vec<Made> = Vec::new();
    for groups in calls {
        made.push(make(*groups)?);
        // Code of routines may be for one group, whatever is asked for.
        if made.last().is_some_and(|made| made.order.groups == 1) {
            break;
        }
    }
    let shape = made.first().and_then(|made| made.shape.clone()).unwrap_or_default();
    let levels = made
        .iter()
        .map(|made| Ok((made.order.groups as usize, callable(made)?)))
        .collect::<Result<Vec<_>, String>>()?;
    Ok((levels, format!("{shape}, at least {:.1} cycles a group", estimate.cycles)))
}

/// The function itself: arrays call machine code of our own.
fn callable(made: &Made) -> Result<Callable, String> {
    let function = made.function.machine_code().ok_or("arrays call machine code of this process alone")?;
    Ok(Callable::Machine(function.clone()))
}
