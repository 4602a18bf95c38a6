//! Cycles of a block of DFC: C in words of 32 and of 64 bits by every compiler, machine code of our own, Java, other
//! processors by their runners, and the paper's processors.

use std::sync::Arc;

use evariste_algorithms::{Operation, Plan};
use evariste_backend::c::{FLAGS, by};
use evariste_backend::{Backend, Kind, found};
use evariste_descriptions::{Field, dfc};
use evariste_emit::File;
use evariste_proof::Proved;
use evariste_run::runners::Runner;
use evariste_run::{Compiler, Machine};
use evariste_tune::TuneError;
use evariste_tune::candidates::{all_plans, field_layouts};
use evariste_tune::choose::{Wish, choose_for};
use evariste_tune::package::{Request, package};

use crate::figure::{Axis, Comparison, Drawing, Figure, Panel, Point, Series};
use crate::java::bench;
use crate::plans::{Timed, proved, timed};
use crate::processors::{benches, counted_package, origin, unit};
use crate::reproduction::NOILHAN;
use crate::{Options, Progress, Reproduction, Watch};

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "dfc-cycles",
    paper: NOILHAN,
    figure: "Table 3",
    about: "cycles of a block of DFC with expanded keys, in C with words of 32 and of 64 bits, in machine code and in Java, here, on other processors (instructions, simulated cycles) and on the paper's",
    make,
};

/// A form of the paper's table: its name there, the words of ours (0: the best of all), and cycles by processor.
struct Column {
    name: &'static str,
    word: u32,
    published: &'static [(&'static str, u32)],
}

/// The paper's table.
const COLUMNS: [Column; 4] = [
    Column {
        name: "ANSI C, words of 32 bits",
        word: 32,
        published: &[("Alpha 21164", 2562), ("Pentium II", 2592), ("UltraSparc", 4160)],
    },
    Column {
        name: "C, words of 64 bits",
        word: 64,
        published: &[("Alpha 21164", 526), ("Pentium II", 1262), ("UltraSparc", 875), ("Alpha 21264", 335)],
    },
    Column {
        name: "best",
        word: 0,
        published: &[
            ("Alpha 21164, assembly", 310),
            ("Pentium II, assembly", 392),
            ("UltraSparc, C with floating point", 775),
            ("Alpha 21264, assembly", 231),
            ("IA64, estimated", 240),
        ],
    },
    Column { name: "Java", word: JAVA, published: &[("Pentium II", 1481), ("UltraSparc", 4087)] },
];

/// The column of what was best.
const BEST: usize = 2;

/// What stands for Java where others have the bits of a word.
const JAVA: u32 = u32::MAX;

/// What was measured: who made the code, of which words (0: no source), and how long it takes.
struct Row {
    maker: String,
    word: u32,
    /// From a block to its ciphertext; of code that cannot be chained, of many independent blocks.
    cycles: f64,
    independent: f64,
}

/// A form of C for other processors: what the paper calls it, its language here, its words.
struct Form {
    name: &'static str,
    column: usize,
    language: &'static str,
    word: u32,
}

const FORMS: [Form; 3] = [
    Form { name: "ANSI C (C89), products of 32 bits", column: 0, language: "c89", word: 32 },
    Form { name: "C99, products of 64 bits", column: 1, language: "c-portable", word: 32 },
    Form { name: "C, products of 128 bits", column: 1, language: "c", word: 64 },
];
/// The runners of a quick run.
const QUICK: [&str; 2] = ["x86-32", "atmega128"];

