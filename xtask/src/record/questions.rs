//! The questions of docs/measurements, each answered by commands: what they write is kept in record/, and the page's
//! section of this machine is written anew. Sections of other machines stay.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::{built, said, table, words};

/// Who answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Program {
    /// The command `evariste`; a table of values by its option `--csv`.
    Evariste,
    /// The comparisons with other libraries; a table of values from its JSON.
    Peers,
    /// An example: package and name. It writes text.
    Example(&'static str, &'static str),
}

use Program::{Evariste, Example, Peers};

/// One command and the file that keeps what it writes.
#[derive(Debug)]
struct Step {
    /// The file's name in the record; `.csv` is a table of values, `.txt` what the command says.
    file: &'static str,
    program: Program,
    /// The words behind the program. `$NAME` is a variable of the environment.
    arguments: &'static str,
    /// What the page shows of a table of values (see [`table`]).
    show: &'static str,
}

/// A page, and what answers its question.
#[derive(Debug)]
pub struct Question {
    /// The page's name in docs/measurements, without `.md`.
    pub page: &'static str,
    steps: &'static [Step],
}

/// What is shown of a comparison with other libraries.
const PAIRED: &str =
    "of kernel mode contract peer peer_version ours_ns peer_ns ratio ratio_paired ours_cycles ours_plan";
/// The same of points and pairings, one and many.
const POINTS: &str = "of kernel elements contract peer peer_version ours_ns peer_ns ratio ratio_paired ours_plan";
/// The same of towers.
const TOWERS: &str = "of kernel elements mode peer peer_version ours_ns peer_ns ratio ratio_paired ours_plan";
/// The same of arrays of ordinary words.
const WORDS: &str = "of kernel contract elements peer peer_version ours_ns peer_ns ratio tested_ns tested_ratio ours";
/// What is shown of a comparison of compiled C.
const COMPILED: &str = "of kernel mode contract plan ours_ns peer_ns ratio";
/// What is shown of rankings: the two fastest of each operation.
const RANKED: &str = "of field layout operation plan code searched throughput_cycles throughput_spread_percent \
                      latency_cycles bound_cycles percent_of_bound first 2 by field layout operation";
/// What is shown of short rankings: every candidate.
const CANDIDATES: &str = "of operation plan code throughput_cycles latency_cycles bound_cycles percent_of_bound";

/// What is shown of a figure: every point.
const FIGURE: &str = "of panel series kind label y";

