//! The layout of an engine and the plan of each operation: those of a remembered ranking, else those that take the
//! least cycles of vectors on the operations of a curve (as `tune` weighs them). Nothing is measured.

use std::cmp::Ordering;
use std::sync::Arc;

use evariste_algorithms::binary::itoh_tsujii::STRAIGHT_PRODUCT;
use evariste_algorithms::kinds::{self, curve_mix};
use evariste_algorithms::layouts;
use evariste_algorithms::recipe::{Need, Pick};
use evariste_algorithms::registry::serving;
use evariste_algorithms::{Layout, Operation, Plan, lane_layouts, plans};
use evariste_backend::{BACKENDS, Backend, Entry, Estimate, Kind, bound, found, widest_model};
use evariste_codegen::lower::MOST_NODES;
use evariste_cores::reference;
use evariste_descriptions::{BinaryField, Field};
use evariste_ir::Kernel;
use evariste_proof::{Outcome, Proved, prove};
use evariste_tune::candidates::verdict;
use evariste_tune::choose::{Chosen, Wish, choose_for};
use evariste_tune::{Candidate, Goal, Ranking, cache, cores, here};

use crate::code::{BYTE, Code, MaybeBackend, SHORT, is_word};
use crate::error::ArrayError;

/// Bits of a vector's words, and of what its multiply-add takes.
const WORD: u32 = 64;
const RADIX: u32 = 52;

/// What makes code for many elements here, the widest first, with those of the instruction sets that a text names;
/// without lanes, scalar code.
pub(crate) fn backends(sets: Option<&str>) -> Vec<Arc<dyn Backend>> {
    let mut all = found(Kind::has_lanes, sets);
    all.extend(here::scalar(sets));
    all
}

/// The first that takes elements in that layout and has code of the operations of the mix.
fn complete(backends: &[Arc<dyn Backend>], field: &Field, layout: &Layout) -> MaybeBackend {
    let has = |backend: &&Arc<dyn Backend>| {
        let complete =
            || curve_mix().iter().all(|(operation, _)| least(field, layout, operation, &***backend).is_some());
        !backend.entry().kind.has_lanes() || backend.takes(field, layout, false) && complete()
    };
    backends.iter().find(has).cloned()
}

/// Greatest degree at which bit-sliced products take fewer slots of the ports than carry-less ones of whole words.
const SLICED_DEGREE: u32 = 28;

/// Layout and code of a binary field: polynomials of eight coefficients as bytes where vectors multiply these, longer
/// ones in whole words where there are carry-less products on vectors, unless they are short or bit-slicing is asked
/// for; else bit-sliced, in the longest vectors that there are.
pub(crate) fn binary(f: &BinaryField, backends: &[Arc<dyn Backend>], sliced: bool) -> (Layout, MaybeBackend) {
    let field = Field::new(f.clone());
    let layout = |word: u32| layouts(&field, word).remove(0);
    let polynomials = !sliced && f.basis_type().is_none();
    let word = match f.degree {
        BYTE if polynomials => BYTE,
        degree if polynomials && degree > SLICED_DEGREE => WORD,
        _ => 1,
    };
    // The longest vectors decide: narrower ones are no way round what these lack.
    let first = backends.first().filter(|backend| backend.entry().kind.has_lanes());
    let product = |layout: &Layout| binary_plan(&field, layout, &Need::ground(Operation::MUL), &None)?.write().ok();
    let has = |backend: &&Arc<dyn Backend>| {
        let layout = layout(word);
        backend.takes(&field, &layout, false) && product(&layout).is_some_and(|k| backend.estimate(&k).is_ok())
    };
    if let Some(backend) = first.filter(has).filter(|_| word > 1) {
        return (layout(word), Some(backend.clone()));
    }
    // Long bit-sliced products have no code where there are no operations of three operands: too many instructions. Then
    // whole words one by one, where they are multiplied, else the interpreter.
    let on = |layout: Layout| {
        let kernel = product(&layout)?;
        let is_short = |backend: &&Arc<dyn Backend>| {
            let takes = backend.takes(&field, &layout, false);
            takes && backend.estimate(&kernel).is_ok_and(|estimate| estimate.operations <= MOST_NODES)
        };
        let found = backends.iter().find(is_short).cloned();
        found.map(|backend| (layout, Some(backend)))
    };
    on(layout(1)).or_else(|| on(layout(word))).unwrap_or_else(|| (layout(1), None))
}

