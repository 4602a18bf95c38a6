//! x86-64: machine code on vectors of 128, 256 and 512 bits, an element a lane.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use evariste_algorithms::{Layout, Operation, Plan, lane_layouts, layouts, plans};
use evariste_codegen::graph::Graph;
use evariste_codegen::x86_64::X86_64;
use evariste_codegen::x86_64::lanes::{self, Routines, Shape};
use evariste_codegen::x86_64::speeds;
use evariste_codegen::x86_64::vector::Vector;
use evariste_codegen::x86_64::{Base, Features, Gpr, Inst, Opcode, Operand, Width};
use evariste_codegen::{Aim, Checked};
use evariste_cores::{Core, reference};
use evariste_descriptions::{BinaryField, Dfc, Field, Mmh, Modulus, OddModuli, SquareHash, Tmmh};
use evariste_ir::Kernel;
use evariste_proof::{Proved, prove};

use crate::backend::{Backend, Choice, Entry, Estimate, Kind, MachineTable, Refusal, Repeat};
use crate::machine_code::{features_among, function};
use crate::made::{Made, bit_lanes};
use crate::whole_products;

/// Bits of digits whose whole products lanes of 64 bits add up where there are no products of 52 bits.
const WHOLE_PRODUCTS: RangeInclusive<u32> = 24..=30;

/// Bits of digits that are multiplied as doubles where there are no products of 52 bits.
const DOUBLES: RangeInclusive<u32> = 44..=51;

/// Is the radix one of those that are searched where there are no products of 52 bits?
fn is_searched(radix: u32) -> bool {
    WHOLE_PRODUCTS.contains(&radix) || DOUBLES.contains(&radix)
}

/// Vectors of 512 bits.
pub static AVX_512: Entry = Entry {
    name: "avx-512",
    title: "AVX-512",
    kind: Kind::Lanes { bits: 512 },
    find: |names| find(names, &AVX_512, Width::Z, |f| f.avx512),
    machine: Some(&MachineTable {
        native: evariste_jit::is_native::<X86_64>,
        misnamed: Features::misnamed,
        limits: None,
        model: || model(&AVX_512, Features::AVX512, Width::Z),
        speeds: speeds::avx_512,
        probe: None,
    }),
    package: None,
};

/// Vectors of 256 bits.
pub static AVX2: Entry = Entry {
    name: "avx2",
    title: "AVX2",
    kind: Kind::Lanes { bits: 256 },
    find: |names| find(names, &AVX2, Width::Y, |f| f.avx2),
    machine: Some(&MachineTable {
        native: evariste_jit::is_native::<X86_64>,
        misnamed: Features::misnamed,
        limits: None,
        model: || model(&AVX2, Features::AVX2, Width::Y),
        speeds: speeds::avx2,
        probe: None,
    }),
    package: None,
};

/// Vectors of 128 bits.
pub static AVX_128: Entry = Entry {
    name: "avx-128",
    title: "AVX, 128 bits",
    kind: Kind::Lanes { bits: 128 },
    find: |names| find(names, &AVX_128, Width::X, |f| f.avx2),
    machine: None,
    package: None,
};

/// Vectors of 128 bits on processors without AVX2.
pub static SSE2: Entry = Entry {
    name: "sse2",
    title: "SSE2",
    kind: Kind::Lanes { bits: 128 },
    find: |names| find(names, &SSE2, Width::S, |f| !f.avx2),
    machine: None,
    package: None,
};

/// Machine code of one element with calls side by side in vectors: what x86-64 code of such kernels is ranked as.
pub static ABREAST: Entry = Entry {
    name: lanes::ABREAST,
    title: "x86-64 with products of 52 bits",
    kind: Kind::Scalar,
    find: |_| {
        Err(Refusal::Code(format!("{} code is made among x86-64 code, where the processor has it", lanes::ABREAST)))
    },
    machine: None,
    package: None,
};

