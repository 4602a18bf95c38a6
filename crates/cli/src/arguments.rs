//! The command line: subcommands, options, help.

use std::path::PathBuf;

use clap::builder::Styles;
use clap::builder::styling::AnsiColor;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

const ABOUT: &str = "Proved, measured finite-field arithmetic: from a description of a field to C code";

const OVERVIEW: &str = "\
FIELD is an expression (2^255-19, '2^256 - 2^224 + 2^192 + 2^96 - 1', 0x…), a name (p256, 25519,
bls12-381-fp, …: see `evariste list fields`), plain integers (int256), odd moduli given when
the code runs (odd256) or a binary field (GF(2^163), GF(2^131):onb2).

Examples:
  evariste tune 2^255-19                      every candidate proved, measured, ranked; the winner kept
  evariste emit p256 --lang c -o out/         a package: source, vectors, test, benchmark
  evariste emit p256 --lang asm -o out/       the same with machine code for x86-64 beside the C
  evariste eval p256 mul 3 5                  the answer, from the reference and from the winner
  evariste explain 'GF(2^29):onb2'            what the field is, which plans apply, counts and bounds

Exit codes: 0 all is well, 1 something failed, 2 the command was used wrongly.
With --json the answer (also an error) is one JSON value on standard output; shapes in docs/json.md.";

/// Colours of help and errors; none where NO_COLOR is set, TERM is dumb or nobody looks.
const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// The whole command line.
#[derive(Parser, Debug)]
#[command(name = "evariste", version, about = ABOUT, after_help = OVERVIEW, disable_help_subcommand = true, styles = STYLES)]
pub struct Arguments {
    /// Answer in JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Show whole tables, however wide; else they fit the terminal (or COLUMNS) and say what is left out
    #[arg(long, global = true)]
    pub wide: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Prove, compile, measure and rank every candidate of a field; remember the winners
    #[command(after_help = TUNE)]
    Tune(Tune),
    /// Show what is remembered: of every field the winner, of a field the whole ranking; nothing is measured
    #[command(
        after_help = "Examples:\n  evariste rankings\n  evariste rankings p256 --all\n  evariste rankings babybear --lanes"
    )]
    Rankings(Rankings),
    /// Write what is remembered of fields as one page with drawings
    #[command(after_help = REPORT)]
    Report(Report),
    /// Make a published figure anew: from fresh counts and measurements, beside the published numbers
    #[command(after_help = REPRODUCE)]
    Reproduce(Reproduce),
    /// Write a package of source code: the operations of a field with vectors, a test and a benchmark
    #[command(after_help = EMIT)]
    Emit(Emit),
    /// Evaluate an operation on numbers, by the reference and by a proved kernel
    #[command(after_help = EVAL)]
    Eval(Eval),
    /// Tell what a field is, how its elements can lie in words, and which plans apply
    #[command(
        after_help = "Examples:\n  evariste explain p256\n  evariste explain 'GF(2^29):onb2'\n  evariste explain 2^127-1 --json"
    )]
    Explain(Explain),
    /// Show any stage of a kernel as text
    #[command(after_help = SHOW)]
    Show(Show),
    /// Check an emitted package again: its vectors by the reference, its test compiled and run
    #[command(
        after_help = "Examples:\n  evariste emit p256 --lang c -o out/ && evariste check out/\n  evariste check out/ --timing --json"
    )]
    Check(Check),
    /// List fields, algorithms, layouts of a field, targets, languages or operations
    #[command(
        after_help = "Examples:\n  evariste list fields\n  evariste list layouts p256\n  evariste list operations 2^61-1"
    )]
    List(List),
    /// Tell what this machine has and lacks: processor, compilers, cache folder
    Doctor,
    /// Print a script that completes commands in a shell
    #[command(
        after_help = "Example:\n  evariste completions bash > ~/.local/share/bash-completion/completions/evariste"
    )]
    Completions(Completions),
}

