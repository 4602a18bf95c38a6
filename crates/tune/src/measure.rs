//! From proved kernels to measured candidates: compiled in parallel, timed alone.

use evariste_algorithms::Layout;
use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{self, Features, Genes, Lanes, Width};
use evariste_descriptions::Field;
use evariste_ir::{ArrayKind, Kernel};
use evariste_proof::Proved;
use evariste_run::{
    Argument, Buffer, Compiler, NativeFunction, RunError, Stop, Timing, TimingOptions, Workload, time_paired_until,
};
use num_bigint::BigInt;
use rayon::prelude::*;

use crate::encode::{Arrays, bits};
use crate::error::TuneError;
use crate::machine_code::checked;
use crate::operands::{arrays, operand_values};
use crate::ranking::Code;

/// Flags that kernels are compiled with, and that emitted packages name in their Makefile.
pub const FLAGS: &[&str] = &["-O2", "-march=native"];

/// Sets of operands that a function is timed on.
const OPERAND_SETS: usize = 8;
/// The same for a function of many elements.
const LANE_SETS: usize = 2;

/// A compiled kernel.
pub struct Compiled {
    /// The function.
    pub function: NativeFunction,
    /// Bytes of machine code.
    pub code_bytes: Option<u64>,
    /// Elements that one call computes: 64 for each one-bit word, else 1 for each lane.
    pub lanes: u32,
    /// How the words of these elements lie: one of each for scalar code.
    pub order: Lanes,
    /// On vectors: the shape of the code.
    pub shape: Option<Shape>,
}

impl Compiled {
    /// Scalar code of a kernel.
    pub fn scalar(proved: &Proved, function: NativeFunction) -> Compiled {
        Compiled {
            code_bytes: function.code_size(),
            function,
            lanes: bit_lanes(proved),
            order: Lanes::ONE,
            shape: None,
        }
    }
}

/// Elements in a word: 64 of one bit, or one.
pub(crate) fn bit_lanes(proved: &Proved) -> u32 {
    if proved.kernel().word == 1 { 64 } else { 1 }
}

/// Writes one kernel on vectors in that shape, has it checked, and makes it a function.
pub fn vectorize(proved: &Proved, features: Features, shape: Shape) -> Result<Compiled, TuneError> {
    let no = |e: &dyn std::fmt::Display| TuneError::MachineCode(e.to_string());
    let program = lanes::compile(proved, features, shape).map_err(|e| TuneError::NoVectors(e.to_string()))?;
    let checked = x86_64::check(proved, &program).map_err(|e| no(&e))?;
    let order = checked.program().lanes;
    let function = NativeFunction::from_machine_code(evariste_jit::Function::new(&checked).map_err(|e| no(&e))?)?;
    Ok(Compiled {
        code_bytes: function.code_size(),
        function,
        lanes: order.elements() * bit_lanes(proved),
        order,
        shape: Some(shape),
    })
}

/// Compiles one kernel to a function.
pub fn compile(proved: &Proved, compiler: &Compiler) -> Result<Compiled, TuneError> {
    let function = compiler.functions(&[proved], FLAGS)?.remove(0);
    Ok(Compiled::scalar(proved, function))
}

/// Writes one kernel as machine code for this processor, in the order of a schedule that was found or else of the
/// heuristic, has it checked, and makes it a function.
pub fn assemble(proved: &Proved, features: Features, genes: Option<&Genes>) -> Result<Compiled, TuneError> {
    let no = |e: &dyn std::fmt::Display| TuneError::MachineCode(e.to_string());
    let checked = checked(proved, features, genes)?;
    let function = NativeFunction::from_machine_code(evariste_jit::Function::new(&checked).map_err(|e| no(&e))?)?;
    Ok(Compiled::scalar(proved, function))
}

/// Set to `off`, this variable of the environment keeps machine code from being made.
pub const SWITCH: &str = "EVARISTE_MACHINE_CODE";