fn make(options: &Options, watch: Watch) -> Result<Figure, TuneError> {
    let mut notes = Vec::new();
    let plans = Field::parse("cipher:dfc")
        .map(|field| all_plans(&field, &field_layouts(&field, &[64, 32]), &[Operation::ENCRYPT_BLOCK]));
    let judged = proved(&plans.unwrap_or_default(), watch, &mut notes);
    let compiled = Compiler::all().into_iter().map(|c| (format!("here, C by {}", c.name), by(c)));
    let own = found(|kind| kind == Kind::Scalar, None).into_iter().filter(|b| b.entry().is_native());
    let makers: Vec<(String, Arc<dyn Backend>)> =
        compiled.chain(own.map(|b| (format!("here, machine code ({})", b.entry().title), b))).collect();
    let mut rows: Vec<Row> = Vec::new();
    for (maker, backend) in &makers {
        let taken: Vec<_> = judged
            .iter()
            .filter(|(plan, proved)| backend.takes(&plan.field, &plan.layout, proved.kernel().uses_floats()))
            .cloned()
            .collect();
        let word = |timed: &Timed| if backend.entry().kind == Kind::Compiled { timed.plan.layout.word } else { 0 };
        let all = timed(&taken, backend, options, watch, &mut notes)?;
        rows.extend(all.into_iter().map(|timed| Row {
            maker: maker.clone(),
            word: word(&timed),
            cycles: timed.latency.unwrap_or(timed.cycles),
            independent: timed.cycles,
        }));
    }
    rows.extend(java(&mut notes));
    let lanes = in_lanes(options, watch, &mut notes)?;
    let (processors, compared) = processors(options, watch, &mut notes);
    notes.push(
        "C in words of 32 bits that is measured is C99, with products of 64 bits; the paper's ANSI C has none of these, and C89 of other processors has none.".into(),
    );
    notes.push(
        "Java: the class of `evariste emit cipher:dfc --lang java`, by its own benchmark: the least of 50 runs, where others are medians.".into(),
    );
    notes.push("Cycles here are from a block to its ciphertext, in a chain; independent blocks take fewer.".into());
    notes.push("In lanes every lane has a key of its own, which is prepared within the call: for each block, or once for sixteen. Cycles are those of a call, divided by the blocks of all lanes.".into());
    Ok(Figure {
        name: REPRODUCTION.name.into(),
        paper: REPRODUCTION.paper.into(),
        figure: REPRODUCTION.figure.into(),
        title: "Cycles of a block of DFC".into(),
        machine: Some(format!(
            "{}; C with {}; medians, all forms of a maker in turn",
            Machine::detect().identity(None),
            FLAGS.join(" ")
        )),
        panels: COLUMNS
            .iter()
            .map(|column| column.panel(&rows))
            .chain((!lanes.is_empty()).then(|| side_by_side(&lanes)))
            .chain(processors)
            .collect(),
        comparisons: COLUMNS.iter().filter_map(|column| column.comparison(&rows)).chain(compared).collect(),
        changed: [
            "Processors multiply 64 by 64 bits in one instruction of three cycles; the paper's best took that from the Alpha alone.".into(),
            "Every form here is in constant time: no table is read at a secret index, no branch depends on data.".into(),
        ],
        notes,
    })
}

/// Cycles of a block by the best plan in the lanes of vectors, of one block a key and of sixteen.
fn in_lanes(options: &Options, watch: Watch, notes: &mut Vec<String>) -> Result<Vec<(String, f64)>, TuneError> {
    let field = Field::parse("cipher:dfc").map_err(|e| TuneError::Operand(e.to_string()))?;
    let mut all = Vec::new();
    for backend in found(|kind| matches!(kind, Kind::Lanes { bits } if bits > 128), None) {
        for (operation, blocks, what) in [
            (Operation::ENCRYPT_BLOCK, 1, "a key for each block"),
            (Operation::ENCRYPT_BLOCKS, dfc::BLOCKS, "a key for sixteen"),
        ] {
            let plans = all_plans(&field, &backend.layouts(&field), &[operation]);
            let has_code = |(plan, proved): &(_, Proved)| {
                let plan: &Plan = plan;
                backend.takes(&plan.field, &plan.layout, proved.kernel().uses_floats()) && backend.has_code(proved)
            };
            let judged: Vec<_> = proved(&plans, watch, notes).into_iter().filter(has_code).collect();
            let cycles = timed(&judged, &backend, options, watch, notes)?.into_iter().map(|timed| timed.cycles);
            let best = cycles.min_by(f64::total_cmp).map(|cycles| cycles / f64::from(blocks));
            all.extend(best.map(|cycles| (format!("here, {}, {what}", backend.entry().title), cycles)));
        }
    }
    Ok(all)
}

/// The panel of lanes, beside the paper's best.
fn side_by_side(ours: &[(String, f64)]) -> Panel {
    let published = COLUMNS[BEST].published.iter().map(|(name, y)| (name.to_string(), f64::from(*y))).collect();
    Panel::of_machines("many blocks side by side, in constant time", ("a block", "cycles"), published, ours.to_vec())
}

impl Column {
    /// Ours in this form, by who made the code; the least of all for the best.
    fn ours<'a>(&self, rows: &'a [Row]) -> Vec<&'a Row> {
        let mut all: Vec<&Row> = Vec::new();
        for row in rows {
            let is_of = match self.word {
                0 => true,
                word => row.word == word,
            };
            if !is_of {
                continue;
            }
            match all.iter_mut().find(|known| known.maker == row.maker) {
                Some(known) if known.cycles > row.cycles => *known = row,
                Some(_) => {}
                None => all.push(row),
            }
        }
        all
    }

    fn panel(&self, rows: &[Row]) -> Panel {
        let published = self.published.iter().map(|(name, y)| (name.to_string(), f64::from(*y))).collect();
        let ours = self.ours(rows).into_iter().map(|row| (row.maker.clone(), row.cycles)).collect();
        Panel::of_machines(self.name, ("a block", "cycles"), published, ours)
    }

    fn comparison(&self, rows: &[Row]) -> Option<Comparison> {
        let (name, least) = self.published.iter().min_by_key(|(_, y)| *y)?;
        let one = |row: &Row| format!("{:.0} ({}; {:.0} of independent ones)", row.cycles, row.maker, row.independent);
        let ours: Vec<String> = self.ours(rows).into_iter().map(one).collect();
        (!ours.is_empty()).then(|| Comparison {
            what: format!("cycles of a block: {}", self.name),
            published: format!("{least} ({name})"),
            ours: ours.join(", "),
        })
    }
}