/// All pages.
pub const QUESTIONS: &[Question] = &[
    Question {
        page: "is-our-c-ahead-of-fiat-crypto",
        steps: &[Step { file: "fiat.csv", program: Peers, arguments: "fiat $FIAT_C", show: COMPILED }],
    },
    Question {
        page: "is-machine-code-ahead-of-other-libraries",
        steps: &[Step { file: "prime.csv", program: Peers, arguments: "prime", show: PAIRED }],
    },
    Question {
        page: "what-does-searching-schedules-gain",
        steps: &[Step {
            file: "searching.csv",
            program: Evariste,
            arguments: "tune bls12-381-fr bls12-381-fp p256 25519 secp256k1 p384 --code x86-64 --word 64 --no-cache",
            show: RANKED,
        }],
    },
    Question {
        page: "do-loops-and-calls-cost-speed",
        steps: &[
            Step {
                file: "rolled-25519-inv.txt",
                program: Example("evariste-tune", "rolled"),
                arguments: "25519 inv addition-chain",
                show: "",
            },
            Step {
                file: "rolled-int2048-mul.txt",
                program: Example("evariste-tune", "rolled"),
                arguments: "int2048 mul operand-scanning-rolled",
                show: "",
            },
        ],
    },
    Question {
        page: "is-delayed-carry-ahead-of-comba",
        steps: &[Step {
            file: "delayed-carry.csv",
            program: Peers,
            arguments: "--compiler gcc delayed-carry",
            show: COMPILED,
        }],
    },
    Question {
        page: "do-delayed-carries-reproduce",
        steps: &[Step {
            file: "columns.csv",
            program: Evariste,
            arguments: "reproduce delayed-carry",
            show: "of panel series label y first 1 by panel series",
        }],
    },
    Question {
        page: "do-the-figures-of-dfc-reproduce",
        steps: &[
            Step { file: "dfc-cycles.csv", program: Evariste, arguments: "reproduce dfc-cycles", show: FIGURE },
            Step { file: "dfc-tables.csv", program: Evariste, arguments: "reproduce dfc-tables", show: FIGURE },
        ],
    },
    Question {
        page: "do-the-figures-of-wg-reproduce",
        steps: &[Step { file: "wg.csv", program: Evariste, arguments: "reproduce wg", show: FIGURE }],
    },
    Question {
        page: "do-the-figures-of-extensions-reproduce",
        steps: &[Step { file: "extensions.csv", program: Evariste, arguments: "reproduce towers", show: FIGURE }],
    },
    Question {
        page: "do-the-figures-of-binary-curves-reproduce",
        steps: &[Step { file: "nb-ecc.csv", program: Evariste, arguments: "reproduce nb-ecc", show: FIGURE }],
    },
    Question {
        page: "do-the-figures-of-montgomery-scans-reproduce",
        steps: &[Step {
            file: "montgomery-scans.csv",
            program: Evariste,
            arguments: "reproduce montgomery-scans",
            show: FIGURE,
        }],
    },
    Question {
        page: "how-fast-are-macs",
        steps: &[Step {
            file: "mac-rates.csv",
            program: Evariste,
            arguments: "reproduce mac-rates",
            show: "of series label y",
        }],
    },
    Question {
        page: "how-fast-is-java",
        steps: &[Step {
            file: "java.txt",
            program: Example("evariste-reproduce", "languages"),
            arguments: "c,java p256 25519 secp256k1 bls12-381-fp",
            show: "",
        }],
    },
    Question {
        page: "how-fast-are-arrays",
        steps: &[
            Step { file: "arrays.txt", program: Example("evariste-array", "million"), arguments: "", show: "" },
            Step { file: "words.csv", program: Peers, arguments: "words", show: WORDS },
        ],
    },
    Question {
        page: "how-fast-are-ladders-of-binary-curves",
        steps: &[Step { file: "ladders.txt", program: Example("evariste-array", "ladders"), arguments: "", show: "" }],
    },
    Question {
        page: "how-fast-are-curves-and-pairings",
        steps: &[
            Step { file: "curves.csv", program: Peers, arguments: "curves", show: POINTS },
            Step { file: "pairings.csv", program: Peers, arguments: "pairings", show: POINTS },
        ],
    },
    Question {
        page: "how-fast-are-towers",
        steps: &[Step { file: "towers.csv", program: Peers, arguments: "towers", show: TOWERS }],
    },
    Question {
        page: "how-fast-are-transforms",
        steps: &[
            Step {
                file: "transforms-babybear.txt",
                program: Example("evariste-array", "transform"),
                arguments: "",
                show: "",
            },
            Step {
                file: "transforms-goldilocks.txt",
                program: Example("evariste-array", "transform"),
                arguments: "goldilocks",
                show: "",
            },
            Step {
                file: "transforms-bls12-381-fr.txt",
                program: Example("evariste-array", "transform"),
                arguments: "bls12-381-fr",
                show: "",
            },
        ],
    },
    Question {
        page: "do-times-depend-on-operands",
        steps: &[
            Step {
                file: "p256-package.txt",
                program: Evariste,
                arguments: "emit p256 --lang asm -o $TMPDIR/p256",
                show: "",
            },
            Step { file: "p256-timing.txt", program: Evariste, arguments: "check $TMPDIR/p256 --timing", show: "" },
        ],
    },
    Question {
        page: "are-vectors-ahead-of-other-libraries",
        steps: &[Step { file: "lanes.csv", program: Peers, arguments: "lanes", show: PAIRED }],
    },
    Question {
        page: "how-fast-are-small-primes",
        steps: &[Step { file: "small.csv", program: Peers, arguments: "small", show: PAIRED }],
    },
    Question {
        page: "what-do-vector-registers-give-one-element",
        steps: &[Step {
            file: "one-element.csv",
            program: Evariste,
            arguments: "tune GF(2^163) --quick --no-cache --word 64 --only clmul --all",
            show: CANDIDATES,
        }],
    },
    Question {
        page: "how-fast-are-bytes",
        steps: &[Step {
            file: "bytes.csv",
            program: Evariste,
            arguments: "tune GF(2^8) --lanes --quick --no-cache",
            show: RANKED,
        }],
    },
    Question {
        page: "what-does-floating-point-give-dfc",
        steps: &[Step {
            file: "dfc.csv",
            program: Evariste,
            arguments: "tune dfc --quick --no-cache --all --word 64 --only float --only complement-mul/ \
                        --only complement-shift/ --lanes",
            show: CANDIDATES,
        }],
    },
    Question {
        page: "is-it-ahead-of-gf2x-and-ntl",
        steps: &[Step { file: "binary.csv", program: Peers, arguments: "binary", show: PAIRED }],
    },
    Question {
        page: "do-the-figures-of-normal-bases-reproduce",
        steps: &[Step {
            file: "nb-footprint.txt",
            program: Evariste,
            arguments: "reproduce nb-footprint --wide",
            show: "",
        }],
    },
    Question {
        page: "how-fast-are-bit-sliced-products",
        steps: &[Step {
            file: "shapes-131.txt",
            program: Example("evariste-tune", "shapes"),
            arguments: "GF(2^131):onb2 optimal-polynomial-rolled",
            show: "",
        }],
    },
];