/// The ways to hold elements of a binary field for long computations, each in the longest vectors that have it: whole
/// words, where vectors multiply these, and bit-sliced. Where no vectors multiply whole words, these one by one: bit-sliced,
/// long ladders have no code. Where nothing makes code, the interpreter's.
pub(crate) fn binary_forms(f: &BinaryField, backends: &[Arc<dyn Backend>]) -> Vec<(Layout, MaybeBackend)> {
    let field = Field::new(f.clone());
    let form = |word: u32| {
        let layout = layouts(&field, word).into_iter().find(|layout| layout.word == word)?;
        let takes =
            |backend: &&Arc<dyn Backend>| backend.entry().kind.has_lanes() && backend.takes(&field, &layout, false);
        let backend = backends.iter().find(takes)?.clone();
        Some((layout, Some(backend)))
    };
    let mut all: Vec<(Layout, MaybeBackend)> = [WORD, 1].into_iter().filter_map(form).collect();
    let scalar = backends.iter().find(|backend| !backend.entry().kind.has_lanes()).cloned();
    if all.iter().all(|(layout, _)| layout.word == 1) && (all.is_empty() || scalar.is_some()) {
        let whole = layouts(&field, WORD).into_iter().find(|layout| layout.word == WORD);
        all.extend(whole.map(|layout| (layout, scalar)));
    }
    all
}

/// Scalar code of what stands on a prime field in whole words, and the layout that it takes there: of what this machine
/// remembers, else of the least cycles, where those are of words.
pub(crate) fn scalar(field: &Field, sets: Option<&str>, forgets: bool) -> Result<(Chosen, Arc<dyn Backend>), String> {
    let backend = here::scalar(sets).ok_or("no scalar machine code")?;
    let wish = Wish { code: Some(backend.entry().into()), ..Wish::default() };
    let ranking = if forgets { None } else { cache::recall(&field.text()).ok().flatten() };
    let mut chosen = choose_for(field, &[WORD], None, ranking, wish).map_err(|e| e.to_string())?;
    let words = kinds::ground(field).bits().div_ceil(WORD) as usize;
    let in_words = |layout: &Layout| layout.saturated() && layout.digits() == words;
    if !in_words(&chosen.layout) {
        // Where other digits take fewer cycles: the first layout that words lie in.
        let layout = layouts(field, WORD).into_iter().find(in_words);
        let layout = layout.ok_or_else(|| format!("{} has no layout of {words} whole words", field.called()))?;
        chosen = choose_for(field, &[WORD], Some(&layout.name), None, wish).map_err(|e| e.to_string())?;
    }
    Ok((Chosen { code: wish.code, ..chosen }, backend))
}

/// The plan of an operation of a binary field: of those for long words of the least cycles.
fn binary_plan(field: &Field, layout: &Layout, need: &Need, backend: &MaybeBackend) -> Option<Plan> {
    let operation = &need.operation;
    // What calls products says which: those that are loops, where many calls would be long code.
    let mut all = match need.pick {
        Pick::Preferred(_) if layout.word == 1 => serving(field, layout, need),
        _ if *operation == Operation::MUL => serving(field, layout, &STRAIGHT_PRODUCT),
        _ => plans(field, layout, operation),
    };
    // Narrower vectors have not all that whole words may be computed by.
    let here = backend.clone().filter(|backend| layout.word > 1 && backend.entry().kind.has_lanes());
    let model = here.or_else(widest_model)?;
    if all.len() == 1 {
        return all.pop();
    }
    let cost = |plan: Plan| Some((model.estimate(&plan.write().ok()?).ok()?, plan));
    all.into_iter().filter_map(cost).min_by(|a, b| cheaper(&a.0, &b.0)).map(|(_, plan)| plan)
}

