//! `evariste emit FIELD --lang c -o DIR`.

use std::collections::BTreeSet;
use std::path::Path;

use evariste::builder::{BACKENDS, Chosen, Given, Lanes, Reason, Source, Wish, c, cores, packaged_of};
use evariste::{BigUint, Code, Field, File, Goal, Language, Package, Ranking, Request, language, write_package};
use serde_json::json;

use crate::answer::Answer;
use crate::arguments::Emit;
use crate::failure::Failure;
use crate::progress::Bars;
use crate::session::Session;
use evariste_report::quoted;

/// Proves the kernels of the wanted operations and writes the package.
pub fn run(options: &Emit, session: &Session) -> Result<Answer, Failure> {
    let field = session.field(&options.field)?;
    field.with_kernels()?;
    let lang = language_of(options)?;
    let code = code_of(options, lang)?;
    let compiler = session.compiler("nothing is remembered without one, and plans are chosen by bound");
    // A language of narrower words has a layout of such words.
    let word = language(lang)?.machine.map(|machine| machine.word);
    let machine = language(lang)?.counted_as();
    // Functions on bytes of a stream cipher are made of kernels for one key.
    let single = options.ops.is_empty() && field.has_streams();
    let wish = Wish { code: Some(code), canonical: !options.redundant, word, single, machine };
    let mut chosen = session.choose_for(&field, options.layout.as_deref(), compiler.as_ref(), wish)?;
    chosen.code = Some(code);
    name_plans(options, &field, &mut chosen)?;
    chosen.lanes = lanes(options, language(lang)?)?;
    chosen.lane_ranking = session.memory(None).and_then(|memory| memory.of_lanes().recall(&field).ok().flatten());
    chosen.goal = if options.goal == "latency" { Goal::Latency } else { Goal::Throughput };
    if let Some(text) = options.schedules.as_deref() {
        chosen.schedules = schedules(text, options.searched_on.as_deref(), session)?;
    }
    let known = options.known_answers.as_deref().map(known_answers).transpose()?;
    let request = request(options, &field, &chosen, lang, known.as_deref())?;
    let bars = Bars::new();
    let Package { mut files, notes } =
        field.package(&chosen, &request, |done, total| bars.set("proving", done, total))?;
    drop(bars);
    files.extend(known.map(|text| File { path: known_file(&request.prefix), text }));
    notes.iter().for_each(|note| session.note(note));
    let here = std::env::current_dir().ok().zip(options.output.canonicalize().ok());
    write_package(&options.output, &field.name(), &files, options.force)?;
    if here.is_some_and(|(here, output)| here == output) && std::env::current_dir().is_err() {
        session.note("the folder was replaced as a whole: `cd .` takes a shell that is in it to the new one");
    }
    let by = chosen_by(&field, &chosen, &request.operations);
    let mut text = format!("{} in layout {} ({by})\n", field.title(), chosen.layout.name);
    let ranking = chosen.ranking.as_ref().filter(|_| options.layout.is_none() && word.is_none() && !options.redundant);
    if let Some(faster) = ranking.and_then(|r| faster(&field, r, &chosen.layout.name, code)) {
        let why = if single { "it has no functions on bytes" } else { "its elements are not canonical" };
        session.note(&format!("layout {faster} was measured to be faster; {why}: --layout {faster} takes it"));
    }
    for file in &files {
        text += &format!("  {}\n", options.output.join(&file.path).display());
    }
    text += &test_line(language(&request.language)?, &options.output.display().to_string());
    let json = json!({
        "field": field.text(),
        "language": request.language,
        "prefix": request.prefix,
        "layout": chosen.layout.name,
        "chosen_by": by,
        "folder": options.output.display().to_string(),
        "files": files.iter().map(|f| f.path.clone()).collect::<Vec<_>>(),
    });
    Ok(Answer::new(text, json))
}

/// The text of the file that `--known-answers` names.
fn known_answers(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|e| {
        let help = "--known-answers takes a file with a list in JSON of operations, operands and results";
        Failure::usage(format!("cannot read `{}`: {e}\nhelp: {help}", path.display()))
    })
}

/// The file of a package that has them, from which its command reads them again.
fn known_file(prefix: &str) -> String {
    format!("{prefix}_known_answers.json")
}

