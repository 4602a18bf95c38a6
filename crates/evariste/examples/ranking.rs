//! A ranking: measures the ways to compute modulo `2^61 − 1` in one word on this machine, and emits the fastest.
//! `cargo run --release -p evariste --example ranking`.

use evariste::{Error, Field, Options, Ranking, Request};

/// Ranks the candidates in the layout `1x61`, in about a second. Fails where nothing makes code.
pub fn rank(field: &Field) -> Result<Ranking, Error> {
    let mut options = Options::new()?;
    options.layouts = vec!["1x61".into()];
    // Nanoseconds for each candidate. With so few the order of close ones is left to chance.
    options.timing.budget_ns = 2e6;
    field.tune(&options, &|_progress| ())
}

/// Prints the candidates for a product, and emits the winner.
pub fn main() -> Result<(), Error> {
    let field = Field::parse("mersenne61")?;
    let ranking = rank(&field)?;
    println!("{}", ranking.target);
    for row in ranking.candidates.iter().filter(|row| row.operation == "mul") {
        let time = row.throughput_ns.map_or("no code".into(), |ns| format!("{ns:.2} ns"));
        let bound = row.bound().map_or("no bound".into(), |cycles| format!("at least {cycles:.1} cycles"));
        println!("{:32} {time}, {bound} by the machine's table", row.plan);
    }
    for reason in &ranking.noise {
        println!("noisy: {reason}");
    }
    println!("winner: {}", ranking.winner.as_deref().unwrap_or("none"));

    // With the ranking, what is chosen for a package are the winners.
    let chosen = field.choose(None, Some(ranking))?;
    let request = Request { language: "c".into(), operations: vec!["mul".into()], ..Request::default() };
    let package = field.package(&chosen, &request, |_, _| ())?;
    println!("{} files", package.files.len());
    Ok(())
}
