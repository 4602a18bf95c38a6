//! `evariste man`.

use clap::CommandFactory;
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::arguments::{Arguments, Man};
use crate::failure::Failure;

/// The manual pages, made of what `--help` says: the main one as text, or one for each command in a folder.
pub fn run(options: &Man) -> Result<Answer, Failure> {
    let Some(folder) = &options.output else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Arguments::command())
            .render(&mut page)
            .map_err(|error| Failure::failed(format!("cannot write the manual page: {error}")))?;
        let page = String::from_utf8_lossy(&page).into_owned();
        let json = json!({ "page": page });
        return Ok(Answer::new(page, json));
    };
    let write = || {
        std::fs::create_dir_all(folder)?;
        clap_mangen::generate_to(Arguments::command(), folder)
    };
    write().map_err(|error| {
        Failure::failed(format!(
            "cannot write the manual pages to `{}`: {error}\nhelp: give a folder that can be written",
            folder.display()
        ))
    })?;
    let mut pages = vec!["evariste.1".to_string()];
    pages.extend(Arguments::command().get_subcommands().map(|sub| format!("evariste-{}.1", sub.get_name())));
    let text = format!("{} pages in {}\n", pages.len(), folder.display());
    Ok(Answer::new(text, json!({ "folder": folder.display().to_string(), "pages": Value::from(pages) })))
}
