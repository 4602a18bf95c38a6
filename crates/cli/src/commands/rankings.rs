//! `evariste rankings [FIELD]`.

use evariste::{Compiler, Field, Memory, Ranking};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::arguments::Rankings;
use crate::commands::ranking_csv::csv;
use crate::commands::report::cannot_write;
use crate::commands::tune_text::ranking_text;
use crate::failure::{Failure, warn};
use crate::numbers::measured;
use crate::session::Session;
use crate::tables::fitted;

/// Columns that go where there is no room, in this order.
const DROPPED: [&str; 4] = ["machine", "mix", "measured", "layout"];

/// What is remembered: a line a field, or the ranking of one.
pub fn run(options: &Rankings, session: &Session) -> Result<Answer, Failure> {
    let Some(text) = &options.field else { return all() };
    let field = session.field_with_kernels(text)?;
    let Some(memory) = session.memory(Compiler::find().ok().as_ref()) else { return Err(nothing(&field)) };
    let memory = if options.lanes { memory.of_lanes() } else { memory };
    let ranking = memory.recall(&field)?.ok_or_else(|| nothing(&field))?;
    let mut answer =
        Answer::new(ranking_text(&field, &ranking, options.all), serde_json::to_value(&ranking).unwrap_or(Value::Null));
    if let Some(file) = &options.csv {
        evariste_report::write(file, &csv(&field, &[&ranking])).map_err(|error| cannot_write(file, &error))?;
        answer.text += &format!("csv          {}\n", file.display());
    }
    Ok(answer)
}

fn nothing(field: &Field) -> Failure {
    Failure::failed(format!(
        "nothing is remembered of {} on this machine with this compiler\nhelp: `evariste tune '{}'` measures it",
        field.title(),
        field.called()
    ))
}

/// A line a ranking.
fn all() -> Result<Answer, Failure> {
    let remembered = Memory::default_folder().map(|folder| Memory::all(&folder)).unwrap_or_default();
    for path in &remembered.unreadable {
        warn(&format!("warning: the remembered ranking {} could not be understood", path.display()));
    }
    let mut rows = Vec::new();
    let mut list = Vec::new();
    for ranking in &remembered.rankings {
        let winner = winner(ranking);
        let plan = ranking.winner.clone().unwrap_or_else(|| "-".into());
        let (algorithm, layout) = plan.split_once('/').unwrap_or((&plan, "-"));
        let name = ranking.called();
        let code = ranking.winner_code.map_or_else(|| "-".into(), |code| code.to_string());
        rows.push(vec![
            if ranking.stopped.is_some() { format!("{name} (partial)") } else { name.clone() },
            algorithm.to_string(),
            layout.to_string(),
            code,
            measured(winner.and_then(|c| c.throughput_cycles)),
            ranking.date.clone().unwrap_or_else(|| "-".into()),
            ranking.mix.clone(),
            ranking.target.split("; ").nth(1).unwrap_or_default().to_string(),
        ]);
        list.push(json!({
            "name": Field::parse(&ranking.field).map_or_else(|_| name, |field| field.name()), "stopped": ranking.stopped, "date": ranking.date, "field": ranking.field, "winner": ranking.winner, "winner_code": ranking.winner_code,
            "throughput_cycles": winner.and_then(|c| c.throughput_cycles), "mix": ranking.mix, "target": ranking.target,
        }));
    }
    let text = if rows.is_empty() {
        "nothing is remembered: `evariste tune FIELD` measures a field\n".to_string()
    } else {
        fitted(&["field", "algorithm", "layout", "code", ">cycles", "measured", "mix", "machine"], &rows, &DROPPED).0
    };
    Ok(Answer::new(text, json!({ "rankings": list })))
}

/// The row of the winner.
fn winner(ranking: &Ranking) -> Option<&evariste::Candidate> {
    let best = ranking.best_layout()?;
    let winner = best.throughput.iter().find(|w| Some(&w.plan) == ranking.winner.as_ref())?;
    ranking.candidate(winner)
}
