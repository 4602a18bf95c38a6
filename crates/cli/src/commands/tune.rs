//! `evariste tune FIELD`.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use evariste::builder::cores::InUse;
use evariste::builder::{BACKENDS, Backend, Entry, Kind, Mix, Schedules, TimingOptions, TuneError, WORDS, c};
use evariste::{Candidate, Compiler, Error, Field, Options, Progress, Ranking, Stage, Stop};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::arguments::Tune;
use crate::commands::ranking_csv::csv;
use crate::commands::report::cannot_write;
use crate::commands::tune_text::ranking_text;
use crate::failure::{Failure, warn};
use crate::interrupt::stop_on_interrupt;
use crate::numbers::duration;
use crate::progress::Bars;
use crate::session::Session;

/// The whole way for each field.
pub fn run(options: &Tune, session: &Session) -> Result<Answer, Failure> {
    let fields: Vec<Field> =
        options.fields.iter().map(|text| session.field_with_kernels(text)).collect::<Result<_, _>>()?;
    let mix = options.mix.as_deref().map(evariste::builder::parse_mix).transpose()?;
    for file in options.html.iter().chain(&options.csv) {
        // Better now than after minutes.
        evariste_report::check(file).map_err(|error| cannot_write(file, &error))?;
    }
    let stop = stop_on_interrupt();
    let core = Arc::new(session.measured_core(&stop)?);
    let mut tuned = Vec::new();
    let mut answer = Answer::new(String::new(), Value::Null);
    for field in &fields {
        let (one, ranking) = tune_field(field, mix.clone(), &core, options, session, &stop)?;
        answer.text += &format!("{}{}", if answer.text.is_empty() { "" } else { "\n" }, one.text);
        tuned.push((one.json, ranking));
        answer.failure = answer.failure.or(one.failure);
        if stop.is_asked() {
            break;
        }
    }
    answer.json = match tuned.as_slice() {
        [(one, _)] => one.clone(),
        all => json!({ "rankings": all.iter().map(|(json, _)| json).collect::<Vec<_>>() }),
    };
    let rankings: Vec<Ranking> = tuned.into_iter().map(|(_, ranking)| ranking).collect();
    let table =
        || {
            let each = fields.iter().zip(&rankings).map(|(field, ranking)| csv(field, &[ranking]));
            // One header for all.
            each.enumerate()
                .map(|(i, text)| {
                    if i == 0 { text } else { text.split_once('\n').map_or_else(String::new, |(_, rows)| rows.into()) }
                })
                .collect()
        };
    let mut answer = written(answer, "csv", options.csv.as_deref(), table);
    answer = written(answer, "html", options.html.as_deref(), || evariste_report::report(&rankings));
    Ok(answer)
}

/// The answer with a file that was asked for; where it cannot be written the answer says so and is otherwise whole.
fn written(mut answer: Answer, what: &str, file: Option<&Path>, text: impl FnOnce() -> String) -> Answer {
    let Some(file) = file else { return answer };
    match evariste_report::write(file, &text()) {
        Ok(()) => {
            answer.text += &format!("{:<12} {}\n", if what == "html" { "page" } else { what }, file.display());
            answer.json[what] = file.display().to_string().into();
            answer
        }
        Err(error) => answer.failed(cannot_write(file, &error)),
    }
}

