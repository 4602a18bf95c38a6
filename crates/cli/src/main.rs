//! The command `evariste`: parses arguments, calls the library, prints what it says. Nothing is computed here.

mod answer;
mod arguments;
mod commands;
mod failure;
mod help;
mod interrupt;
mod numbers;
mod progress;
mod session;
mod tables;

use std::process::ExitCode;

use clap::FromArgMatches;
use clap::error::ErrorKind;

use answer::{Answer, print};
use arguments::{Arguments, Command};
use failure::Failure;
use session::Session;

/// Proofs allocate millions of short numbers: with the system's allocator a fifth of their time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let (arguments, json) = match parse() {
        Ok(arguments) => {
            let json = arguments.json;
            (arguments, json)
        }
        // Help and version are answers; anything else is a mistake of usage.
        Err(error) if !error.use_stderr() => {
            let help = error.render();
            print(&if tables::styled() { help.ansi().to_string() } else { help.to_string() });
            return ExitCode::SUCCESS;
        }
        Err(error) => return report(&usage(&error), std::env::args_os().any(|word| word == "--json")),
    };
    tables::set_wide(arguments.wide);
    match run(arguments.command, &Session) {
        Ok(answer) => {
            print(&if json { format!("{:#}\n", answer.json) } else { answer.text });
            match answer.failure {
                Some(failure) if json => ExitCode::from(failure.exit_code()),
                Some(failure) => report(&failure, false),
                None => ExitCode::SUCCESS,
            }
        }
        Err(failure) => report(&failure, json),
    }
}

/// The arguments, where `help` and `version` are also understood as words.
fn parse() -> Result<Arguments, clap::Error> {
    let mut words: Vec<std::ffi::OsString> = std::env::args_os().collect();
    match words.get(1).and_then(|word| word.to_str()) {
        Some("help") => {
            words.remove(1);
            words.push("--help".into());
        }
        Some("version") if words.len() == 2 => words[1] = "--version".into(),
        _ => {}
    }
    Arguments::from_arg_matches(&help::command().try_get_matches_from(words)?)
}

fn run(command: Command, session: &Session) -> Result<Answer, Failure> {
    if let Some(why) = evariste::builder::misnamed() {
        return Err(Failure::usage(why));
    }
    match command {
        Command::Tune(options) => commands::tune::run(&options, session),
        Command::Rankings(options) => commands::rankings::run(&options, session),
        Command::Report(options) => commands::report::run(&options, session),
        Command::Reproduce(options) => commands::reproduce::run(&options, session),
        Command::Emit(options) => commands::emit::run(&options, session),
        Command::Eval(options) => commands::eval::run(&options, session),
        Command::Explain(options) => commands::explain::run(&options, session),
        Command::Show(options) => commands::show::run(&options, session),
        Command::Check(options) => commands::check::run(&options, session),
        Command::List(options) => commands::list::run(&options, session),
        Command::Probe(options) => commands::probe::run(&options, session),
        Command::Doctor => commands::doctor::run(),
        Command::Completions(options) => commands::completions::run(&options),
        Command::Man(options) => commands::man::run(&options),
    }
}

/// Shows a failure: in text on standard error, in JSON on standard output.
fn report(failure: &Failure, json: bool) -> ExitCode {
    if json {
        print(&format!("{:#}\n", failure.json()));
    } else {
        failure::warn(&format!("error: {}", failure.text()));
    }
    ExitCode::from(failure.exit_code())
}

/// A mistake in the arguments, as clap tells it.
fn usage(error: &clap::Error) -> Failure {
    let text = error.render().to_string();
    let text = text.strip_prefix("error: ").unwrap_or(&text).trim_end();
    match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Failure::usage(format!("a command is missing\n\n{text}"))
        }
        _ => Failure::usage(text),
    }
}