impl Step {
    /// As a user types it.
    pub fn command(&self) -> String {
        let quoted = |word: &str| if word.contains('(') { format!("'{word}'") } else { word.to_string() };
        let words = self.arguments.split_whitespace().map(quoted).collect::<Vec<_>>().join(" ");
        let before = match self.program {
            Evariste => "evariste".to_string(),
            Peers => "cargo run --release --manifest-path peers/Cargo.toml --".into(),
            Example(package, name) => format!("cargo run --release -p {package} --example {name} --"),
        };
        format!("{before} {words}").trim_end().trim_end_matches(" --").to_string()
    }

    /// Runs it; what the record keeps.
    fn run(&self, root: &Path, scratch: &Path) -> Result<String> {
        let mut arguments = Vec::new();
        for word in self.arguments.split_whitespace() {
            arguments.push(match word.split_once('$') {
                Some((before, name)) => {
                    let (name, after) = name.split_once('/').map_or((name, ""), |(name, after)| (name, after));
                    let value = match name {
                        "TMPDIR" => scratch.display().to_string(),
                        name => std::env::var(name)
                            .with_context(|| format!("`{}` needs {name} to be set", self.command()))?,
                    };
                    format!("{before}{}", Path::new(&value).join(after).display())
                }
                None => word.to_string(),
            });
        }
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let kept = scratch.join(self.file);
        let values = self.file.ends_with(".csv");
        let mut command = match self.program {
            Evariste => Command::new(built(root)?),
            Peers | Example(..) => Command::new(&cargo),
        };
        let before = match self.program {
            Evariste => vec![],
            Peers => vec!["run", "--release", "--quiet", "--manifest-path", "peers/Cargo.toml", "--"],
            Example(package, name) => vec!["run", "--release", "--quiet", "-p", package, "--example", name, "--"],
        };
        command.args(before);
        command.args(&arguments).current_dir(root);
        match self.program {
            Peers if values => from_json(&said(command.arg("--json"))?),
            Evariste if values => {
                said(command.arg("--csv").arg(&kept))?;
                Ok(std::fs::read_to_string(&kept)?)
            }
            _ => said(&mut command),
        }
    }
}

/// A JSON list of flat objects as comma-separated values, with the names of the first.
fn from_json(text: &str) -> Result<String> {
    let list: Vec<serde_json::Map<String, Value>> = serde_json::from_str(text)?;
    let names: Vec<String> = list.first().context("the comparison has no rows")?.keys().cloned().collect();
    let cell = |value: Option<&Value>| match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    let rows = list.iter().map(|row| names.iter().map(|name| cell(row.get(name))).collect());
    Ok(table::printed(&[names.clone()].into_iter().chain(rows).collect::<Vec<_>>()))
}

/// Names the instruction sets that commands are to do without.
const WITHOUT: &str = "EVARISTE_WITHOUT";

/// What the sections say of this machine.
#[derive(Debug)]
struct Machine {
    processor: String,
    what: String,
    date: String,
    load: String,
}