const TUNE: &str = "\
Examples:
  evariste tune 2^255-19
  evariste tune p256 p384 p521
  evariste tune p256 --word 64 --only montgomery
  evariste tune secp256k1 --compiler clang --json
  evariste tune bls12-381-fp --html report.html
  evariste tune bls12-381-fr --lanes          many elements at once: also code on vectors
  evariste tune p256 --search 15              then search for schedules: products and squares, throughput and latency
  evariste tune p256 --layout montgomery-4x64 --code x86-64 --search 60 --save schedules.txt

Only candidates of one layout have equal contracts and are ranked against each other; layouts are compared on the
stated mix of operations (--mix states another one). Rows that the spread of the measurement does not tell apart are
marked with ≈. What was measured on a busy machine is not remembered, unless --keep is given. Each kernel is measured as machine code made here and as compiled C, as far as this machine
allows. Where it allows neither, candidates are proved and ranked by bound, and the exit code is 1.
Ctrl-C ends with what is measured, and remembers the operations that are whole; a second one ends at once.";

/// `tune`.
#[derive(Args, Debug)]
pub struct Tune {
    /// The fields, one after the other
    #[arg(value_name = "FIELD", required = true)]
    pub fields: Vec<String>,
    /// Word size in bits; may be given twice [default: both]
    #[arg(long, value_name = "64|32", value_parser = ["64", "32"])]
    pub word: Vec<String>,
    /// Only plans whose name (algorithm/layout) contains TEXT; may be given again
    #[arg(long, value_name = "TEXT")]
    pub only: Vec<String>,
    /// Only this layout; may be given again
    #[arg(long, value_name = "NAME")]
    pub layout: Vec<String>,
    /// The C compiler [default: the value of CC, else cc, gcc, clang]
    #[arg(long, value_name = "CC")]
    pub compiler: Option<String>,
    /// Only code of this kind: compiled C, or machine code made here [default: both]
    #[arg(long, value_name = "c|x86-64", value_parser = ["c", "x86-64"])]
    pub code: Option<String>,
    /// Many elements at once: also code on vectors (AVX-512, AVX2), an element a lane, ranked by the time of one
    /// element
    #[arg(long)]
    pub lanes: bool,
    /// Then search for better schedules of the best machine code: SECONDS for each of at most eight
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub search: Option<f64>,
    /// What the random numbers of the search begin with
    #[arg(long, value_name = "NUMBER", default_value_t = 1, requires = "search")]
    pub seed: u64,
    /// Also start from the schedules of FILE, and add to it those that are measured to be faster than the heuristic's
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Measure for a shorter time: rougher numbers
    #[arg(long)]
    pub quick: bool,
    /// Do not remember the ranking
    #[arg(long)]
    pub no_cache: bool,
    /// Remember the ranking even if the machine was busy while it was measured
    #[arg(long, conflicts_with = "no_cache")]
    pub keep: bool,
    /// The operations on which layouts are compared, such as '8 mul + 4 square' [default: the field's usual mix]
    #[arg(long, value_name = "MIX")]
    pub mix: Option<String>,
    /// Show every candidate, not only the fastest of each operation
    #[arg(long)]
    pub all: bool,
    /// Also write the ranking as one page of HTML with drawings
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Also write every candidate as comma-separated values
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
}

/// `rankings`.
#[derive(Args, Debug)]
pub struct Rankings {
    /// The field [default: all, a line each]
    #[arg(value_name = "FIELD")]
    pub field: Option<String>,
    /// What `tune --lanes` remembered
    #[arg(long)]
    pub lanes: bool,
    /// Show every candidate, not only the fastest of each operation
    #[arg(long, requires = "field")]
    pub all: bool,
    /// Also write every candidate as comma-separated values
    #[arg(long, value_name = "FILE", requires = "field")]
    pub csv: Option<PathBuf>,
}