/// What machine code may use on this machine.
pub fn machine_code() -> Result<Features, TuneError> {
    if std::env::var(SWITCH).is_ok_and(|v| v == "off") {
        return Err(TuneError::MachineCode(format!("{SWITCH} is off")));
    }
    evariste_jit::available().map_err(|e| TuneError::MachineCode(e.to_string()))
}

/// The schedule that the heuristic chooses for a kernel on this machine.
pub fn heuristic_genes(proved: &Proved) -> Result<Genes, TuneError> {
    x86_64::heuristic_genes(proved, machine_code()?).map_err(|e| TuneError::MachineCode(e.to_string()))
}

/// Bits of digits whose whole products lanes of 64 bits add up where there are no products of 52 bits.
pub(crate) const WHOLE_PRODUCTS: u32 = 28;

/// What makes code of a kernel.
#[derive(Clone, Debug)]
pub enum Maker {
    /// A C compiler.
    C(Compiler),
    /// Machine code of our own, in this process.
    Machine(Features),
    /// The same on vectors of that width.
    Vectors(Features, Width),
}

impl Maker {
    /// Everything that this machine has: machine code of our own first, then the C compiler.
    pub fn all() -> Vec<Maker> {
        let machine = machine_code().ok().map(Maker::Machine);
        machine.into_iter().chain(Compiler::find().ok().map(Maker::C)).collect()
    }

    /// Everything that this machine has for many elements at once.
    pub fn vectors() -> Vec<Maker> {
        let Ok(features) = machine_code() else { return Vec::new() };
        let widths = [(Width::Z, features.avx512), (Width::Y, features.avx2), (Width::X, features.avx2)];
        widths.into_iter().filter(|(_, has)| *has).map(|(width, _)| Maker::Vectors(features, width)).collect()
    }

    /// Does it make code of kernels of this field in this layout, with floats or without?
    pub fn takes(&self, field: &Field, layout: &Layout, floats: bool) -> bool {
        match self {
            Maker::C(_) => layout.radix.is_none(),
            // A processor of 64 bits gains nothing from digits of 32.
            Maker::Machine(_) => layout.radix.is_none() && (layout.word == 64 || layout.word == 1),
            // Half of the lanes that there are: what remains of bit-slicing on narrow processors.
            Maker::Vectors(_, Width::X) => layout.word == 1,
            // Products by doubles are for words of 64 bits, of which lanes have products of halves alone.
            Maker::Vectors(..) if floats => true,
            // Products of 32 bits where there are none of 52, of words or of digits with room for their sums, and for
            // short elements: of one word in lanes of 32 bits, of more in lanes of 64.
            Maker::Vectors(features, width) => {
                let (wide, short) = (*width == Width::Z, layout.radix.is_none() && layout.word == 32);
                // Carry-less products take whole words.
                let carryless = features.vpclmul && layout.word == 64 && matches!(field, Field::Binary(_));
                // Whole words of 64 bits, by products of their halves.
                let long = layout.radix.is_none()
                    && layout.word == 64
                    && layout.digits() == 1
                    && matches!(field, Field::Modular(_) | Field::Odd(_));
                // Bytes where they are multiplied and mapped as such.
                let bytes = features.gfni
                    && width.has_masks()
                    && layout.word == 8
                    && layout.digits() == 1
                    && matches!(field, Field::Binary(_));
                layout.word == 1
                    || carryless
                    || bytes
                    || long
                    || layout.radix == Some(52) && wide && features.ifma
                    || layout.radix == Some(WHOLE_PRODUCTS) && !features.ifma
                    || short && (!features.ifma || wide && layout.digits() <= 2)
            }
        }
    }

    /// Its name in rankings.
    pub fn code(&self) -> Code {
        match self {
            Maker::C(_) => Code::C,
            Maker::Machine(_) => Code::X86_64,
            Maker::Vectors(_, Width::X) => Code::Avx128,
            Maker::Vectors(_, Width::Y) => Code::Avx2,
            Maker::Vectors(_, Width::Z) => Code::Avx512,
        }
    }