impl Machine {
    /// As `evariste doctor` sees it.
    fn here(root: &Path) -> Result<Machine> {
        // The core is recognised by all that it has, also where the commands are to do without some of it.
        let doctor = said(Command::new(built(root)?).args(["doctor", "--json"]).env_remove(WITHOUT))?;
        let doctor: Value = serde_json::from_str(&doctor)?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let compilers = doctor["compilers"].as_array().cloned().unwrap_or_default();
        let used = compilers.iter().find(|c| c["used"] == true).map(|c| text(&c["version"])).unwrap_or_default();
        let version = said(Command::new(built(root)?).arg("--version"))?.trim().to_string();
        let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        // A hypervisor's name says less than the core that was recognised.
        let core = text(&doctor["costs"]["core"]);
        let processor = text(&doctor["processor"]);
        let is_known = doctor["costs"]["fits"] == true && !processor.contains(&core);
        let processor = if is_known { format!("{processor}, {core}") } else { processor };
        let without = std::env::var(WITHOUT).ok().filter(|sets| !sets.is_empty());
        Ok(Machine {
            processor: without.map_or(processor.clone(), |sets| format!("{processor} without {sets}")),
            what: format!("{version}, {}, {} cores, {used}", text(&doctor["system"]), doctor["cores"]),
            date: said(Command::new("date").args(["-u", "+%F"]))?.trim().to_string(),
            load: load.split(' ').next().unwrap_or("unknown").to_string(),
        })
    }

    /// Its folder in record/.
    fn folder(&self) -> String {
        format!("{}-{}", self.date, words(&self.processor))
    }
}

/// Answers questions again, by the names of their pages, or `all`.
///
/// # Errors
/// A name that is no page's; a command that fails; a page that has no place for a section.
pub fn run(root: &Path, names: &[&str]) -> Result<bool> {
    let chosen: Vec<&Question> = QUESTIONS.iter().filter(|q| names == ["all"] || names.contains(&q.page)).collect();
    if let Some(name) = names.iter().find(|name| **name != "all" && !QUESTIONS.iter().any(|q| q.page == **name)) {
        let known: Vec<&str> = QUESTIONS.iter().map(|q| q.page).collect();
        bail!("no question is called `{name}`; there are all, tables and {}", known.join(", "));
    }
    let mut failed = Vec::new();
    for question in chosen {
        match answer(root, question) {
            Ok(path) => println!("{}", path.display()),
            // One peer that cannot be built here does not cost the others.
            Err(error) => failed.push(format!("{}: {error:#}", question.page)),
        }
    }
    for line in &failed {
        eprintln!("xtask: not recorded: {line}");
    }
    Ok(failed.is_empty())
}

