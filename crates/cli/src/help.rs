//! The command line as it is shown: help as wide as the terminal, in colour where that is wanted.

use clap::{Command, CommandFactory};

use crate::arguments::Arguments;
use crate::tables::{width, wrapped_to};

/// Columns of help where nothing says how many there are: in files, pipes and with `--wide`.
const USUAL: usize = 100;

/// The command line with help of the terminal's width.
pub fn command() -> Command {
    let columns = width().unwrap_or(USUAL);
    wrapped_command(Arguments::command(), columns)
}

fn wrapped_command(command: Command, columns: usize) -> Command {
    let notes = command.get_after_help().map(|text| notes_to(&text.to_string(), columns));
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_string()).collect();
    let command = names
        .into_iter()
        .fold(command, |command, name| command.mut_subcommand(name, |sub| wrapped_command(sub, columns)));
    let command = command.term_width(columns);
    match notes {
        Some(notes) => command.after_help(notes),
        None => command,
    }
}

/// Notes below the options: prose is wrapped, and what stands beside an example goes below it where there is no room.
fn notes_to(text: &str, columns: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        match line.trim_start().split_once("  ") {
            Some((example, said)) if indent > 0 && console::measure_text_width(line) > columns => {
                let (one, two) = (" ".repeat(indent), " ".repeat(indent + 4));
                out += &format!("{one}{example}\n");
                out += &wrapped_to(&format!("{two}{}", said.trim_start()), Some(columns));
            }
            _ if indent > 0 => out += &command_to(line, indent, columns),
            _ => out += &wrapped_to(line, Some(columns)).replace("\n  ", "\n"),
        }
        if line.is_empty() {
            out.push('\n');
        }
    }
    out.trim_end().to_string()
}

/// A command in lines as a shell takes them.
fn command_to(line: &str, indent: usize, columns: usize) -> String {
    if console::measure_text_width(line) <= columns {
        return format!("{line}\n");
    }
    wrapped_to(&line[indent..], Some(columns - indent - 4))
        .lines()
        .map(|part| format!("{}{}", " ".repeat(indent), part))
        .collect::<Vec<_>>()
        .join(" \\\n")
        + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_as_wide_as_asked() {
        let text = "Examples:\n  evariste tune p256 --lanes    many elements\n\nOne two three four five six seven.";
        assert_eq!(
            notes_to(text, 32),
            "Examples:\n  evariste tune p256 --lanes\n      many elements\n\nOne two three four five six\nseven."
        );
        assert_eq!(notes_to(text, 80), text);
        let text = "Examples:\n  evariste emit 2^255-19 --ops mul,square -o fe/";
        assert_eq!(notes_to(text, 40), "Examples:\n  evariste emit 2^255-19 --ops \\\n    mul,square -o fe/");
    }
}