/// Fewer cycles, or as many of fewer operations.
fn cheaper(a: &Estimate, b: &Estimate) -> Ordering {
    a.cycles.total_cmp(&b.cycles).then(a.operations.cmp(&b.operations))
}

/// What `tune --lanes` remembered of a field on this machine; a file that cannot be read is as none.
pub(crate) fn remembered(field: &Field) -> Option<Ranking> {
    cache::recall_lanes(&field.text()).ok().flatten()
}

/// Back ends whose code is ordered as when it was measured, where the core's table is still there.
pub(crate) fn ordered(backends: Vec<Arc<dyn Backend>>, ranking: &Ranking) -> Vec<Arc<dyn Backend>> {
    let Some(core) = cores::marked(cache::folder().as_deref(), &ranking.table) else { return backends };
    backends.into_iter().map(|backend| backend.on(&core).unwrap_or(backend)).collect()
}

/// Back ends that reckon by the costs of the core at hand, as far as there is a table of it.
pub(crate) fn of_this_core(backends: Vec<Arc<dyn Backend>>) -> Vec<Arc<dyn Backend>> {
    let Ok(here) = cores::found(cache::folder().as_deref()) else { return backends };
    backends.into_iter().map(|backend| backend.on(&here.core).unwrap_or(backend)).collect()
}

/// Has it a way from elements to plain words and a choice between elements, where it has lanes? Those of SSE2 cannot
/// compare what they take.
fn compares(field: &Field, backend: &dyn Backend) -> bool {
    let taken = |layout: &Layout| backend.takes(field, layout, false);
    let both = [Operation::TO_WORDS, Operation::SELECTZNZ];
    let has = |layout: Layout| taken(&layout) && both.iter().all(|op| least(field, &layout, op, backend).is_some());
    let short = || layouts(field, SHORT).into_iter().any(|layout| taken(&layout));
    !backend.entry().kind.has_lanes() || backend.layouts(field).into_iter().any(has) || short()
}

/// Layout and code of a modulus: those of lanes that were measured to be the fastest on the mix; else the layout of a
/// ranking, or of the least cycles on the mix, which is the same on all machines with the same lanes. `single`: also
/// elements of one word of 64 bits, or of 32, of which two lie in a word.
pub(crate) fn modular(
    field: &Field,
    backends: &[Arc<dyn Backend>],
    ranking: Option<&Ranking>,
    single: bool,
) -> Result<(Layout, MaybeBackend), ArrayError> {
    let backends: Vec<Arc<dyn Backend>> =
        backends.iter().filter(|backend| compares(field, &***backend)).cloned().collect();
    let backends = &backends[..];
    let lanes = backends.iter().find(|backend| backend.entry().kind.has_lanes());
    let mut all: Vec<Layout> = lanes.map_or_else(|| lane_layouts(field, WORD, RADIX), |lanes| lanes.layouts(field));
    // Primes of one digit of 32 bits have as many lanes again; whole words take no carries and less memory.
    let words = if single { &[SHORT, WORD][..] } else { &[] };
    all.extend(words.iter().flat_map(|word| layouts(field, *word)).filter(is_word));
    if let Some((layout, backend)) = ranking.and_then(|r| measured(field, backends, r, &all)) {
        return Ok((layout, Some(backend)));
    }
    // Where lanes take some of them, those; else as the widest lanes would.
    let taken = |layout: &Layout| lanes.is_some_and(|lanes| lanes.takes(field, layout, false));
    let has_lanes = all.iter().any(&taken);
    all.retain(|layout| !has_lanes || taken(layout));
    let model = lanes.filter(|_| has_lanes).cloned().or_else(widest_model);
    let cycles = |layout: &Layout| {
        let one =
            |(op, n): &(Operation, u32)| Some(f64::from(*n) * least(field, layout, op, &**model.as_ref()?)?.0.cycles);
        let sum: f64 = curve_mix().iter().map(one).sum::<Option<f64>>()?;
        // For as many elements.
        Some(sum * if layout.word == SHORT { 1.0 } else { 2.0 })
    };
    let known: Vec<(f64, Layout)> = all.into_iter().filter_map(|l| Some((cycles(&l)?, l))).collect();
    let remembered =
        ranking.iter().flat_map(|r| &r.layouts).find_map(|best| known.iter().find(|(_, l)| l.name == best.layout));
    let chosen = remembered.or_else(|| known.iter().min_by(|a, b| a.0.total_cmp(&b.0)));
    // Columns hold 4n + 4 digits: n ≤ 1023.
    let (_, layout) = chosen.ok_or_else(|| ArrayError::NoLayout { field: field.text(), most: 4096 })?;
    Ok((layout.clone(), complete(backends, field, layout)))
}

