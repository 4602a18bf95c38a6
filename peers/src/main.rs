//! Comparisons with other libraries, paired: ours and the peer's functions are timed in one run, round after round,
//! each through a pointer, so that a slow minute of the machine falls on both. Ratios are `peer / ours`: above 1, ours
//! is faster.

mod comparison;
mod contest;
mod curves;
mod delayed_carry;
mod fiat;
mod lanes;
mod packages;
mod prime;
mod setup;
mod towers;
mod vectors;
mod words;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Parser, Subcommand};
use evariste_run::Compiler;

/// Comparisons with other libraries, paired in one run.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    what: What,
    /// The C compiler of both sides (default: CC, else cc).
    #[arg(long, global = true)]
    compiler: Option<String>,
    /// JSON instead of a table.
    #[arg(long, global = true)]
    json: bool,
    /// Only kernels whose id contains this.
    #[arg(long, global = true, default_value = "")]
    only: String,
}

#[derive(Subcommand)]
enum What {
    /// Says what this system lacks, then fetches, builds and checks the peers. `--only` names some of their packages.
    Setup,
    /// Checks one library that `setup` built, in a process of its own.
    #[command(hide = true)]
    Check {
        /// The package.
        package: String,
        /// The library.
        path: PathBuf,
    },
    /// fiat-crypto's C, from a checkout of it (its folder `fiat-c/src`).
    Fiat {
        /// The folder with `curve25519_64.c`, `p256_64.c`, …
        folder: PathBuf,
    },
    /// Delayed-carry Comba beside Comba with 32-bit digits (both ours), 192 to 521 bits.
    DelayedCarry,
    /// Products and squares of prime fields and integers beside those of other libraries.
    Prime {
        /// Only peers whose id contains this.
        #[arg(long, default_value = "")]
        peer: String,
        /// Three passes in place of eight.
        #[arg(long)]
        quick: bool,
    },
    /// As `prime`, for towers of extensions: Fp2, Fp6, Fp12 of pairings, one element and arrays in lanes.
    Towers {
        /// Only peers whose id contains this.
        #[arg(long, default_value = "")]
        peer: String,
        /// Three passes in place of eight.
        #[arg(long)]
        quick: bool,
    },
    /// Multiples of points beside other libraries', one at a time and many in lanes.
    Curves {
        /// Only peers whose id contains this.
        #[arg(long, default_value = "")]
        peer: String,
        /// Three passes in place of eight.
        #[arg(long)]
        quick: bool,
    },
    /// As `curves`, for pairings.
    Pairings {
        /// Only peers whose id contains this.
        #[arg(long, default_value = "")]
        peer: String,
        /// Three passes in place of eight.
        #[arg(long)]
        quick: bool,
    },
    /// As `lanes`, for primes of one word: babybear, koalabear, mersenne31, goldilocks.
    Small {
        /// Only peers whose id contains this.
        #[arg(long, default_value = "")]
        peer: String,
        /// Three passes in place of eight.
        #[arg(long)]
        quick: bool,
    },
    /// Our products in binary fields on vectors beside other libraries', an element a lane, packing excluded.
    Binary {
        /// Only peers whose id contains this.
        #[arg(long, default_value = "")]
        peer: String,
        /// Three passes in place of eight.
        #[arg(long)]
        quick: bool,
    },
    /// Products and sums of arrays of ordinary words of every length beside loops of other libraries' scalar functions.
    Words {
        /// Only peers whose id contains this.
        #[arg(long, default_value = "")]
        peer: String,
        /// Without arrays of ten million elements.
        #[arg(long)]
        quick: bool,
    },
    /// Our products on vectors beside other libraries', an element a lane, packing excluded and included.
    Lanes {
        /// Only peers whose id contains this.
        #[arg(long, default_value = "")]
        peer: String,
        /// Three passes in place of eight.
        #[arg(long)]
        quick: bool,
    },
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    match &arguments.what {
        What::Setup => return setup::setup(&arguments.only, arguments.json),
        What::Check { package, path } => {
            println!("{}", serde_json::to_string(&setup::check::check(package, path)?)?);
            return Ok(());
        }
        _ => {}
    }
    let compiler = match &arguments.compiler {
        Some(name) => Compiler::named(name),
        None => Compiler::find(),
    };
    if let What::Prime { peer, quick } = &arguments.what {
        let options = prime::Options { only: arguments.only.clone(), peer: peer.clone(), quick: *quick };
        let table = prime::compare(&options, compiler.ok().as_ref())?;
        if arguments.json {
            println!("{}", serde_json::to_string_pretty(&table.rows)?);
        } else {
            prime::print(&table.rows, &table.missing);
        }
        return Ok(());
    }
    if let What::Towers { peer, quick } = &arguments.what {
        let options = prime::Options { only: arguments.only.clone(), peer: peer.clone(), quick: *quick };
        return shown(&towers::compare(&options, compiler.ok().as_ref())?, arguments.json);
    }
    if let What::Curves { peer, quick } | What::Pairings { peer, quick } = &arguments.what {
        let options = prime::Options { only: arguments.only.clone(), peer: peer.clone(), quick: *quick };
        return points(matches!(arguments.what, What::Pairings { .. }), &options, arguments.json);
    }
    if let What::Words { peer, quick } = &arguments.what {
        let options = prime::Options { only: arguments.only.clone(), peer: peer.clone(), quick: *quick };
        return arrays_of_words(&options, arguments.json);
    }
    if let What::Lanes { peer, quick } | What::Small { peer, quick } | What::Binary { peer, quick } = &arguments.what {
        let names = match arguments.what {
            What::Small { .. } => &lanes::SMALL[..],
            What::Binary { .. } => &lanes::BINARY[..],
            _ => &lanes::NAMES[..],
        };
        let options = prime::Options { only: arguments.only.clone(), peer: peer.clone(), quick: *quick };
        let table = lanes::compare(names, &options)?;
        if arguments.json {
            println!("{}", serde_json::to_string_pretty(&table.rows)?);
        } else {
            lanes::print(&table);
        }
        return Ok(());
    }
    let compiler = compiler?;
    let rows = match &arguments.what {
        What::Fiat { folder } => fiat::compare(folder, &compiler, &arguments.only)?,
        What::DelayedCarry => delayed_carry::compare(&compiler, &arguments.only)?,
        _ => vec![],
    };
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&rows)?);
    } else {
        comparison::print(&rows, &compiler.version);
    }
    Ok(())
}

/// Products and sums of arrays of words.
fn arrays_of_words(options: &prime::Options, json: bool) -> Result<()> {
    let table = words::compare(options)?;
    if json {
        println!("{}", serde_json::to_string_pretty(&table.rows)?);
    } else {
        words::print(&table);
    }
    Ok(())
}

/// Multiples of points, or pairings.
fn points(are_pairings: bool, options: &prime::Options, json: bool) -> Result<()> {
    let subjects = if are_pairings { curves::subject::PAIRINGS } else { curves::subject::CURVES };
    shown(&curves::compare(subjects, options)?, json)
}

/// Rows of one element and of many, as a table or as JSON.
fn shown(table: &contest::Table<curves::Row>, json: bool) -> Result<()> {
    if json {
        println!("{}", serde_json::to_string_pretty(&table.rows)?);
    } else {
        curves::print(table);
    }
    Ok(())
}