/// The whole way for one field.
fn tune_field(
    field: &Field,
    mix: Option<Mix>,
    core: &Arc<InUse>,
    options: &Tune,
    session: &Session,
    stop: &Stop,
) -> Result<(Answer, Ranking), Failure> {
    let mut words: Vec<u32> = options.word.iter().filter_map(|w| w.parse().ok()).collect();
    words.dedup();
    let restricted =
        !words.is_empty() || !options.only.is_empty() || !options.layout.is_empty() || options.code.is_some();
    if words.is_empty() {
        words = WORDS.to_vec();
    }
    let vectors = lanes(options)?;
    let in_lanes = names_of(field, &vectors);
    let backends = backends(options, session);
    let of_one = names_of(field, backends.as_deref().unwrap_or_default());
    for name in options.layout.iter().filter(|name| !of_one.contains(name)) {
        known_layout(field, name, &in_lanes)?;
    }
    let schedules = session.schedules(options.save.as_deref())?;
    let bars = Bars::new();
    let (told, told_to_stop) = (AtomicBool::new(false), AtomicBool::new(false));
    let progress = |p: Progress| {
        if stop.is_asked() && !told_to_stop.swap(true, Ordering::Relaxed) {
            session.note("stopping with what is measured; Ctrl-C again ends at once");
        }
        if p.stage == Stage::Search && p.done == 0 && p.total > 0 && !told.swap(true, Ordering::Relaxed) {
            session.note(&format!("searching for schedules: {} s in all", p.total));
        }
        bars.tell(stage(p.stage), p.done, p.total, p.best)
    };
    let backends = match backends {
        Ok(backends) => [backends, vectors].concat(),
        Err(error) => {
            let ranking = field.rank_by_bound(&words, &options.only, core, &progress);
            drop(bars);
            return unmeasured(options, field, ranking, error);
        }
    };
    let tuning = Options {
        words,
        mix,
        backends,
        core: core.clone(),
        timing: timing(options.quick),
        only: options.only.clone(),
        layouts: options.layout.clone(),
        every: options.all,
        schedules,
        search: options.search.unwrap_or(0.0),
        seed: options.seed,
        stop: stop.clone(),
    };
    tell_expected(field, &tuning, session);
    let ranking = field.tune(&tuning, &progress)?;
    drop(bars);
    if ranking.candidates.is_empty() {
        return Err(nothing_matches(options, field));
    }
    let mut text = ranking_text(field, &ranking, options.all);
    text += &no_lanes(options, field, &ranking, &in_lanes);
    text += &match not_remembered(options, restricted, &ranking) {
        Some(why) => format!("not remembered{why}\n"),
        None => match ranking.whole() {
            Some(whole) => remember(field, &whole, tuning.compiler(), options.lanes, session),
            None => "not remembered: no operation was measured whole\n".to_string(),
        },
    };
    if ranking.stopped.is_none() {
        text += &keep_schedules(field, &ranking, &tuning, options, session)?;
    }
    Ok((concluded(Answer::new(text, of_ranking(&ranking)), &ranking, stop), ranking))
}

/// Layouts that these back ends compute in alone, by name: those that `--layout` may name beside those of words.
fn names_of(field: &Field, backends: &[Arc<dyn Backend>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let listed = backends.iter().flat_map(|b| b.layouts(field.spec()));
    for layout in listed.chain(backends.iter().flat_map(|b| b.further_layouts(field.spec()))) {
        if !names.contains(&layout.name) {
            names.push(layout.name);
        }
    }
    names
}

/// An error where neither words nor these vectors have a layout of that name.
fn known_layout(field: &Field, name: &str, in_lanes: &[String]) -> Result<(), Error> {
    if in_lanes.iter().any(|known| known == name) {
        return Ok(());
    }
    match field.layout(name) {
        Err(Error::Unknown { kind, given, help }) if !in_lanes.is_empty() => {
            Err(Error::Unknown { kind, given, help: format!("{help}, and in lanes {}", in_lanes.join(", ")) })
        }
        other => other.map(|_| ()),
    }
}

/// A line where lanes were asked for and none has code.
fn no_lanes(options: &Tune, field: &Field, ranking: &Ranking, in_lanes: &[String]) -> String {
    let has_lanes = |c: &Candidate| c.code.is_some_and(|code| code.entry().kind.has_lanes());
    if !options.lanes || ranking.candidates.iter().any(has_lanes) {
        return String::new();
    }
    let what = "what is ranked computes one element";
    if in_lanes.is_empty() || options.layout.is_empty() {
        return format!("no lanes: vectors have no code of {}; {what}\n", field.called());
    }
    format!(
        "no lanes: vectors have no code of {} in {}; {what}\n          layouts in lanes: {}\n",
        field.called(),
        options.layout.join(", "),
        in_lanes.join(", ")
    )
}

/// The answer, failed where somebody stopped the work or nothing won.
fn concluded(answer: Answer, ranking: &Ranking, stop: &Stop) -> Answer {
    match ranking.winner {
        _ if stop.is_asked() => answer.failed(interrupted(ranking)),
        Some(_) => answer,
        None => {
            answer.failed(Failure::failed("no candidate of the leading operation was proved, compiled and measured"))
        }
    }
}

/// Why a ranking is not for later, where it is not.
fn not_remembered(options: &Tune, restricted: bool, ranking: &Ranking) -> Option<&'static str> {
    match () {
        () if options.no_cache => Some(" (--no-cache)"),
        () if restricted => Some(": only a part of the candidates was measured"),
        () if ranking.winner.is_none() => Some(": there is no winner"),
        () if !ranking.noise.is_empty() && !options.keep => {
            Some(": the machine was busy; measure again when it is quiet, or add --keep")
        }
        () => None,
    }
}