fn find(
    names: Option<&str>,
    entry: &'static Entry,
    width: Width,
    has: fn(Features) -> bool,
) -> Result<Arc<dyn Backend>, Refusal> {
    let features = features_among::<X86_64>(names)?;
    if !has(features) {
        return Err(Refusal::NoVectors(format!("{} is not what a processor with {features} takes", entry.title)));
    }
    Ok(model(entry, features, width))
}

/// The vectors of a processor with these instruction sets, whatever this one is: their code is checked, and may not run
/// here.
pub fn models(features: Features) -> Vec<Arc<dyn Backend>> {
    let rows: [(_, _, fn(Features) -> bool); 4] = [
        (&AVX_512, Width::Z, |f| f.avx512),
        (&AVX2, Width::Y, |f| f.avx2),
        (&AVX_128, Width::X, |f| f.avx2),
        (&SSE2, Width::S, |f| !f.avx2),
    ];
    let has = rows.into_iter().filter(|(.., has)| has(features));
    has.map(|(entry, width, _)| model(entry, features, width)).collect()
}

fn model(entry: &'static Entry, features: Features, width: Width) -> Arc<dyn Backend> {
    let core = reference().clone();
    Arc::new(Vectors { entry, features, width, core, forms: Arc::default(), whole: Arc::default() })
}

/// Writes one kernel on vectors in that shape, has it checked, and makes it a function.
///
/// # Errors
/// A kernel without a form on these vectors; code that the checker or this machine refuses.
pub fn vectorize<'c>(proved: &Proved, aim: impl Into<Aim<'c, Features>>, shape: Shape) -> Result<Made, Refusal> {
    let checked = checked(proved, aim.into(), shape)?;
    made(proved, &checked, shape.to_string())
}

/// A checked program on vectors in memory.
fn made(proved: &Proved, checked: &Checked<X86_64>, shape: String) -> Result<Made, Refusal> {
    let (function, order) = (function(checked)?, checked.program().arrangement());
    Ok(Made {
        code_bytes: function.code_size(),
        function,
        lanes: order.elements() * bit_lanes(proved.kernel()),
        order,
        shape: Some(shape),
    })
}

fn checked(proved: &Proved, aim: Aim<'_, Features>, shape: Shape) -> Result<Checked<X86_64>, Refusal> {
    let program = lanes::compile(proved, aim, shape).map_err(|e| Refusal::NoVectors(e.to_string()))?;
    evariste_codegen::check::check(proved, &program).map_err(|e| Refusal::code(&e))
}

/// The kernel's own order, one group after another.
fn own_order(shape: Shape) -> Shape {
    Shape { source: true, groups: 1, iterations: shape.groups(), active: 1, reserve: 0, ..shape }
}

/// Is the field a universal hash function, whose words are shorter than those of the kernel or as long?
fn is_hash(field: &Field) -> bool {
    field.get::<Mmh>().is_some() || field.get::<SquareHash>().is_some() || field.get::<Tmmh>().is_some()
}

#[derive(Debug)]
struct Vectors {
    entry: &'static Entry,
    features: Features,
    width: Width,
    core: Arc<Core>,
    /// Field and layout of those that were asked about, and whether their products have code.
    forms: Arc<Mutex<HashMap<(String, String), bool>>>,
    /// The layouts for whole products of the fields that were asked about.
    whole: Arc<Mutex<HashMap<String, Vec<Layout>>>>,
}

impl Vectors {
    /// Checked code of one group, in the kernel's own order where another one does not suffice.
    fn single(&self, proved: &Proved) -> Result<Checked<X86_64>, Refusal> {
        let shape = Shape::single(self.width);
        checked(proved, self.aim(), shape).or_else(|why| checked(proved, self.aim(), own_order(shape)).map_err(|_| why))
    }