const REPORT: &str = "\
Examples:
  evariste report -o report.html
  evariste report p256 25519 -o curves.html

The page has every candidate against its bound, latency against throughput, operations, bytes of code and all numbers,
and needs no other file. It is written whole or not at all.";

/// `report`.
#[derive(Args, Debug)]
pub struct Report {
    /// The fields [default: all that are remembered]
    #[arg(value_name = "FIELD")]
    pub fields: Vec<String>,
    /// The file to write
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub output: PathBuf,
}

const REPRODUCE: &str = "\
Examples:
  evariste reproduce                          what there is
  evariste reproduce nb-gates
  evariste reproduce nb-sweep --html sweep.html --csv sweep.csv
  evariste reproduce nb-footprint --quick     a few degrees, short timings: rough, in seconds

A table for each drawing of the figure, the paper's numbers beside ours, and what changed since. Timings take minutes.";

/// `reproduce`.
#[derive(Args, Debug)]
pub struct Reproduce {
    /// The figure [default: list all]
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// A few degrees, and shorter measurements: rougher numbers
    #[arg(long, requires = "name")]
    pub quick: bool,
    /// Also write all points as comma-separated values
    #[arg(long, value_name = "FILE", requires = "name")]
    pub csv: Option<PathBuf>,
    /// Also write one page of HTML with drawings
    #[arg(long, value_name = "FILE", requires = "name")]
    pub html: Option<PathBuf>,
}

/// A time in seconds, at most a day.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds is wanted".to_string())?;
    if seconds > 0.0 && seconds <= 86_400.0 { Ok(seconds) } else { Err("between 0 and 86400 seconds".into()) }
}

const EMIT: &str = "\
Examples:
  evariste emit p256 --lang c -o out/
  evariste emit 2^255-19 --lang c --prefix fe25519 --ops mul,square,add,sub -o fe/
  evariste emit secp256k1 --lang c --layout 4x64 --plan mul=comba+fold -o out/
  evariste emit p256 --lang asm -o out/
  evariste emit p256 --lang asm --goal latency -o out/

The plans and schedules are the remembered winners of `evariste tune`, else those of the least estimate (bound and
operations). Elements are canonical, each value having one form, unless --layout or --redundant asks otherwise. The folder
is replaced as a whole or not at all; one with other files, or with the package of another field, is refused without
--force.";

/// `emit`.
#[derive(Args, Debug)]
pub struct Emit {
    /// The field
    pub field: String,
    /// The language: c, or asm (assembly for x86-64 with the C beside it)
    #[arg(long, value_name = "LANGUAGE", default_value = "c")]
    pub lang: String,
    /// Start of every name [default: the field's name]
    #[arg(long, value_name = "NAME")]
    pub prefix: Option<String>,
    /// Operations, with commas [default: all that the layout has]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub ops: Vec<String>,
    /// How elements lie in words (see `evariste list layouts FIELD`)
    #[arg(long, value_name = "NAME")]
    pub layout: Option<String>,
    /// Also layouts whose elements are not canonical, such as below 2p: often faster, compared through canonical forms
    #[arg(long, conflicts_with = "layout")]
    pub redundant: bool,
    /// The plan of an operation: an algorithm of the layout; may be given again
    #[arg(long, value_name = "OP=NAME")]
    pub plan: Vec<String>,
    /// Which remembered time decides among plans and schedules
    #[arg(long, value_name = "throughput|latency", value_parser = ["throughput", "latency"], default_value = "throughput")]
    pub goal: String,
    /// Schedules of machine code: a file, or `heuristic` for none that was searched [default: the remembered winners]
    #[arg(long, value_name = "FILE|heuristic")]
    pub schedules: Option<String>,
    /// The folder to write
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    pub output: PathBuf,
    /// Replace files of the same name in a folder with other files
    #[arg(long)]
    pub force: bool,
}

