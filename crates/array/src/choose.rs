//! The layout of an engine and the plan of each operation: those of a remembered ranking, else those that take the
//! fewest slots of the vector ports. Nothing is measured.

use evariste_algorithms::binary::itoh_tsujii::STRAIGHT_PRODUCT;
use evariste_algorithms::layouts::layouts;
use evariste_algorithms::registry::serving;
use evariste_algorithms::{Layout, Operation, Plan, lane_layouts, plans};
use evariste_codegen::x86_64::lanes::{self, Shape};
use evariste_codegen::x86_64::{self, Features, Width};
use evariste_descriptions::{BinaryField, Field};
use evariste_proof::{Outcome, Proved, prove};
use evariste_tune::candidates::verdict;
use evariste_tune::ranking::Code as Kind;
use evariste_tune::{Goal, Ranking, cache};

use crate::code::{BYTE, Backend, Code, SHORT};
use crate::error::ArrayError;

/// Operations by which layouts are compared, and how often each counts (as `tune` weighs them).
const MIX: [(Operation, u64); 4] =
    [(Operation::Mul, 8), (Operation::Square, 4), (Operation::Add, 6), (Operation::Sub, 4)];

/// Bits of a vector's words, and of what its multiply-add takes.
const WORD: u32 = 64;
const RADIX: u32 = 52;

/// What machine code may use here, among what is allowed; `None`: there is none.
pub(crate) fn features(allowed: Option<Features>) -> Option<Features> {
    let here = evariste_tune::measure::machine_code().ok()?;
    Some(allowed.map_or(here, |allowed| both(here, allowed)))
}

/// What makes code for moduli.
pub(crate) fn backend(features: Option<Features>) -> Backend {
    let vectors = Features { avx512: true, ifma: true, ..Features::BASELINE };
    match features {
        None => Backend::Interpreter,
        Some(features) if features.covers(vectors) => Backend::Vectors(features, Width::Z),
        Some(features) => Backend::Scalar(features),
    }
}

/// Greatest degree at which bit-sliced products take fewer slots of the ports than carry-less ones of whole words.
const SLICED_DEGREE: u32 = 28;

/// Layout and code of a binary field: polynomials of eight coefficients as bytes where vectors multiply these, longer
/// ones in whole words where there are carry-less products on vectors, unless they are short or bit-slicing is asked
/// for; else bit-sliced, in the longest vectors that there are.
pub(crate) fn binary(f: &BinaryField, features: Option<Features>, sliced: bool) -> (Layout, Backend) {
    // Funnel shifts come with vectors of 512 bits only.
    let carryless = features.is_some_and(|f| f.vpclmul && if f.avx512 { f.vbmi2 } else { f.avx2 });
    let whole = carryless && !sliced && f.basis_type().is_none() && f.degree > SLICED_DEGREE;
    let bytes = !sliced && f.basis_type().is_none() && f.degree == BYTE && features.is_some_and(|f| f.avx512 && f.gfni);
    let backend = match features {
        None => Backend::Interpreter,
        Some(features) if features.avx512 => Backend::Vectors(features, Width::Z),
        Some(features) if features.avx2 => Backend::Vectors(features, Width::Y),
        Some(features) => Backend::Scalar(features),
    };
    let field = Field::Binary(f.clone());
    let word = if whole {
        WORD
    } else if bytes {
        BYTE
    } else {
        1
    };
    (layouts(&field, word).remove(0), backend)
}

/// The plan of an operation of a binary field: of those for long words of fewest slots of the ports.
fn binary_plan(field: &Field, layout: &Layout, operation: &Operation) -> Option<Plan> {
    let mut all = if *operation == Operation::Mul {
        serving(field, layout, &STRAIGHT_PRODUCT)
    } else {
        plans(field, layout, operation)
    };
    let slots =
        |p: &Plan| Some(lanes::port_slots(&lanes::graph(&p.write().ok()?, Features::AVX512, Width::Z).ok()?, Width::Z));
    if all.len() == 1 {
        all.pop()
    } else {
        all.into_iter().filter_map(|p| Some((slots(&p)?, p))).min_by_key(|(slots, _)| *slots).map(|(_, p)| p)
    }
}

/// What both have.
fn both(a: Features, b: Features) -> Features {
    Features {
        bmi2: a.bmi2 && b.bmi2,
        adx: a.adx && b.adx,
        avx2: a.avx2 && b.avx2,
        fma: a.fma && b.fma,
        avx512: a.avx512 && b.avx512,
        ifma: a.ifma && b.ifma,
        vbmi2: a.vbmi2 && b.vbmi2,
        gfni: a.gfni && b.gfni,
        pclmul: a.pclmul && b.pclmul,
        vpclmul: a.vpclmul && b.vpclmul,
    }
}