    fn aim(&self) -> Aim<'_, Features> {
        Aim::of_core(self.features, &self.core)
    }

    /// Has a product of the layout code? Short elements on vectors without masks: some reductions compare.
    fn has_product(&self, field: &Field, layout: &Layout) -> bool {
        let mut forms = self.forms.lock().unwrap_or_else(PoisonError::into_inner);
        *forms.entry((field.text(), layout.name.clone())).or_insert_with(|| {
            // The proof knows more of what a product leaves than who wrote it.
            let proved = |kernel: Kernel| prove(&kernel).proved();
            let has = |plan: Plan| plan.write().ok().and_then(proved).is_some_and(|p| self.has_code(&p));
            plans(field, layout, &Operation::MUL).into_iter().any(has)
        })
    }

    /// Layouts for whole products, by the costs of the reference core: the same on all machines, since rankings name
    /// layouts.
    fn whole_products(&self, field: &Field) -> Vec<Layout> {
        // (Multiply-adds of doubles are an instruction set of their own.)
        let doubles = DOUBLES.filter(|_| self.features.fma);
        let mut known = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        let cycles = |kernel: &Kernel| {
            let graph = self.graph(kernel).ok()?;
            Some(lanes::bound_of_group(&graph, self.width, reference()))
        };
        let search = || whole_products::layouts(field, WHOLE_PRODUCTS.chain(doubles.clone()), cycles);
        known.entry(field.text()).or_insert_with(search).clone()
    }

    /// The shape of code of routines, which is the only one of its kernel.
    fn in_routines(&self) -> String {
        format!("{} routines", self.width.prefix())
    }

    /// What is compiled of a kernel that is too long for one graph.
    fn routines(&self, kernel: &Kernel) -> Result<Option<Routines>, Refusal> {
        lanes::routines(kernel, self.features, self.width).map_err(|e| Refusal::NoVectors(e.to_string()))
    }

    /// Its checked program.
    fn rolled(&self, proved: &Proved) -> Result<Option<Checked<X86_64>>, Refusal> {
        let Some(routines) = self.routines(proved.kernel())? else { return Ok(None) };
        let program = routines.compile(self.aim()).map_err(|e| Refusal::NoVectors(e.to_string()))?;
        evariste_codegen::check::check(proved, &program).map(Some).map_err(|e| Refusal::code(&e))
    }

    /// The code of several groups side by side, of what is compiled as routines: that of a kernel of several elements, which
    /// is proved as any other. `None`: it is too long, or there is none.
    fn beside(&self, proved: &Proved, groups: u32) -> Result<Option<Made>, Refusal> {
        let Ok(Some(routines)) = Routines::of_groups(proved.kernel(), self.features, self.width, groups) else {
            return Ok(None);
        };
        let Ok(program) = routines.compile(self.aim()) else { return Ok(None) };
        let kernel = evariste_ir::times(Arc::new(proved.statement().clone()), groups);
        let Some(several) = prove(&kernel).proved() else { return Ok(None) };
        let Ok(checked) = evariste_codegen::check::check(&several, &program) else { return Ok(None) };
        let shape = format!("{}, {groups} groups side by side", self.in_routines());
        made(proved, &checked, shape).map(|made| Some(made.repeated(groups)))
    }

    fn graph(&self, kernel: &Kernel) -> Result<Graph, Refusal> {
        lanes::graph(kernel, self.features, self.width).map_err(|e| Refusal::NoVectors(e.to_string()))
    }

    /// The shape that is asked for.
    fn shape(&self, proved: &Proved, choice: &Choice) -> Result<Shape, Refusal> {
        let single = Shape::single(self.width);
        let shapes = lanes::shapes(proved.kernel(), &self.graph(proved.kernel())?, self.width);
        let named = shapes.iter().find(|s| choice.shape == Some(s.to_string().as_str()));
        let shape = named.or(shapes.first()).copied().unwrap_or(single);
        Ok(match choice.repeat {
            Repeat::Usual => shape,
            Repeat::Once => Shape { iterations: 1, ..shape },
            Repeat::Single if shape.rolled => Shape { groups: 1, iterations: 1, active: 1, ..shape },
            // What has more values than registers keeps its order for one group, too.
            Repeat::Single => Shape { source: shape.source, fold: shape.fold, ..single },
            Repeat::Groups(groups) => {
                let side = shape.groups.min(groups);
                Shape { groups: side, iterations: groups / side.max(1), active: shape.active.min(side), ..shape }
            }
        })
    }
}

