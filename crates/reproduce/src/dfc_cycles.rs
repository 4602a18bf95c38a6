//! Cycles of a block of DFC: C in words of 32 and of 64 bits by every compiler, machine code of our own, and the paper's
//! processors.

use std::sync::Arc;

use evariste_algorithms::Operation;
use evariste_backend::c::{FLAGS, by};
use evariste_backend::{Backend, Kind, found};
use evariste_descriptions::Field;
use evariste_run::{Compiler, Machine};
use evariste_tune::TuneError;
use evariste_tune::candidates::{all_plans, field_layouts};

use crate::figure::{Comparison, Figure, Panel};
use crate::plans::{Timed, proved, timed};
use crate::reproduction::NOILHAN;
use crate::{Options, Reproduction, Watch};

/// The registry's line.
pub const REPRODUCTION: Reproduction = Reproduction {
    name: "dfc-cycles",
    paper: NOILHAN,
    figure: "Table 3",
    about: "cycles of a block of DFC with expanded keys, in C with words of 32 and of 64 bits and in machine code, here and on the paper's processors",
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
    Column { name: "Java", word: u32::MAX, published: &[("Pentium II", 1481), ("UltraSparc", 4087)] },
];

/// What was measured: who made the code, and how long it takes.
struct Row {
    maker: String,
    is_compiled: bool,
    timed: Timed,
}

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
        let is_compiled = backend.entry().kind == Kind::Compiled;
        let all = timed(&taken, backend, options, watch, &mut notes)?;
        rows.extend(all.into_iter().map(|timed| Row { maker: maker.clone(), is_compiled, timed }));
    }
    notes.push(
        "Java: `evariste emit cipher:dfc --lang java` writes the class with its benchmark; it is not run here.".into(),
    );
    notes.push(
        "C in words of 32 bits is C99 here, with products of 64 bits; the paper's ANSI C has none of these.".into(),
    );
    notes.push("Cycles here are from a block to its ciphertext, in a chain; independent blocks take fewer.".into());
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
        panels: COLUMNS.iter().map(|column| column.panel(&rows)).collect(),
        comparisons: COLUMNS.iter().filter_map(|column| column.comparison(&rows)).collect(),
        changed: [
            "Processors multiply 64 by 64 bits in one instruction of three cycles; the paper's best took that from the Alpha alone.".into(),
            "Every form here is in constant time: no table is read at a secret index, no branch depends on data.".into(),
        ],
        notes,
    })
}

impl Column {
    /// Ours in this form, by who made the code; the least of all for the best.
    fn ours<'a>(&self, rows: &'a [Row]) -> Vec<&'a Row> {
        let mut all: Vec<&Row> = Vec::new();
        for row in rows {
            let is_of = match self.word {
                0 => true,
                word => row.is_compiled && row.timed.plan.layout.word == word,
            };
            if !is_of || cycles(row).is_none() {
                continue;
            }
            match all.iter_mut().find(|known| known.maker == row.maker) {
                Some(known) if cycles(known) > cycles(row) => *known = row,
                Some(_) => {}
                None => all.push(row),
            }
        }
        all
    }

    fn panel(&self, rows: &[Row]) -> Panel {
        let published = self.published.iter().map(|(name, y)| (name.to_string(), f64::from(*y))).collect();
        let ours = self.ours(rows).into_iter().filter_map(|row| Some((row.maker.clone(), cycles(row)?))).collect();
        Panel::of_machines(self.name, ("a block", "cycles"), published, ours)
    }

    fn comparison(&self, rows: &[Row]) -> Option<Comparison> {
        let (name, least) = self.published.iter().min_by_key(|(_, y)| *y)?;
        let ours: Vec<String> = self
            .ours(rows)
            .into_iter()
            .filter_map(|row| {
                Some(format!("{:.0} ({}; {:.0} of independent ones)", cycles(row)?, row.maker, row.timed.cycles))
            })
            .collect();
        (!ours.is_empty()).then(|| Comparison {
            what: format!("cycles of a block: {}", self.name),
            published: format!("{least} ({name})"),
            ours: ours.join(", "),
        })
    }
}

/// From a block to its ciphertext; of code that cannot be chained, of many independent blocks.
fn cycles(row: &Row) -> Option<f64> {
    row.timed.latency.or(Some(row.timed.cycles))
}