/// What `tune --lanes` remembered of a field on this machine; a file that cannot be read is as none.
pub(crate) fn remembered(field: &Field) -> Option<Ranking> {
    cache::recall_lanes(&field.text()).ok().flatten()
}

/// The layout: the best remembered one, else the least on the mix.
pub(crate) fn layout(field: &Field, ranking: Option<&Ranking>) -> Result<Layout, ArrayError> {
    let complete =
        |layout: &Layout| MIX.iter().map(|(op, n)| Some(n * least(field, layout, op)?.0)).sum::<Option<u64>>();
    // Primes of one digit of 32 bits have sixteen lanes.
    let short = layouts(field, SHORT).into_iter().filter(|l| l.digits() == 1);
    let known: Vec<(u64, Layout)> =
        lane_layouts(field, WORD, RADIX).into_iter().chain(short).filter_map(|l| Some((complete(&l)?, l))).collect();
    let remembered =
        ranking.iter().flat_map(|r| &r.layouts).find_map(|best| known.iter().find(|(_, l)| l.name == best.layout));
    let chosen = remembered.or_else(|| known.iter().min_by_key(|(slots, _)| *slots));
    // Columns hold 4n + 4 digits: n ≤ 1023.
    chosen.map(|(_, l)| l.clone()).ok_or_else(|| ArrayError::NoLayout { field: field.text(), most: 4096 })
}

/// The plan of the fewest slots for sixteen elements.
fn least(field: &Field, layout: &Layout, operation: &Operation) -> Option<(u64, Plan)> {
    let plans = plans(field, layout, operation);
    let (features, groups) = if layout.word == SHORT { (SHORT_LANES, 1) } else { (Features::AVX512, 2) };
    let counted = |plan: Plan| {
        Some((
            groups
                * u64::from(lanes::port_slots(&lanes::graph(&plan.write().ok()?, features, Width::Z).ok()?, Width::Z)),
            plan,
        ))
    };
    if layout.word != SHORT {
        return plans.into_iter().filter_map(counted).min_by_key(|(slots, _)| *slots);
    }
    let mut all: Vec<(u64, Plan)> = plans.into_iter().filter_map(counted).collect();
    all.sort_by_key(|(slots, _)| *slots);
    // Not every plan has a form on vectors that the checker follows; where there are none, the choice is the same.
    all.into_iter().find(|(_, plan)| has_form(plan))
}

/// What lanes of 32 bits are made for.
const SHORT_LANES: Features = Features { avx512: true, ..Features::BASELINE };

fn has_form(plan: &Plan) -> bool {
    proved(plan).is_ok_and(|proved| {
        lanes::compile(&proved, SHORT_LANES, Shape::single(Width::Z))
            .is_ok_and(|program| x86_64::check(&proved, &program).is_ok())
    })
}

/// The code of an operation: by the remembered plan and shape, or else by the plan of the fewest slots.
pub(crate) fn code(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    ranking: Option<&Ranking>,
    backend: Backend,
) -> Result<Code, ArrayError> {
    let no = |why: String| ArrayError::kernel(&operation.name(), &field.text(), why);
    let remembered =
        ranking.and_then(|r| r.fastest(&layout.name, &operation.name(), Some(Kind::Avx512), Goal::Throughput));
    let named = remembered.and_then(|row| plans(field, layout, operation).into_iter().find(|p| p.name() == row.plan));
    let shape = remembered.filter(|_| named.is_some()).and_then(|row| row.shape.as_deref());
    let ranked = named.is_some();
    let chosen = || {
        if let Field::Binary(_) = field {
            binary_plan(field, layout, operation)
        } else {
            Some(least(field, layout, operation)?.1)
        }
    };
    let plan = named.or_else(chosen).ok_or_else(|| no(format!("no plan in the layout {}", layout.name)))?;
    let proved = proved(&plan).map_err(no)?;
    let mut code = Code::new(&proved, backend, &plan.name(), shape).map_err(no)?;
    code.ranked = ranked;
    Ok(code)
}

fn proved(plan: &Plan) -> Result<Proved, String> {
    match prove(&plan.write().map_err(|e| e.to_string())?) {
        Outcome::Proved(proved) => Ok(proved),
        other => Err(verdict(&other)),
    }
}
