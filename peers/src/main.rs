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
use serde::Serialize;

use contest::Table;
use curves::subject::{CURVES, PAIRINGS};

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
    let json = arguments.json;
    let options = |peer: &str, quick| prime::Options { only: arguments.only.clone(), peer: peer.to_string(), quick };
    match &arguments.what {
        What::Prime { peer, quick } => {
            let table = prime::compare(&options(peer, *quick), compiler.ok().as_ref())?;
            shown(&table, json, |table| prime::print(&table.rows, &table.missing))
        }
        What::Towers { peer, quick } => {
            shown(&towers::compare(&options(peer, *quick), compiler.ok().as_ref())?, json, curves::print)
        }
        What::Curves { peer, quick } => shown(&curves::compare(CURVES, &options(peer, *quick))?, json, curves::print),
        What::Pairings { peer, quick } => {
            shown(&curves::compare(PAIRINGS, &options(peer, *quick))?, json, curves::print)
        }
        What::Words { peer, quick } => shown(&words::compare(&options(peer, *quick))?, json, words::print),
        What::Lanes { peer, quick } => {
            shown(&lanes::compare(&lanes::NAMES, &options(peer, *quick))?, json, lanes::print)
        }
        What::Small { peer, quick } => {
            shown(&lanes::compare(&lanes::SMALL, &options(peer, *quick))?, json, lanes::print)
        }
        What::Binary { peer, quick } => {
            shown(&lanes::compare(&lanes::BINARY, &options(peer, *quick))?, json, lanes::print)
        }
        What::Fiat { folder } => {
            let compiler = compiler?;
            compiled(&fiat::compare(folder, &compiler, &arguments.only)?, &compiler, json)
        }
        What::DelayedCarry => {
            let compiler = compiler?;
            compiled(&delayed_carry::compare(&compiler, &arguments.only)?, &compiler, json)
        }
        What::Setup | What::Check { .. } => Ok(()),
    }
}

/// A table as its kind prints it, or its rows as JSON.
fn shown<R: Serialize>(table: &Table<R>, json: bool, print: impl FnOnce(&Table<R>)) -> Result<()> {
    if json {
        println!("{}", serde_json::to_string_pretty(&table.rows)?);
    } else {
        print(table);
    }
    Ok(())
}

/// Rows of compiled C, likewise.
fn compiled(rows: &[comparison::Row], compiler: &Compiler, json: bool) -> Result<()> {
    if json {
        println!("{}", serde_json::to_string_pretty(rows)?);
    } else {
        comparison::print(rows, &compiler.version);
    }
    Ok(())
}