/// The vectors that `--lanes` asks for.
fn lanes(options: &Tune) -> Result<Vec<Arc<dyn Backend>>, Failure> {
    let vectors = if options.lanes { evariste::builder::vectors() } else { Vec::new() };
    if options.lanes && vectors.is_empty() {
        let known = BACKENDS.iter().filter(|entry| entry.kind.has_lanes()).map(|entry| entry.title);
        return Err(Failure::failed(format!(
            "--lanes needs a processor with vectors ({}) and memory for machine code; `evariste doctor` tells what there is",
            known.collect::<Vec<_>>().join("; ")
        )));
    }
    Ok(vectors)
}

/// Says how long it will take, where that is worth a line.
fn tell_expected(field: &Field, tuning: &Options, session: &Session) {
    let expected = field.expected(tuning);
    if expected.seconds >= 3.0 {
        session.note(&format!(
            "{}: {} plans to prove, up to {} functions to time; about {}",
            field.called(),
            expected.plans,
            expected.functions,
            duration(expected.seconds)
        ));
    }
}

/// What Ctrl-C left undone.
fn interrupted(ranking: &Ranking) -> Failure {
    Failure::interrupted(match &ranking.stopped {
        Some(stopped) => format!("stopped after {} of {} rows", stopped.measured, stopped.of),
        None => "stopped after all rows were measured".into(),
    })
}

/// What makes code of kernels here: machine code of our own, and C by the compiler. A line says what is missing; an
/// error, that there is neither.
fn backends(options: &Tune, session: &Session) -> Result<Vec<Arc<dyn Backend>>, Error> {
    let code = options.code.as_deref().map(|code| code.split_once(':').map_or((code, None), |(c, s)| (c, Some(s))));
    let sets = code.and_then(|(_, sets)| sets);
    let asked = |kind: Kind| {
        let usual = move |entry: &&&Entry| entry.kind == kind;
        BACKENDS.iter().filter(usual).filter(|entry| code.is_none_or(|(only, _)| only == entry.name))
    };
    let mut backends: Vec<Arc<dyn Backend>> = Vec::new();
    let mut why: Option<Error> = None;
    // That of this processor; what is asked for by name may be another's.
    if let Some(entry) = asked(Kind::Scalar).find(|entry| entry.is_native()).or_else(|| asked(Kind::Scalar).next()) {
        match with_sets(entry, sets) {
            Ok(backend) => backends.push(backend),
            Err(error) => {
                session.note(&format!("{error}; compiled C only"));
                why = Some(error.into());
            }
        }
    }
    for entry in asked(Kind::Compiled) {
        let found = match &options.compiler {
            Some(name) => Compiler::named(name).map(c::by).map_err(TuneError::from),
            None => (entry.find)(None).map_err(TuneError::from),
        };
        match found {
            Ok(backend) => backends.push(backend),
            Err(error) => {
                // A compiler that was asked for by name must be there.
                if backends.is_empty() || options.compiler.is_some() {
                    return Err(error.into());
                }
                session.note(&format!("{}; machine code only", crate::session::first_line(&error.to_string())));
            }
        }
    }
    let on_request = asked(Kind::Interpreted).filter(|_| options.code.is_some());
    backends.extend(on_request.filter_map(|entry| (entry.find)(None).ok()));
    match why {
        Some(error) if backends.is_empty() => Err(error),
        _ => Ok(backends),
    }
}

/// The back end with all instruction sets that this machine has, or with exactly these of those that decide.
fn with_sets(entry: &Entry, sets: Option<&str>) -> Result<Arc<dyn Backend>, TuneError> {
    let backend = (entry.find)(sets)?;
    match (sets, backend.schedule_sets()) {
        (Some(sets), Some(found)) if found != sets => Err(TuneError::MachineCode(format!(
            "this processor has not all of {sets}\nhelp: `evariste doctor` tells what it has; `--code {}` takes that",
            entry.name
        ))),
        _ => Ok(backend),
    }
}

