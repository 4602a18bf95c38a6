//! What a shell and a terminal see: help that fits, colour where it is wanted, completions, manual pages.
#![cfg(unix)]

use std::io::Read;
use std::process::Command;

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::common::{Place, documented};

/// What the command writes to a terminal of so many columns.
fn on_a_terminal(columns: u16, arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).and_then(|()| unlockpt(&master)).expect("a terminal");
    let name = ptsname(&master, Vec::new()).expect("its name");
    let slave = open(name.as_c_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("its other end");
    let size = Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&slave, size).expect("a size");
    let place = Place::new();
    let mut command = place.command(arguments);
    command.env_remove("COLUMNS").env_remove("NO_COLOR").env("TERM", "xterm").stdout(slave);
    environment.iter().for_each(|(name, value)| {
        command.env(name, value);
    });
    let mut child = command.spawn().expect("the command starts");
    // This end of the terminal is now the child's alone: reading ends when it does.
    drop(command);
    let mut text = Vec::new();
    // Linux ends a terminal with an error.
    let _ = std::fs::File::from(master).read_to_end(&mut text);
    assert!(child.wait().expect("an end").success());
    String::from_utf8(text).expect("UTF-8").replace("\r\n", "\n")
}

/// The longest line, less examples and usage: commands are not broken.
fn widest(text: &str) -> usize {
    let prose = text.lines().filter(|line| !line.starts_with("  evariste ") && !line.starts_with("Usage: "));
    prose.map(|line| line.chars().count()).max().unwrap_or(0)
}

#[test]
fn help_fits_the_terminal() {
    let place = Place::new();
    let mut commands: Vec<Vec<String>> = vec![vec![]];
    let main = place.run(&["--help"]).ok();
    let listed = main.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| !l.is_empty());
    let names: Vec<&str> =
        listed.filter(|l| !l.starts_with("   ")).filter_map(|l| l.split_whitespace().next()).collect();
    assert!(names.contains(&"tune") && names.contains(&"man") && names.len() >= 13, "{names:?}");
    commands.extend(names.iter().map(|name| vec![name.to_string()]));
    for columns in [60, 80, 100] {
        for command in &commands {
            let words: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
            let place = Place::new().with("COLUMNS", Some(&columns.to_string()));
            let text = place.run(&words).ok();
            assert!(widest(&text) <= columns, "{columns} {words:?}\n{text}");
        }
        let text = on_a_terminal(columns as u16, &["tune", "--help"], &[("NO_COLOR", "1")]);
        assert!(widest(&text) <= columns && widest(&text) > columns - 20, "{columns}\n{text}");
    }
}

#[test]
fn colour_where_it_is_wanted() {
    for arguments in [&["--help"][..], &["help", "emit"], &["list", "fields"]] {
        assert!(on_a_terminal(100, arguments, &[]).contains("\x1b["), "{arguments:?}");
        for plain in [("NO_COLOR", "1"), ("TERM", "dumb")] {
            let text = on_a_terminal(100, arguments, &[plain]);
            assert!(!text.contains('\x1b') && text.len() > 100, "{arguments:?} {plain:?}\n{text}");
        }
        assert!(!Place::new().run(arguments).ok().contains('\x1b'), "a pipe is plain");
    }
}

/// What bash offers for the last of these words.
fn completed(script: &str, words: &[&str]) -> Vec<String> {
    let place = Place::new();
    std::fs::write(place.path("script"), script).expect("a file");
    let last = words.last().expect("a word");
    let before = words.iter().rev().nth(1).expect("two words");
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let program = format!(
        "source ./script; COMP_WORDS=({}); COMP_CWORD={}; _evariste evariste '{last}' '{before}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        quoted.join(" "),
        words.len() - 1
    );
    let output = Command::new("bash").args(["--norc", "-c", &program]).current_dir(place.path("")).output();
    String::from_utf8(output.expect("bash").stdout).expect("UTF-8").lines().map(String::from).collect()
}

#[test]
fn completions_know_names() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = place.run(&["completions", shell]).ok();
        for name in ["p256", "bls12-381-fp", "nb-gates", "selectznz", "asm"] {
            assert!(script.contains(name), "{shell}: {name}");
        }
    }
    let script = place.run(&["completions", "bash"]).ok();
    assert_eq!(completed(&script, &["evariste", "rep"]), ["report", "reproduce"]);
    assert!(completed(&script, &["evariste", "tune", "p2"]).contains(&"p256".to_string()));
    assert!(completed(&script, &["evariste", "reproduce", "nb-g"]).contains(&"nb-gates".to_string()));
    assert_eq!(completed(&script, &["evariste", "emit", "p256", "--lang", "a"]), ["asm"]);
    assert!(completed(&script, &["evariste", "emit", "p256", "--ops", "sq"]).contains(&"square".to_string()));
    // What is not among the names is understood all the same.
    place.run(&["explain", "2^61-1"]).ok();
}

#[test]
fn manual_pages() {
    let place = Place::new();
    let page = place.run(&["man"]).ok();
    assert!(page.contains(".TH evariste 1") && page.contains("tune"), "{page}");
    documented(&place.run(&["man", "--json"]).ended(0).json());
    let json = place.run(&["man", "-o", "man1", "--json"]).ended(0).json();
    documented(&json);
    let pages: Vec<&str> = json["pages"].as_array().expect("pages").iter().filter_map(|p| p.as_str()).collect();
    assert!(pages.contains(&"evariste-tune.1") && pages.len() >= 13, "{pages:?}");
    for name in pages {
        let text = std::fs::read_to_string(place.path("man1").join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(text.contains(".TH ") && text.contains("SYNOPSIS"), "{name}\n{text}");
    }
    std::fs::write(place.path("file"), "").expect("a file");
    let failed = place.run(&["man", "-o", "file"]).ended(1);
    assert!(failed.err.starts_with("error: cannot write the manual pages to `file`"), "{failed:?}");
}