impl Backend for Vectors {
    fn entry(&self) -> &'static Entry {
        self.entry
    }

    fn setting(&self) -> String {
        format!("vectors ({}): {}", self.entry.name, self.features)
    }

    fn on(&self, core: &Arc<Core>) -> Option<Arc<dyn Backend>> {
        let Vectors { entry, features, width, .. } = *self;
        let (core, forms, whole) = (core.clone(), self.forms.clone(), self.whole.clone());
        Some(Arc::new(Vectors { entry, features, width, core, forms, whole }))
    }

    fn takes(&self, field: &Field, layout: &Layout, floats: bool) -> bool {
        let (features, width) = (self.features, self.width);
        // A fraction of the lanes that there are: what remains of bit-slicing on narrow processors, and carry-less products
        // where longer vectors have none.
        if width == Width::X {
            let words = features.pclmul && layout.word == 64 && field.get::<BinaryField>().is_some();
            return layout.word == 1 || words && !floats;
        }
        // SSE2 compares and multiplies no more than columns of whole products need.
        if width == Width::S {
            let digits = layout.radix.is_some_and(|k| WHOLE_PRODUCTS.contains(&k));
            return layout.word == 1 || layout.word == 64 && digits && !floats;
        }
        // Products by doubles are for words of 64 bits, of which lanes have products of halves alone.
        if floats {
            return true;
        }
        // Products of 32 bits where there are none of 52, of words or of digits with room for their sums, and for
        // short elements: of one word in lanes of 32 bits, of more in lanes of 64.
        let (wide, short) = (width == Width::Z, layout.radix.is_none() && layout.word == 32);
        // Carry-less products take whole words.
        let carryless = features.vpclmul && layout.word == 64 && field.get::<BinaryField>().is_some();
        // Whole words of 64 bits, by products of their halves; hash functions in long vectors by shifts through two words.
        let long = layout.radix.is_none()
            && layout.word == 64
            && layout.digits() == 1
            && (field.get::<Modulus>().is_some()
                || field.get::<OddModuli>().is_some()
                || is_hash(field) && (!wide || features.vbmi2));
        // Bytes where they are multiplied and mapped as such.
        let bytes = features.gfni
            && width.has_masks()
            && layout.word == 8
            && layout.digits() == 1
            && field.get::<BinaryField>().is_some();
        layout.word == 1
            || carryless
            || bytes
            || long
            || layout.radix == Some(52) && wide && features.ifma
            || layout.word == 64 && layout.radix.is_some_and(is_searched)
            || short && wide && (!features.ifma || layout.digits() <= 2)
            || short && !wide && !features.ifma && (layout.digits() > 1 || self.has_product(field, layout))
    }

    fn layouts(&self, field: &Field) -> Vec<Layout> {
        let mut all = lane_layouts(field, 64, 52);
        if field.get::<Modulus>().is_some() && !self.features.ifma {
            all.extend(self.whole_products(field));
        }
        if field.get::<Dfc>().is_some() && !self.features.ifma {
            all.extend(lane_layouts(field, 64, *WHOLE_PRODUCTS.start()));
        }
        if field.get::<BinaryField>().is_some_and(|f| f.degree == 8) && self.features.gfni {
            all.extend([8, 1].into_iter().flat_map(|word| layouts(field, word)));
        }
        all
    }

    fn further_layouts(&self, field: &Field) -> Vec<Layout> {
        if field.get::<Modulus>().is_none() {
            return Vec::new();
        }
        let doubles = DOUBLES.filter(|_| self.features.fma);
        let mut all: Vec<Layout> = WHOLE_PRODUCTS.chain(doubles).flat_map(|k| lane_layouts(field, 64, k)).collect();
        let listed = self.layouts(field);
        let floats = |layout: &Layout| layout.radix.is_some_and(|k| DOUBLES.contains(&k));
        all.retain(|l| listed.iter().all(|other| other.name != l.name) && self.takes(field, l, floats(l)));
        all
    }

    fn bound(&self, kernel: &Kernel, core: &Core) -> Option<f64> {
        if let Ok(Some(routines)) = self.routines(kernel) {
            return Some(routines.bound_of_group(core) / f64::from(self.width.bytes() / 8));
        }
        Some(self.graph(kernel).map_or(0.0, |graph| lanes::bound(&graph, self.width, core)))
    }

    fn estimate(&self, kernel: &Kernel) -> Result<Estimate, Refusal> {
        if let Some(routines) = self.routines(kernel)? {
            let (operations, cycles) = (routines.nodes(), routines.bound_of_group(&self.core));
            return Ok(Estimate { operations, cycles, beside: lanes::groups_of_routines(kernel, self.width) });
        }
        let graph = self.graph(kernel)?;
        let cycles = lanes::bound_of_group(&graph, self.width, &self.core);
        Ok(Estimate { operations: graph.nodes.len(), cycles, beside: None })
    }

    fn has_code(&self, proved: &Proved) -> bool {
        match self.rolled(proved) {
            Ok(None) => self.single(proved).is_ok(),
            rolled => rolled.is_ok(),
        }
    }

    fn shapes(&self, kernel: &Kernel) -> Vec<String> {
        if matches!(self.routines(kernel), Ok(Some(_))) {
            return vec![self.in_routines()];
        }
        let Ok(graph) = self.graph(kernel) else { return Vec::new() };
        lanes::shapes(kernel, &graph, self.width).iter().map(Shape::to_string).collect()
    }

    fn make(&self, proved: &Proved, choice: &Choice) -> Result<Made, Refusal> {
        if let Repeat::Groups(groups @ 2..) = choice.repeat
            && lanes::groups_of_routines(proved.kernel(), self.width).is_some()
            && self.routines(proved.kernel())?.is_some()
            && let Some(made) = self.beside(proved, groups)?
        {
            return Ok(made);
        }
        if let Some(checked) = self.rolled(proved)? {
            return made(proved, &checked, self.in_routines());
        }
        let shape = self.shape(proved, choice)?;
        let made = vectorize(proved, self.aim(), shape);
        // In the kernel's own order fewer conditions are alive.
        if made.is_err() && choice.shape.is_none() && !shape.source {
            return vectorize(proved, self.aim(), own_order(shape)).or(made);
        }
        made
    }

    fn instructions(&self, proved: &Proved) -> Result<Vec<(&'static str, u64)>, Refusal> {
        let checked = self.single(proved)?;
        let mut counts = CLASSES.map(|name| (name, 0));
        for inst in checked.program().code.iter().filter(|i| i.op != Opcode::Label) {
            counts[class(inst)].1 += 1;
        }
        Ok(counts.to_vec())
    }
}

/// Classes of instructions on vectors.
const CLASSES: [&str; 8] = ["XOR", "AND", "fused", "load", "store", "spill", "reload", "other"];

/// An instruction's place in [`CLASSES`]; one that computes counts as what it computes, wherever its operands come
/// from.
fn class(inst: &Inst) -> usize {
    let stack = |o: Option<Operand>| matches!(o, Some(Operand::Memory(a)) if a.base == Base::Register(Gpr::Rsp));
    let memory = |o: Option<Operand>| matches!(o, Some(Operand::Memory(_) | Operand::Broadcast(_)));
    let (to, from) = (inst.operands[0], inst.operands[1]);
    match inst.op {
        Opcode::Vector(Vector::Xor, _) => 0,
        Opcode::Vector(Vector::And | Vector::AndNot, _) => 1,
        Opcode::Vector(Vector::Ternary(_), _) => 2,
        Opcode::Vector(Vector::Move, _) if stack(to) => 5,
        Opcode::Vector(Vector::Move, _) if stack(from) => 6,
        Opcode::Vector(Vector::Move, _) if memory(to) => 4,
        Opcode::Vector(Vector::Move | Vector::Broadcast, _) if memory(from) => 3,
        _ => 7,
    }
}