    /// The least cycles of an element: by the ports that take vectors where the code is on them, else by what any
    /// scalar code needs. 0 where there is no code.
    pub fn bound(&self, proved: &Proved) -> f64 {
        let kernel = proved.kernel();
        let cycles = match self {
            Maker::Vectors(features, width) => {
                lanes::graph(kernel, *features, *width).map_or(0.0, |g| lanes::bound(&g, *width))
            }
            Maker::Machine(features) if lanes::needs_vectors(kernel) => {
                lanes::graph_one(kernel, *features).map_or_else(|_| x86_64::bound(kernel), |g| lanes::bound_one(&g))
            }
            _ => x86_64::bound(kernel),
        };
        cycles / f64::from(bit_lanes(proved))
    }

    /// One kernel as a function.
    pub fn make(&self, proved: &Proved) -> Result<Compiled, TuneError> {
        match self {
            Maker::C(compiler) => compile(proved, compiler),
            Maker::Machine(features) => assemble(proved, *features, None),
            Maker::Vectors(features, width) => {
                let graph = lanes::graph(proved.kernel(), *features, *width)
                    .map_err(|e| TuneError::NoVectors(e.to_string()))?;
                let shape =
                    lanes::shapes(proved.kernel(), &graph, *width).first().copied().unwrap_or(Shape::single(*width));
                vectorize(proved, *features, shape)
            }
        }
    }
}

/// Makes functions of many kernels on all cores, until somebody asks to stop; `done` is called after each.
pub fn make_all(
    kernels: &[&Proved],
    maker: &Maker,
    stop: &Stop,
    done: impl Fn() + Sync,
) -> Vec<Result<Compiled, TuneError>> {
    let make = |proved: &&Proved| {
        if stop.is_asked() {
            return Err(RunError::Stopped.into());
        }
        let made = maker.make(proved);
        done();
        made
    };
    kernels.par_iter().map(make).collect()
}

/// An array as the compiled function takes it: elements of the machine's size for their type, in the machine's byte
/// order; a one-bit element fills a word of 64 lanes.
fn buffer(kernel: &Kernel, values: &[BigInt], bytes: usize) -> Buffer {
    let size = bytes / values.len().max(1);
    let mut content = Vec::with_capacity(bytes);
    for v in values {
        let word = if kernel.word == 1 { bits(v).wrapping_neg() } else { bits(v) };
        let word = if cfg!(target_endian = "big") { word << (64 - 8 * size.min(8)) } else { word };
        content.extend_from_slice(&word.to_ne_bytes()[..size.min(8)]);
    }
    Buffer::from_bytes(&content)
}

/// The values of a buffer's elements (lane 0 of one-bit words).
fn values(kernel: &Kernel, buffer: &Buffer, elements: usize) -> Vec<BigInt> {
    let size = buffer.len() / elements.max(1);
    let join = |word: u64, byte: &u8| word << 8 | u64::from(*byte);
    let word = |chunk: &[u8]| {
        if cfg!(target_endian = "big") { chunk.iter().fold(0, join) } else { chunk.iter().rev().fold(0, join) }
    };
    buffer
        .bytes()
        .chunks(size)
        .take(elements)
        .map(|c| (if kernel.word == 1 { word(c) & 1 } else { word(c) }).into())
        .collect()
}

/// The arguments of a kernel that are read, as buffers.
pub(crate) fn read_buffers(kernel: &Kernel, arguments: &[Argument], arrays: &Arrays) -> Vec<Buffer> {
    let visible = kernel.params().filter(|a| kernel.array(*a).kind != ArrayKind::Ghost);
    let read =
        visible.zip(arguments).filter(|(a, _)| matches!(kernel.array(*a).kind, ArrayKind::Input | ArrayKind::InOut));
    read.map(|(a, argument)| {
        let zeros = vec![BigInt::from(0); kernel.array(a).len as usize];
        let elements = arrays.iter().find(|(b, _)| *b == a).map(|(_, v)| v).unwrap_or(&zeros);
        buffer(kernel, elements, argument.bytes)
    })
    .collect()
}