/// A package of the block cipher, by the plan with the least estimate.
fn package_of(language: &str, word: u32) -> Result<Vec<File>, TuneError> {
    let field = Field::parse("cipher:dfc").map_err(|e| TuneError::Operand(e.to_string()))?;
    let chosen =
        choose_for(&field, &[64, 32], None, None, Wish { canonical: true, word: Some(word), ..Wish::default() })?;
    let request = Request {
        language: language.into(),
        prefix: "fe".into(),
        operations: vec![Operation::ENCRYPT_BLOCK.name()],
        command_line: format!("evariste emit cipher:dfc --lang {language} --prefix fe"),
        ..Request::default()
    };
    Ok(package(&chosen, &request, |_, _| ())?.files)
}

/// Java's row, by the benchmark of its package.
fn java(notes: &mut Vec<String>) -> Option<Row> {
    match package_of("java", 64).and_then(|files| bench(&files)) {
        Ok(Some((version, lines))) => {
            let line = lines.iter().find(|line| line.name == "fe_encrypt_block")?;
            let cycles = line.latency.unwrap_or(line.cycles);
            Some(Row { maker: format!("here, Java by {version}"), word: JAVA, cycles, independent: line.cycles })
        }
        Ok(None) => {
            notes.push("Java is not measured: there is no JDK here.".into());
            None
        }
        Err(why) => {
            notes.push(format!("Java is not measured: {why}."));
            None
        }
    }
}

/// Instructions and simulated cycles of a block on other processors, by form of C, and beside the paper's numbers.
fn processors(options: &Options, watch: Watch, notes: &mut Vec<String>) -> (Vec<Panel>, Vec<Comparison>) {
    let benches = benches(|runner| !options.quick || QUICK.contains(&runner.name), notes);
    let (mut panels, mut comparisons): (Vec<Panel>, Vec<Comparison>) = (Vec::new(), Vec::new());
    for form in &FORMS {
        let files = match package_of(form.language, form.word) {
            Ok(files) => files,
            Err(why) => {
                notes.push(format!("{}: {why}.", form.name));
                continue;
            }
        };
        let mut ours = Vec::new();
        let able = benches.iter().enumerate().filter(|(_, bench)| form.word == 32 || bench.runner.wide);
        for (at, bench) in able {
            watch(Progress { stage: "counting", done: at + 1, total: benches.len() });
            let count = match counted_package(&files, "fe", bench).map(|counts| counts.first().map(|(_, n)| *n)) {
                Ok(count) => count,
                Err(why) => {
                    let line = why.to_string().lines().next().unwrap_or_default().to_string();
                    notes.push(format!("{}, {}: {line}.", form.name, bench.runner.name));
                    None
                }
            };
            let Some(count) = count else { continue };
            ours.push(format!("{count} ({}, {})", bench.runner.name, bench.runner.counts().name()));
            let point = Point { label: bench.runner.about.into(), x: at as f64, y: count as f64 };
            add(&mut panels, bench.runner, form, point);
        }
        let column = &COLUMNS[form.column];
        let published: Vec<String> = column.published.iter().map(|(name, y)| format!("{y} ({name})")).collect();
        comparisons.extend((!ours.is_empty()).then(|| Comparison {
            what: format!("a block on other processors: {}", form.name),
            published: format!("{} cycles", published.join(", ")),
            ours: ours.join(", "),
        }));
    }
    (panels, comparisons)
}

/// Adds a bar to the panel of its kind.
fn add(panels: &mut Vec<Panel>, runner: &Runner, form: &Form, point: Point) {
    let title = format!("a block on other processors, {}", runner.counts().name());
    let at = panels.iter().position(|p| p.title == title).unwrap_or_else(|| {
        panels.push(Panel {
            title,
            drawing: Drawing::Bars,
            x: Axis::new("processor", ""),
            y: Axis::new("a block", unit(runner)),
            series: Vec::new(),
        });
        panels.len() - 1
    });
    let series = &mut panels[at].series;
    match series.iter_mut().find(|s| s.name == form.name) {
        Some(s) => s.points.push(point),
        None => series.push(Series { name: form.name.into(), origin: origin(runner), points: vec![point] }),
    }
}