/// The layout and the lanes whose measured code takes the least time on the mix, of those that arrays can hold and that
/// this machine has. A row counts only where its plan has code here: rankings are files.
fn measured(
    field: &Field,
    backends: &[Arc<dyn Backend>],
    ranking: &Ranking,
    all: &[Layout],
) -> Option<(Layout, Arc<dyn Backend>)> {
    let mut timed: Vec<(f64, Layout, &Arc<dyn Backend>)> = Vec::new();
    for backend in backends.iter().filter(|backend| backend.entry().kind.has_lanes()) {
        let own = backend.layouts(field).into_iter().filter(|l| all.iter().all(|other| other.name != l.name));
        for layout in all.iter().cloned().chain(own).filter(|layout| backend.takes(field, layout, false)) {
            let time = |(op, n): &(Operation, u32)| {
                Some(f64::from(*n) * fastest(ranking, &layout, op, backend.entry())?.throughput_ns?)
            };
            if let Some(time) = curve_mix().iter().map(time).sum::<Option<f64>>() {
                timed.push((time, layout, backend));
            }
        }
    }
    timed.sort_by(|a, b| a.0.total_cmp(&b.0));
    let has_code = |layout: &Layout, backend: &Arc<dyn Backend>| {
        curve_mix().iter().all(|(op, _)| {
            let row = fastest(ranking, layout, op, backend.entry());
            let plan = row.and_then(|row| plan_of(field, layout, op, row));
            plan.is_some_and(|plan| proved(&plan).is_ok_and(|proved| backend.has_code(&proved)))
        })
    };
    let made = timed.into_iter().find(|(_, layout, backend)| is_held(field, layout) && has_code(layout, backend));
    made.map(|(_, layout, backend)| (layout, backend.clone()))
}

/// The fastest row of an operation as code of that back end.
fn fastest<'a>(
    ranking: &'a Ranking,
    layout: &Layout,
    operation: &Operation,
    entry: &'static Entry,
) -> Option<&'a Candidate> {
    ranking.fastest(&layout.name, &operation.name(), Some(entry.into()), Goal::Throughput)
}

/// The plan that a row names.
fn plan_of(field: &Field, layout: &Layout, operation: &Operation, row: &Candidate) -> Option<Plan> {
    plans(field, layout, operation).into_iter().find(|plan| plan.name() == row.plan)
}

/// Have arrays a way into such a layout and back?
fn is_held(field: &Field, layout: &Layout) -> bool {
    let ways = [Operation::FROM_WORDS, Operation::TO_WORDS];
    is_word(layout) || ways.iter().all(|operation| !plans(field, layout, operation).is_empty())
}

/// The plan of the least cycles of a group of lanes.
fn least(field: &Field, layout: &Layout, operation: &Operation, backend: &dyn Backend) -> Option<(Estimate, Plan)> {
    // Short elements have a form on vectors by what the proof knows of a product.
    let estimate = |plan: &Plan| match layout.word {
        SHORT => backend.estimate(proved(plan).ok()?.kernel()).ok(),
        _ => backend.estimate(&plan.write().ok()?).ok(),
    };
    let counted = |plan: Plan| Some((estimate(&plan)?, plan));
    let mut all: Vec<(Estimate, Plan)> = plans(field, layout, operation).into_iter().filter_map(counted).collect();
    all.sort_by(|a, b| cheaper(&a.0, &b.0));
    // Not every plan of such elements has a form on vectors that the checker follows.
    all.into_iter().find(|(_, plan)| !is_word(layout) || proved(plan).is_ok_and(|proved| backend.has_code(&proved)))
}

