//! `evariste report [FIELD…] -o FILE`.

use std::path::Path;

use evariste::{Field, Memory, Ranking};
use serde_json::json;

use crate::answer::Answer;
use crate::arguments::Report;
use crate::failure::{Failure, warn};
use crate::session::Session;

/// Writes remembered rankings as a page: all of them, or those of the fields that were named, in that order.
pub fn run(options: &Report, session: &Session) -> Result<Answer, Failure> {
    let fields: Vec<Field> =
        options.fields.iter().map(|text| session.field_with_kernels(text)).collect::<Result<_, _>>()?;
    let Some(folder) = Memory::default_folder() else {
        return Err(Failure::failed(
            "nothing is remembered: neither EVARISTE_CACHE, XDG_CACHE_HOME nor HOME is set\nhelp: set EVARISTE_CACHE to a folder, or write the page while measuring: `evariste tune FIELD --html FILE`",
        ));
    };
    let remembered = Memory::all(&folder);
    for path in &remembered.unreadable {
        warn(&format!("warning: the remembered ranking {} could not be understood and is left out", path.display()));
    }
    let rankings = if fields.is_empty() { remembered.rankings } else { of_fields(&fields, &remembered.rankings)? };
    if rankings.is_empty() {
        return Err(Failure::failed(format!(
            "nothing is remembered in {}\nhelp: measure a field first: `evariste tune FIELD`, or `evariste tune FIELD --html FILE` for its page alone",
            folder.display()
        )));
    }
    evariste_report::write(&options.output, &evariste_report::report(&rankings))
        .map_err(|error| cannot_write(&options.output, &error))?;
    let names: Vec<String> = rankings.iter().map(Ranking::called).collect();
    let texts: Vec<&str> = rankings.iter().map(|r| r.field.as_str()).collect();
    let text = format!("{}: {}\n", options.output.display(), names.join(", "));
    Ok(Answer::new(text, json!({ "file": options.output.display().to_string(), "fields": texts })))
}

/// The rankings of these fields; a field without one is an error, and nothing is written.
fn of_fields(fields: &[Field], remembered: &[Ranking]) -> Result<Vec<Ranking>, Failure> {
    let mut rankings: Vec<Ranking> = Vec::new();
    let mut missing: Vec<&Field> = Vec::new();
    for (i, field) in fields.iter().enumerate() {
        let named_before = fields[..i].iter().any(|f| f.text() == field.text());
        let of_field = |r: &&Ranking| r.field == field.text();
        match remembered.iter().any(|r| of_field(&r)) {
            _ if named_before => {}
            true => rankings.extend(remembered.iter().filter(of_field).cloned()),
            false => missing.push(field),
        }
    }
    if missing.is_empty() {
        return Ok(rankings);
    }
    let texts: Vec<String> = missing.iter().map(|f| f.title()).collect();
    let help: String =
        missing.iter().map(|f| format!("\nhelp: `evariste tune '{}'` measures and remembers it", f.called())).collect();
    Err(Failure::failed(format!("nothing is remembered of {}{help}", texts.join(" and of "))))
}

/// A page that could not be written, and what would help.
pub fn cannot_write(file: &Path, error: &std::io::Error) -> Failure {
    Failure::failed(format!(
        "cannot write `{}`: {error}\nhelp: give a file in a folder that exists and can be written",
        file.display()
    ))
}