/// One buffer an argument: the arrays that are given, and zeros for the others.
pub fn argument_buffers(kernel: &Kernel, arguments: &[Argument], given: &Arrays) -> Vec<Buffer> {
    let one = |(argument, a): (&Argument, evariste_ir::Array)| match given.iter().find(|(b, _)| *b == a) {
        Some((_, elements)) => buffer(kernel, elements, argument.bytes),
        None => Buffer::zeroed(argument.bytes),
    };
    arguments.iter().zip(kernel.params()).map(one).collect()
}

/// Calls a compiled kernel once on element arrays and gives all parameters that it writes.
pub fn call(kernel: &Kernel, compiled: &Compiled, inputs: &Arrays) -> Result<Arrays, TuneError> {
    let mut buffers = argument_buffers(kernel, compiled.function.arguments(), inputs);
    compiled.function.call(&mut buffers)?;
    let written = kernel.params().zip(&buffers).filter(|(a, _)| !matches!(kernel.array(*a).kind, ArrayKind::Input));
    Ok(written.map(|(a, b)| (a, values(kernel, b, kernel.array(a).len as usize))).collect())
}

/// A compiled kernel with random operands within its contract.
pub fn workload(proved: &Proved, compiled: &Compiled) -> Workload {
    let kernel = proved.kernel();
    let elements = compiled.order.elements() as usize;
    // Random operands: the second half of the list. Calls on many elements bring their own variety.
    let count = if elements == 1 { OPERAND_SETS } else { LANE_SETS * elements };
    let sets = operand_values(kernel, 2 * count, 1).split_off(count);
    let arrays: Vec<Arrays> =
        sets.iter().filter_map(|values| arrays(kernel, &kernel.contract.inputs, values)).collect();
    let operands = if elements == 1 {
        arrays.iter().map(|arrays| read_buffers(kernel, compiled.function.arguments(), arrays)).collect()
    } else {
        arrays.chunks_exact(elements).map(|elements| lane_buffers(kernel, compiled, elements)).collect()
    };
    Workload { function: compiled.function.clone(), operands, chain: 0 }
}

/// The arguments that are read, for many elements: word i of element `g·count + l` at `(g·len + i)·count + l`.
fn lane_buffers(kernel: &Kernel, compiled: &Compiled, elements: &[Arrays]) -> Vec<Buffer> {
    let count = compiled.order.count as usize;
    let read = kernel
        .params()
        .zip(compiled.function.arguments())
        .filter(|(a, _)| matches!(kernel.array(*a).kind, ArrayKind::Input | ArrayKind::InOut));
    read.map(|(a, argument)| {
        let len = kernel.array(a).len as usize;
        let zero = BigInt::from(0);
        let word = |at: usize| {
            let (lane, row) = (at % count, at / count);
            let element = &elements[row / len * count + lane];
            element.iter().find(|(b, _)| *b == a).map_or(zero.clone(), |(_, words)| words[row % len].clone())
        };
        let words: Vec<BigInt> = (0..len * elements.len()).map(word).collect();
        buffer(kernel, &words, argument.bytes)
    })
    .collect()
}

/// Times compiled kernels side by side; one result for each.
pub fn time(kernels: &[(&Proved, &Compiled)], options: &TimingOptions) -> Result<Vec<Timing>, RunError> {
    time_until(kernels, options, &Stop::default())
}

/// Times compiled kernels side by side until somebody asks to stop; one result for each, all of the same rounds.
pub fn time_until(
    kernels: &[(&Proved, &Compiled)],
    options: &TimingOptions,
    stop: &Stop,
) -> Result<Vec<Timing>, RunError> {
    let workloads: Vec<Workload> = kernels.iter().map(|(proved, compiled)| workload(proved, compiled)).collect();
    time_paired_until(&workloads, options, stop)
}