fn stage(stage: Stage) -> &'static str {
    match stage {
        Stage::Prove => "proving",
        Stage::Compile => "compiling",
        Stage::Narrow => "measuring briefly",
        Stage::Time => "measuring",
        Stage::Search => "searching",
    }
}

/// How long to measure.
fn timing(quick: bool) -> TimingOptions {
    let full = TimingOptions { budget_ns: 1.5e8, ..TimingOptions::default() };
    if quick {
        TimingOptions { rounds: 5, samples_per_round: 10, warm_ns: 50_000.0, budget_ns: 1e7, ..full }
    } else {
        full
    }
}

/// A ranking as JSON.
fn of_ranking(ranking: &Ranking) -> Value {
    serde_json::to_value(ranking).unwrap_or(Value::Null)
}

fn nothing_matches(options: &Tune, field: &Field) -> Failure {
    match options.only.as_slice() {
        [] => Failure::failed(format!("no algorithm applies to {}", field.called())),
        only => Failure::usage(format!(
            "no plan of {} contains {}\nhelp: `evariste show plans '{}'` lists them",
            field.called(),
            only.join(" or "),
            field.called()
        )),
    }
}

/// The ranking by bound, and the reason why nothing was measured.
fn unmeasured(options: &Tune, field: &Field, ranking: Ranking, error: Error) -> Result<(Answer, Ranking), Failure> {
    if ranking.candidates.is_empty() {
        return Err(nothing_matches(options, field));
    }
    let text = ranking_text(field, &ranking, options.all)
        + "nothing was measured and nothing is remembered: there is nothing to make code with\n";
    Ok((Answer::new(text, of_ranking(&ranking)).failed(Failure::from(error)), ranking))
}

/// Keeps the schedules that are faster than the heuristic's: in the cache folder what a search found, in a file what
/// was asked for. Says where.
fn keep_schedules(
    field: &Field,
    ranking: &Ranking,
    tuning: &Options,
    options: &Tune,
    session: &Session,
) -> Result<String, Failure> {
    let Some(sets) = tuning.backends.iter().find_map(|b| b.schedule_sets()) else {
        return Ok(String::new());
    };
    let found = Schedules::of_ranking(&field.name(), ranking, &sets).all;
    let line = |new: usize, path: &Path| {
        format!("{new} new schedule{} in {}\n", if new == 1 { "" } else { "s" }, path.display())
    };
    let mut text = String::new();
    if !options.no_cache && !ranking.searches.is_empty() {
        match session.memory(None).map(|memory| memory.keep_schedules(&found)) {
            Some(Ok((new, path))) => text += &line(new, &path),
            Some(Err(error)) => warn(&format!("warning: {error}")),
            None => {}
        }
    }
    if let Some(file) = &options.save {
        text += &line(Schedules::add_to(file, &found)?, file);
    }
    Ok(text)
}

/// Keeps the ranking, and says where; that it cannot be kept is no failure of tuning.
fn remember(field: &Field, ranking: &Ranking, compiler: Option<&Compiler>, lanes: bool, session: &Session) -> String {
    let Some(memory) = session.memory(compiler) else {
        warn("warning: the ranking is not remembered: neither EVARISTE_CACHE, XDG_CACHE_HOME nor HOME is set");
        return "not remembered\n".into();
    };
    let memory = if lanes { memory.of_lanes() } else { memory };
    if ranking.stopped.is_some() && matches!(memory.recall(field), Ok(Some(known)) if known.stopped.is_none()) {
        return "not remembered: the whole ranking that is remembered stays\n".into();
    }
    match memory.keep(field, ranking) {
        Ok(kept) => {
            if let Some(corrupt) = kept.corrupt {
                warn(&format!(
                    "warning: the ranking remembered before could not be understood; it was kept as {}",
                    corrupt.display()
                ));
            }
            format!("remembered in {}\n", kept.path.display())
        }
        Err(error) => {
            warn(&format!("warning: {error}"));
            "not remembered\n".into()
        }
    }
}