/// The code of an operation: by the remembered plan and shape where these have code here, or else by the plan of the
/// least cycles.
pub(crate) fn code(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    ranking: Option<&Ranking>,
    backend: &MaybeBackend,
) -> Result<Code, ArrayError> {
    let no = |why: String| ArrayError::kernel(&operation.name(), &field.text(), why);
    if let Some(code) = ranking.and_then(|ranking| ranked_code(field, layout, operation, ranking, backend)) {
        return Ok(code);
    }
    let plan = estimated(field, layout, &Need::ground(operation.clone()), backend);
    let plan = plan.ok_or_else(|| no(format!("no plan in the layout {}", layout.name)))?;
    let proved = proved(&plan).map_err(no)?;
    Code::new(&proved, backend, &plan.name(), None).map_err(no)
}

/// Does scalar code take the elements as they lie, in whole words? (Where there are no lanes, they rest as in the widest.)
pub(crate) fn in_whole_words(layout: &Layout, backend: &dyn Backend) -> bool {
    !backend.entry().kind.has_lanes() && layout.word == WORD && layout.saturated() && !is_word(layout)
}

/// The plan of the least cycles.
fn estimated(field: &Field, layout: &Layout, need: &Need, backend: &MaybeBackend) -> Option<Plan> {
    if field.get::<BinaryField>().is_some() {
        binary_plan(field, layout, need, backend)
    } else if let Some(scalar) = backend.as_ref().filter(|scalar| in_whole_words(layout, &***scalar)) {
        let of = |kernel: &Kernel| scalar.modelled(kernel).unwrap_or_else(|| bound(&**scalar, kernel, reference()));
        let cycles = |plan: &Plan| Some(of(&plan.write().ok()?));
        let all = plans(field, layout, &need.operation).into_iter().filter_map(|plan| Some((cycles(&plan)?, plan)));
        all.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, plan)| plan)
    } else {
        // By the lanes at hand; where there are none, as on the widest.
        let lanes = backend.clone().filter(|backend| backend.entry().kind.has_lanes()).or_else(widest_model);
        lanes.and_then(|lanes| Some(least(field, layout, &need.operation, &*lanes)?.1))
    }
}

/// The kernel of an operation that others call: by the plan of a ranking, else by that of the least cycles.
pub(crate) fn called(
    field: &Field,
    layout: &Layout,
    need: &Need,
    ranking: Option<&Ranking>,
    backend: &MaybeBackend,
) -> Result<Kernel, ArrayError> {
    let operation = &need.operation;
    let no = |why: String| ArrayError::kernel(&operation.name(), &field.text(), why);
    let row = ranking.zip(backend.as_ref()).and_then(|(r, b)| fastest(r, layout, operation, b.entry()));
    let measured = row.and_then(|row| plan_of(field, layout, operation, row));
    let plan = measured.or_else(|| estimated(field, layout, need, backend));
    let plan = plan.ok_or_else(|| no(format!("no plan in the layout {}", layout.name)))?;
    plan.write().map_err(|e| no(e.to_string()))
}

/// The code of a ranking's fastest plan on the lanes at hand; a plan that was measured on other lanes serves too, where
/// none was on these.
fn ranked_code(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    ranking: &Ranking,
    backend: &MaybeBackend,
) -> Option<Code> {
    let here = backend.iter().map(|backend| backend.entry());
    let mut lanes = here.chain(BACKENDS.iter().copied()).filter(|entry| entry.kind.has_lanes());
    let row = lanes.find_map(|entry| fastest(ranking, layout, operation, entry))?;
    let plan = plan_of(field, layout, operation, row)?;
    let mut code = Code::new(&proved(&plan).ok()?, backend, &plan.name(), row.shape.as_deref()).ok()?;
    code.ranked = true;
    Some(code)
}

fn proved(plan: &Plan) -> Result<Proved, String> {
    match prove(&plan.write().map_err(|e| e.to_string())?) {
        Outcome::Proved(proved) => Ok(proved),
        other => Err(verdict(&other)),
    }
}
