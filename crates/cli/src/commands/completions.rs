//! `evariste completions SHELL`.

use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use serde_json::json;

use crate::answer::Answer;
use crate::arguments::{Arguments, Completions};
use crate::failure::Failure;

/// The script that completes commands in a shell: subcommands, options, and the names that arguments can have.
pub fn run(options: &Completions) -> Result<Answer, Failure> {
    let mut script = Vec::new();
    let mut command = named(Arguments::command());
    clap_complete::generate(options.shell, &mut command, "evariste", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if options.shell == Shell::Fish {
        script += &fish_arguments(&command);
    }
    let json = json!({ "shell": options.shell.to_string(), "script": script });
    Ok(Answer::new(script, json))
}

/// What the generator for fish leaves out: the names that arguments without an option can have.
fn fish_arguments(command: &Command) -> String {
    let mut lines = String::new();
    for sub in command.get_subcommands() {
        let names: Vec<String> = sub
            .get_positionals()
            .flat_map(|argument| argument.get_possible_values())
            .map(|value| value.get_name().to_string())
            .collect();
        if !names.is_empty() {
            lines += &format!(
                "complete -c evariste -n \"__fish_evariste_using_subcommand {}\" -f -a \"{}\"\n",
                sub.get_name(),
                names.join(" ")
            );
        }
    }
    lines
}

/// The command line where arguments that take names know them. For completion alone: other texts are understood too.
fn named(command: Command) -> Command {
    let reproduces = command.get_name() == "reproduce";
    let command =
        command.mut_args(|argument| match argument.get_id().as_str() {
            "field" | "fields" => argument
                .value_parser(PossibleValuesParser::new(evariste::builder::named().iter().map(|field| field.name))),
            "operation" | "op" | "ops" => argument
                .value_parser(PossibleValuesParser::new(evariste::builder::operations().iter().map(|op| op.name))),
            "lang" => argument.value_parser(PossibleValuesParser::new(evariste::LANGUAGES.iter().map(|l| l.name))),
            "name" if reproduces => argument
                .value_parser(PossibleValuesParser::new(evariste_reproduce::REPRODUCTIONS.iter().map(|r| r.name))),
            _ => argument,
        });
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_string()).collect();
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, named))
}
