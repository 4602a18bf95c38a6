//! The transcript in the README, made by the command itself on this machine.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{built, said, words};

/// The field of the transcript.
const FIELD: &str = "2^255-19";

/// Between these lines of the README stands the transcript.
const MARKS: [&str; 2] = ["<!-- transcript -->\n", "<!-- end transcript -->"];

/// Measures `FIELD` and writes what the command says into the README, with the machine above it, and all of its
/// candidates into the record. Refuses measurements of a busy machine.
pub fn run(root: &Path) -> Result<bool> {
    let table = tempfile_in(root)?;
    let text = said(
        Command::new(built(root)?).args(["tune", FIELD, "--wide", "--no-cache", "--csv"]).arg(&table).current_dir(root),
    );
    let csv = std::fs::read_to_string(&table);
    let _ = std::fs::remove_file(&table);
    let text = text?;
    let transcript = Transcript::of(&text)?;
    let readme = root.join("README.md");
    let shown = std::fs::read_to_string(&readme)?;
    std::fs::write(&readme, placed(&shown, &transcript.text())?)?;
    let folder = root.join("record").join(format!("{}-{}", transcript.date, words(processor(&transcript.machine))));
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("25519.csv"), csv?)?;
    println!("README.md, {}", folder.join("25519.csv").display());
    Ok(true)
}

/// A file beside the record for what the command writes.
fn tempfile_in(root: &Path) -> Result<std::path::PathBuf> {
    let folder = root.join("record");
    std::fs::create_dir_all(&folder)?;
    Ok(folder.join(format!(".{}.csv", std::process::id())))
}

/// What is shown of a run.
#[derive(PartialEq, Eq, Debug)]
struct Transcript {
    machine: String,
    date: String,
    program: String,
    lines: Vec<String>,
}

impl Transcript {
    /// The first layout and the summary; other layouts are left out.
    fn of(said: &str) -> Result<Transcript> {
        let lines: Vec<&str> = said.lines().collect();
        if let Some(noisy) = lines.iter().find(|line| line.starts_with("noisy ")) {
            bail!("the machine was busy: {noisy}");
        }
        let after = |name: &str| {
            let line = lines.iter().find_map(|line| line.strip_prefix(name));
            line.map(|line| line.trim().to_string()).with_context(|| format!("no line `{name}`"))
        };
        let (machine, measured) = (after("machine ")?, after("measured ")?);
        let (date, program) = measured.split_once(", by ").context("no date")?;
        // A title, then layouts, each after an empty line, then the summary.
        let second = lines.iter().enumerate().filter(|(_, line)| line.is_empty()).nth(1).context("no layouts")?.0;
        let summary =
            lines.iter().position(|line| line.contains("slower candidates are not shown")).context("no summary")?;
        let end = lines.iter().position(|line| line.starts_with("winner ")).context("no winner")?;
        let mut shown: Vec<String> = lines[..second.min(summary)].iter().map(|l| l.to_string()).collect();
        if second < summary {
            shown.push("…".into());
        }
        shown.extend(lines[summary..=end].iter().map(|l| l.to_string()));
        // System; processor; its instruction sets, which are many; compiler; flags.
        let parts: Vec<&str> = machine.split("; ").collect();
        let machine = [0, 1, 3].iter().filter_map(|i| parts.get(*i).copied()).collect::<Vec<_>>().join("; ");
        Ok(Transcript { machine, date: date.into(), program: program.into(), lines: shown })
    }

    fn text(&self) -> String {
        format!(
            "{}, {}, {}:\n\n```console\n$ evariste tune {FIELD}\n{}\n```\n",
            self.date,
            self.program,
            self.machine,
            self.lines.join("\n")
        )
    }
}

/// The README with another transcript.
fn placed(readme: &str, transcript: &str) -> Result<String> {
    let (before, rest) = readme.split_once(MARKS[0]).context("the README has no place for the transcript")?;
    let (_, after) = rest.split_once(MARKS[1]).context("the README has no end of the transcript")?;
    Ok(format!("{before}{}{transcript}{}{after}", MARKS[0], MARKS[1]))
}

/// The processor in a machine's description, without its numbers.
fn processor(machine: &str) -> &str {
    let named = machine.split("; ").nth(1).unwrap_or(machine);
    named.split_once(" (").map_or(named, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "25519 (2^255 - 19); layouts are compared on 8 mul\n\n4x64: a layout\n  mul: a contract\n   rows\n\n5x51: another\n   rows\n5 slower candidates are not shown (--all shows them)\n9 of 9 candidates proved\n\ncycles, ns: measured\n\nbest layout  4x64\nwinner       a plan\nmachine      linux x86_64; AMD EPYC (AuthenticAMD 25 17 1); adx avx; cc 12.2; -O2\nmeasured     2026-11-22, by evariste 0.1.0\nnot remembered (--no-cache)\n";

    #[test]
    fn a_transcript_has_one_layout_and_the_summary() {
        let transcript = Transcript::of(SAID).expect("a transcript");
        assert_eq!(transcript.machine, "linux x86_64; AMD EPYC (AuthenticAMD 25 17 1); cc 12.2");
        assert_eq!((transcript.date.as_str(), transcript.program.as_str()), ("2026-11-22", "evariste 0.1.0"));
        assert_eq!(words(processor(&transcript.machine)), "amd-epyc");
        let text = transcript.text();
        assert!(text.starts_with(
            "2026-11-22, evariste 0.1.0, linux x86_64; AMD EPYC (AuthenticAMD 25 17 1); cc 12.2:\n\n```console\n"
        ));
        assert!(text.contains("   rows\n…\n5 slower") && text.ends_with("winner       a plan\n```\n"), "{text}");
        assert!(!text.contains("5x51") && !text.contains("machine"), "{text}");
        let busy = SAID.replace("machine ", "noisy        half of the rows\nmachine ");
        assert!(Transcript::of(&busy).is_err_and(|e| e.to_string().contains("busy")));
        assert!(Transcript::of("").is_err());
    }

    #[test]
    fn the_readme_has_its_place() {
        let readme = include_str!("../../../README.md");
        let changed = placed(readme, "x\n").expect("marks");
        assert!(changed.contains("<!-- transcript -->\nx\n<!-- end transcript -->") && changed.len() < readme.len());
        assert_eq!(placed(&changed, "x\n").expect("marks"), changed);
        assert!(placed("", "").is_err());
    }
}
