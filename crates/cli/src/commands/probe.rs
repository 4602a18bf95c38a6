//! `evariste probe`.

use std::collections::BTreeMap;
use std::time::Instant;

use evariste::builder::{Core, Cost, EXPLAINED, Probed, cores};
use evariste::{Machine, Memory};
use serde_json::json;

use crate::answer::Answer;
use crate::arguments::Probe;
use crate::failure::Failure;
use crate::interrupt::stop_on_interrupt;
use crate::progress::Bars;
use crate::session::Session;
use crate::tables::{fitted, left_out, wrapped};

/// Measures this core and keeps its table.
pub fn run(options: &Probe, session: &Session) -> Result<Answer, Failure> {
    // Can it be kept, before it takes seconds?
    let place = options.output.clone().or_else(|| Some(cores::folder(&Memory::default_folder()?).join("core.toml")));
    place.map_or(Ok(()), |path| cores::beside(&path).map(drop)).map_err(evariste::Error::from)?;
    let (stop, bars, start) = (stop_on_interrupt(), Bars::new(), Instant::now());
    let machine = Machine::detect();
    let probed = cores::measure(&machine, &mut |done| {
        bars.set("measuring", (100.0 * done) as usize, 100);
        !stop.is_asked()
    });
    drop(bars);
    let probed = probed.map_err(evariste::Error::from)?;
    let path = match (&options.output, Memory::default_folder()) {
        (Some(path), _) => {
            cores::write(path, &probed.core).map_err(evariste::Error::from)?;
            Some(path.clone())
        }
        (None, Some(folder)) => Some(cores::keep(&folder, &probed.core).map_err(evariste::Error::from)?),
        (None, None) => {
            session.note("neither EVARISTE_CACHE, XDG_CACHE_HOME nor HOME is set; the table is not kept (-o FILE)");
            None
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    let file = path.map(|path| path.display().to_string());
    let open: Vec<_> =
        probed.open.iter().map(|(two, seen, said)| json!({ "pair": two, "cycles": seen, "said": said })).collect();
    let value = json!({
        "core": probed.core, "file": file, "seconds": seconds, "pairs": probed.pairs, "explained": probed.explained, "beyond": probed.beyond,
        "unexplained": open,
    });
    Ok(Answer::new(text(&probed, file.as_deref(), seconds), value))
}

fn text(Probed { core, pairs, explained, beyond, .. }: &Probed, file: Option<&str>, seconds: f64) -> String {
    let (instructions, resources) = (core.costs.len(), core.resources.len());
    let mut text = format!("core       {}\n", core.name);
    text += &wrapped(&format!(
        "measured   {instructions} instructions in {seconds:.1} s; {resources} resources explain {:.0} % of {pairs} pairs within {:.0} %; {beyond} pairs are no sums of what their instructions take of anything\n",
        100.0 * *explained as f64 / (*pairs).max(1) as f64,
        100.0 * EXPLAINED
    ));
    text += &core.window.map_or(String::new(), |n| format!("window     {n} instructions\n"));
    text += &file.map_or(String::new(), |file| format!("table      {file}\n"));
    let (table, gone) = fitted(&[">cycles", ">latency", "busiest", "instructions"], &rows(core), &["busiest"]);
    text + "\n" + &table + &left_out(&gone)
}

/// Characters of names in a line, also where the answer goes to a file.
const NAMES: usize = 76;

/// Instructions that cost the same, a row or a few; the cheapest first.
fn rows(core: &Core) -> Vec<Vec<String>> {
    let cycles = |x: f64| format!("{x:.2}");
    let busiest = |cost: &Cost| {
        let most = cost.uses.iter().max_by(|a, b| a.1.total_cmp(b.1));
        most.map_or_else(|| "-".to_string(), |(resource, _)| resource.clone())
    };
    let mut alike: BTreeMap<(String, String, String), Vec<&str>> = BTreeMap::new();
    for (name, cost) in &core.costs {
        let latency = cost.latency.map_or_else(|| "-".to_string(), |x| format!("{x:.0}"));
        alike.entry((cycles(cost.cycles), latency, busiest(cost))).or_default().push(name);
    }
    alike
        .into_iter()
        .flat_map(|((cycles, latency, busiest), names)| {
            let more = std::iter::repeat([(); 3].map(|()| String::new()));
            let first = std::iter::once([cycles, latency, busiest]).chain(more);
            first.zip(lines(&names)).map(|(numbers, names)| numbers.into_iter().chain([names]).collect())
        })
        .collect()
}

/// Names in lines.
fn lines(names: &[&str]) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for name in names {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(name),
            Some(line) if line.len() + name.len() < NAMES => *line += &format!(" {name}"),
            _ => lines.push(name.to_string()),
        }
    }
    lines
}