/// Runs the commands of one question, keeps what they wrote and writes the page's section; the page.
fn answer(root: &Path, question: &Question) -> Result<PathBuf> {
    let machine = Machine::here(root)?;
    let scratch = std::env::temp_dir().join(format!("evariste-record-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    let made: Result<Vec<String>> = question.steps.iter().map(|step| step.run(root, &scratch)).collect();
    let _ = std::fs::remove_dir_all(&scratch);
    let folder = root.join("record").join(machine.folder());
    std::fs::create_dir_all(&folder)?;
    for (step, text) in question.steps.iter().zip(made?) {
        ensure!(!text.trim().is_empty(), "`{}` wrote nothing", step.command());
        std::fs::write(folder.join(step.file), text)?;
    }
    let path = root.join("docs/measurements").join(format!("{}.md", question.page));
    let page = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let page = with_section(&page, &words(&machine.processor), &section(question, &machine))?;
    std::fs::write(&path, table::now(root, &page)?)?;
    Ok(path)
}

/// The section of a machine; its tables are still empty.
fn section(question: &Question, machine: &Machine) -> String {
    let Machine { processor, what, date, load } = machine;
    let mut out = format!("## {processor}, {date}\n\n{what}; load of the machine when it began: {load}.\n");
    for step in question.steps {
        let show = if step.show.is_empty() { String::new() } else { format!(" {}", step.show) };
        out += &format!(
            "\n`{}`:\n\n<!-- table {}/{}{show} -->\n<!-- end table -->\n",
            step.command(),
            machine.folder(),
            step.file
        );
    }
    out
}

/// What closes the section of a machine.
const END: &str = "<!-- end measured -->\n";

/// The page with this section in the place of the machine's former one, or before those of other machines; behind what
/// introduces it where it has none.
fn with_section(page: &str, machine: &str, section: &str) -> Result<String> {
    let mark = format!("<!-- measured {machine} -->\n");
    let new = format!("{mark}{section}{END}");
    if let Some((before, rest)) = page.split_once(&mark) {
        let (_, after) = rest.split_once(END).with_context(|| format!("the section of {machine} has no end"))?;
        return Ok(format!("{before}{new}{after}"));
    }
    Ok(match page.find("<!-- measured ") {
        Some(at) => format!("{}{new}\n{}", &page[..at], &page[at..]),
        None => format!("{}\n\n{new}", page.trim_end()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_replaces_its_own_section() {
        let page = "# Q?\n\n<!-- measured a -->\nold\n<!-- end measured -->\n\n<!-- measured b -->\nkept\n<!-- end measured -->\n";
        let again = with_section(page, "a", "new\n").expect("a page");
        assert_eq!(again, page.replace("old", "new"));
        let third = with_section(page, "c", "third\n").expect("a page");
        assert_eq!(third, page.replace("# Q?\n\n", "# Q?\n\n<!-- measured c -->\nthird\n<!-- end measured -->\n\n"));
        let first = with_section("# Q?\n", "a", "old\n").expect("a page");
        assert_eq!(first, "# Q?\n\n<!-- measured a -->\nold\n<!-- end measured -->\n");
        assert!(with_section("<!-- measured a -->\n", "a", "x").is_err());
    }

    #[test]
    fn json_becomes_a_table() {
        let csv = from_json(r#"[{"kernel": "mul", "ns": 1.5, "why": null}, {"kernel": "a,b", "ns": 2}]"#);
        assert_eq!(csv.expect("rows"), "kernel,ns,why\nmul,1.5,\n\"a,b\",2,\n");
        assert!(from_json("[]").is_err());
    }

    #[test]
    fn a_section_names_machine_date_and_command() {
        let machine = Machine {
            processor: "AMD EPYC".into(),
            what: "evariste 0.1.0, linux x86_64, 2 cores, cc 12.2".into(),
            date: "2026-11-22".into(),
            load: "0.10".into(),
        };
        let bytes = QUESTIONS.iter().find(|q| q.page == "how-fast-are-bytes").expect("a question");
        let text = section(bytes, &machine);
        assert!(text.starts_with("## AMD EPYC, 2026-11-22\n\nevariste 0.1.0, linux x86_64, 2 cores, cc 12.2; load"));
        assert!(text.contains(
            "`evariste tune 'GF(2^8)' --lanes --quick --no-cache`:\n\n<!-- table 2026-11-22-amd-epyc/bytes.csv of "
        ));
    }

    /// Every page has its question and is listed with its command; every table is what the record says.
    #[test]
    fn pages_questions_and_record_agree() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the root");
        let list = std::fs::read_to_string(root.join("docs/measurements/README.md")).expect("the list");
        let mut pages: Vec<String> = QUESTIONS.iter().map(|q| format!("{}.md", q.page)).collect();
        for question in QUESTIONS {
            let row = list.lines().find(|line| line.contains(&format!("]({}.md)", question.page)));
            let command = question.steps.last().expect("a step").command();
            assert!(row.is_some_and(|row| row.contains(&format!("`{command}`"))), "{}: {command}", question.page);
        }
        pages.extend(["README.md".to_string(), "README.md".to_string()]);
        let documents = table::documents(root).expect("documents");
        let mut names: Vec<String> =
            documents.iter().filter_map(|p| p.file_name()).map(|n| n.to_string_lossy().into_owned()).collect();
        pages.sort();
        names.sort();
        assert_eq!(pages, names);
        for path in documents {
            let text = std::fs::read_to_string(&path).expect("a document");
            let now = table::now(root, &text).unwrap_or_else(|e| panic!("{}: {e:#}", path.display()));
            assert_eq!(now, text, "{}: cargo xtask record tables", path.display());
            if path.parent().is_some_and(|folder| folder.ends_with("measurements")) && !path.ends_with("README.md") {
                assert!(text.contains("<!-- measured ") && text.contains(END), "{}", path.display());
                let bare = text
                    .split("<!-- table ")
                    .map(|part| part.split_once("<!-- end table -->").map_or(part, |(_, after)| after));
                let by_hand = bare.flat_map(str::lines).find(|line| line.starts_with("| --- |"));
                assert_eq!(by_hand, None, "{}: a table that is not made from the record", path.display());
            }
        }
    }
}