/// What the options ask for, with the text of the known answers.
fn request(
    options: &Emit,
    field: &Field,
    chosen: &Chosen,
    lang: &str,
    known: Option<&str>,
) -> Result<Request, Failure> {
    let prefix = options.prefix.clone().unwrap_or_else(|| field.identifier());
    let operations: Vec<String> =
        options.ops.iter().map(|op| op.trim().to_string()).filter(|op| !op.is_empty()).collect();
    if !options.ops.is_empty() && operations.is_empty() {
        return Err(Failure::usage(
            "--ops names no operation\nhelp: write names with commas, such as --ops mul,square; without --ops all are emitted",
        ));
    }
    let command_line = command_line(options, field, &chosen.layout.name, &prefix, &operations)?;
    let (faces, generator) = (options.faces.clone(), generator(options, field)?);
    let known = known.map(|text| field.known_answers(text)).transpose()?.unwrap_or_default();
    Ok(Request { language: lang.to_string(), prefix, operations, faces, generator, known, module: false, command_line })
}

/// Takes the plans that `--plan` names.
fn name_plans(options: &Emit, field: &Field, chosen: &mut Chosen) -> Result<(), Failure> {
    for text in &options.plan {
        let Some((operation, algorithm)) = text.split_once('=') else {
            return Err(Failure::usage(format!(
                "`{text}` is not OPERATION=NAME\nhelp: write --plan mul=ALGORITHM; `evariste show plans {}` lists them",
                field.name()
            )));
        };
        match operation.split_once('@') {
            None => chosen.pin(&field.operation(operation)?, algorithm)?,
            Some((operation, code)) => chosen.pin_apart(&field.operation(operation)?, code, algorithm)?,
        }
    }
    Ok(())
}

/// Where `--schedules` says that they come from.
fn schedules(text: &str, searched_on: Option<&str>, session: &Session) -> Result<Source, Failure> {
    if text == "heuristic" {
        return match searched_on {
            None => Ok(Source::Heuristic),
            Some(_) => Err(Failure::usage(
                "--searched-on with --schedules heuristic\nhelp: it says whose lines of a file of schedules count; leave it out",
            )),
        };
    }
    let path = Path::new(text);
    if !path.is_file() {
        return Err(Failure::usage(format!(
            "there is no file `{text}`\nhelp: --schedules takes a file of schedules, such as `evariste tune --save` writes, or the word heuristic"
        )));
    }
    let schedules = session.file_schedules(path)?;
    let Some(asked) = searched_on else {
        return Ok(Source::Given(Given { schedules, core: session.core()?.core.name.clone(), named: false }));
    };
    let cores: BTreeSet<String> = schedules.all.iter().map(|found| cores::slug(&found.core)).collect();
    if !cores.contains(&cores::slug(asked)) {
        let cores: Vec<String> = cores.into_iter().collect();
        return Err(Failure::usage(format!(
            "no schedule of `{text}` was searched on `{}`\nhelp: its cores are {}",
            asked.chars().take(100).collect::<String>(),
            if cores.is_empty() { "none".into() } else { cores.join(", ") }
        )));
    }
    Ok(Source::Given(Given { schedules, core: asked.to_string(), named: true }))
}

/// The vectors that `--lanes` names.
fn lanes(options: &Emit, language: &Language) -> Result<Lanes, Failure> {
    let names = || options.lanes.iter().map(|text| text.split_once('=').unwrap_or((text, "")));
    if options.lanes.is_empty() {
        return Ok(Lanes::Best);
    }
    if !language.has_arrays {
        return Err(Failure::usage(format!(
            "--lanes with --lang {}\nhelp: functions on arrays are in packages of --lang c and --lang asm",
            language.name
        )));
    }
    if names().any(|(level, _)| level == "none") {
        return match options.lanes.len() {
            1 => Ok(Lanes::Given(Vec::new())),
            _ => Err(Failure::usage("--lanes none beside other vectors\nhelp: name vectors, or none")),
        };
    }
    let plan = |plan: &str| (!plan.is_empty()).then(|| plan.to_string());
    Ok(Lanes::Given(names().map(|(level, name)| (level.to_string(), plan(name))).collect()))
}

/// The number that `--generator` names.
fn generator(options: &Emit, field: &Field) -> Result<Option<BigUint>, Failure> {
    let number = options.generator.as_deref().map(|text| field.element(text)).transpose()?;
    Ok(number.map(|element| element.value().clone()))
}