const EVAL: &str = "\
Examples:
  evariste eval p256 mul 3 5
  evariste eval 2^255-19 inv 2^200+1
  evariste eval dfc affine_mod_2_64 0x123456789abcdef 5 7
  evariste eval p256 sub 3 -5
  evariste eval odd256 mul 3 5 --modulus 97

Numbers are decimal, 0x… or expressions; modulo p any integer means its residue. In a binary field bit i of a number is
the coefficient of the basis element B_i.";

/// `eval`.
#[derive(Args, Debug)]
pub struct Eval {
    /// The field
    pub field: String,
    /// The operation: mul, square, add, sub, opp, inv, pow_HEX, affine, …
    pub operation: String,
    /// The operands
    #[arg(value_name = "NUMBERS", allow_negative_numbers = true)]
    pub numbers: Vec<String>,
    /// The modulus, for moduli supplied at run time (odd256); else the last of the operands
    #[arg(long, value_name = "NUMBER")]
    pub modulus: Option<String>,
    /// How elements lie in words
    #[arg(long, value_name = "NAME")]
    pub layout: Option<String>,
    /// The plan: an algorithm of the layout, or its full name
    #[arg(long, value_name = "NAME")]
    pub plan: Option<String>,
}

/// `explain`.
#[derive(Args, Debug)]
pub struct Explain {
    /// The field
    pub field: String,
}

const SHOW: &str = "\
Examples:
  evariste show plans p256
  evariste show kernel 2^255-19 --op square
  evariste show c p256 --plan montgomery-cios/montgomery-4x64
  evariste show asm p256 --plan montgomery-cios/montgomery-4x64
  evariste show genes p256 --plan montgomery-cios-merge/montgomery-4x64
  evariste show proof secp256k1";

/// `show`.
#[derive(Args, Debug)]
pub struct Show {
    /// The stage
    pub what: Stage,
    /// The field
    pub field: String,
    /// The operation
    #[arg(long, value_name = "NAME", default_value = "mul")]
    pub op: String,
    /// The plan: an algorithm of the layout, or its full name
    #[arg(long, value_name = "NAME")]
    pub plan: Option<String>,
    /// How elements lie in words
    #[arg(long, value_name = "NAME")]
    pub layout: Option<String>,
}

/// What `show` shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Stage {
    /// The plans of the operation, with counts and bounds
    Plans,
    /// The kernel in its text form
    Kernel,
    /// The proved interval of every value
    Ranges,
    /// What was proved and with how much work
    Proof,
    /// The C code of the kernel
    C,
    /// The machine code for x86-64, instruction by instruction, with counts
    Program,
    /// The same as the assembly text that `emit --lang asm` writes
    Asm,
    /// The schedule of its machine code: the one that a search found, else the heuristic's
    Genes,
    /// What the kernel needs and what it gives
    Contract,
}

/// `check`.
#[derive(Args, Debug)]
pub struct Check {
    /// The folder that `evariste emit` wrote
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Only judge the vectors: neither compile nor run what lies in the folder
    #[arg(long, conflicts_with = "timing")]
    pub no_run: bool,
    /// Also test whether times depend on operands: Welch's t of zeros against random operands, for the record
    #[arg(long)]
    pub timing: bool,
}

/// `list`.
#[derive(Args, Debug)]
pub struct List {
    /// What to list
    #[command(subcommand)]
    pub what: Listed,
}

/// What `list` lists.
#[derive(Subcommand, Debug)]
pub enum Listed {
    /// Named fields
    Fields,
    /// Algorithms, by kind
    Algorithms,
    /// How elements of a field can lie in words
    Layouts {
        /// The field
        field: String,
    },
    /// Machines that bounds are known for
    Targets,
    /// Languages of packages
    Languages,
    /// Operations; of a field, those that it has
    Operations {
        /// The field
        field: Option<String>,
    },
}

/// `completions`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}