/// What makes the same package again, on any machine; the plans are added by the library.
fn command_line(
    options: &Emit,
    field: &Field,
    layout: &str,
    prefix: &str,
    operations: &[String],
) -> Result<String, Failure> {
    let target = options.target.as_ref().map_or_else(String::new, |target| format!(" --target {target}"));
    let ops = if operations.is_empty() { String::new() } else { format!(" --ops {}", operations.join(",")) };
    let faces = match options.faces.is_empty() {
        true => String::new(),
        false => format!(" --faces {}", options.faces.join(",")),
    };
    let generator = options.generator.as_ref().map_or_else(String::new, |g| format!(" --generator {}", quoted(g)));
    let known = options.known_answers.as_ref().map_or_else(String::new, |_| {
        let file = known_file(prefix);
        format!(" --known-answers {file}")
    });
    let (field, lang) = (quoted(&field.called()), language_of(options)?);
    Ok(format!(
        "evariste emit {field} --lang {lang} --prefix {prefix} --layout {layout}{target}{faces}{generator}{known}{ops} -o ."
    ))
}

/// What a package is fastest as: assembly of the processor that `--target` names, or C.
fn code_of(options: &Emit, lang: &str) -> Result<Code, Failure> {
    let target = options.target.as_deref().map(target).transpose()?;
    match (language(lang)?.machine_code, target) {
        (true, target) => Ok(Code::from(packaged_of(target).0)),
        (false, None) => Ok(Code::from(&c::C)),
        (false, Some(_)) => Err(Failure::usage(format!(
            "--target with --lang {lang}\nhelp: only assembly has it: --lang asm or --lang rust-asm"
        ))),
    }
}

/// The processor that `--target` names.
pub fn target(name: &str) -> Result<Code, Failure> {
    let all = || BACKENDS.iter().filter(|entry| entry.package.is_some());
    all().find(|entry| entry.name == name).map(|entry| Code::from(*entry)).ok_or_else(|| {
        let names: Vec<&str> = all().map(|entry| entry.name).collect();
        Failure::usage(format!("there is no assembly for `{name}`\nhelp: --target takes {}", names.join(" or ")))
    })
}

/// The language that `--lang` and `--header-only` name.
fn language_of(options: &Emit) -> Result<&str, Failure> {
    match options.lang.as_str() {
        "c" if options.header_only => Ok("c-header"),
        other if options.header_only && other != "c-header" => Err(Failure::usage(format!(
            "--header-only with --lang {other}\nhelp: only C has it: --lang c --header-only"
        ))),
        other => Ok(other),
    }
}

/// How the plans were chosen: for all operations alike, or which of them in which way.
fn chosen_by(field: &Field, chosen: &Chosen, operations: &[String]) -> String {
    let all = field.operations(&chosen.layout);
    let emitted = all.iter().filter(|op| operations.is_empty() || operations.contains(&op.name()));
    let mut reasons: Vec<(Reason, Vec<String>)> = Vec::new();
    for operation in emitted {
        let reason = chosen.reason(operation);
        match reasons.iter_mut().find(|(other, _)| *other == reason) {
            Some((_, names)) => names.push(operation.name()),
            None => reasons.push((reason, vec![operation.name()])),
        }
    }
    // What is made of others follows from them.
    if reasons.len() > 1 {
        reasons.retain(|(reason, _)| *reason != Reason::Made);
    }
    match reasons.as_slice() {
        [(reason, _)] => reason.to_string(),
        some => {
            some.iter().map(|(reason, names)| format!("{reason}: {}", names.join(", "))).collect::<Vec<_>>().join("; ")
        }
    }
}

/// The layout that won, where it is another one than what is emitted.
fn faster(field: &Field, ranking: &Ranking, taken: &str, code: Code) -> Option<String> {
    let wish = Wish { code: Some(code), ..Wish::default() };
    let best = field.choose_for(None, Some(ranking.clone()), wish).ok()?.layout.name;
    (best != taken).then_some(best)
}

/// How to run the package's test.
fn test_line(language: &Language, folder: &str) -> String {
    match language.test {
        ["make", target] => format!("try: make -C {folder} {target}\n"),
        command => format!("try: cd {folder} && {}\n", command.join(" ")),
    }
}
