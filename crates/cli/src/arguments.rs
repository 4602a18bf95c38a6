//! The command line: subcommands, options, help.

use std::path::PathBuf;

use clap::builder::styling::AnsiColor;
use clap::builder::{PossibleValue, PossibleValuesParser, Styles, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

const ABOUT: &str = "Proved, measured finite-field arithmetic: from a description of a field to C code";

const OVERVIEW: &str = "\
FIELD is an expression (2^255-19, '2^256 - 2^224 + 2^192 + 2^96 - 1', 0x…), a name (p256, 25519, bls12-381-fp, …: see \
`evariste list fields`), plain integers (int256), odd moduli supplied at run time (odd256), or a binary field \
(GF(2^163), GF(2^131):onb2).

Examples:
  evariste tune 2^255-19                      prove, measure and rank every candidate; keep the winner
  evariste emit p256 --lang c -o out/         a C package: source, test vectors, test, benchmark
  evariste emit p256 --lang asm -o out/       the same, with assembly beside the C
  evariste eval p256 mul 3 5                  compute with the reference and with the winner
  evariste explain 'GF(2^29):onb2'            describe the field, its plans, counts and bounds

Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted.
With --json the answer, or the error, is one JSON value on standard output; docs/json.md describes its shape.";

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
    /// Print the answer as JSON
    #[arg(long, global = true)]
    pub json: bool,
    /// Show all columns of tables; by default tables fit the terminal (or COLUMNS) and say what they leave out
    #[arg(long, global = true)]
    pub wide: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Prove, compile, measure and rank every candidate for a field; remember the winners
    #[command(after_help = TUNE)]
    Tune(Tune),
    /// Show remembered rankings: the winner for every field, or the full ranking of one field
    #[command(
        after_help = "Examples:\n  evariste rankings\n  evariste rankings p256 --all\n  evariste rankings babybear --lanes"
    )]
    Rankings(Rankings),
    /// Write remembered rankings as an HTML page with charts
    #[command(after_help = REPORT)]
    Report(Report),
    /// Reproduce a published figure from fresh counts and measurements, beside the published numbers
    #[command(after_help = REPRODUCE)]
    Reproduce(Reproduce),
    /// Write a source package: the operations of a field with test vectors, a test and a benchmark
    #[command(after_help = EMIT)]
    Emit(Emit),
    /// Evaluate an operation on numbers, with the reference and with a proved kernel
    #[command(after_help = EVAL)]
    Eval(Eval),
    /// Describe a field: what it is, its layouts, and the plans that apply
    #[command(
        after_help = "Examples:\n  evariste explain p256\n  evariste explain 'GF(2^29):onb2'\n  evariste explain 2^127-1 --json\n  evariste explain secp256k1 --arrays"
    )]
    Explain(Explain),
    /// Show any stage of a kernel as text
    #[command(after_help = SHOW)]
    Show(Show),
    /// Check an emitted package: recompute its vectors with the reference, compile and run its test
    #[command(
        after_help = "Examples:\n  evariste emit p256 --lang c -o out/ && evariste check out/\n  evariste check out/ --timing --json\n  evariste emit p256 --lang c-portable -o out/ && evariste check out/ --runner armv7 --runner atmega128"
    )]
    Check(Check),
    /// List fields, algorithms, the layouts of a field, targets, languages, runners or operations
    #[command(
        after_help = "Examples:\n  evariste list fields\n  evariste list layouts p256\n  evariste list operations 2^61-1"
    )]
    List(List),
    /// Measure what each instruction costs on this core, in seconds, and keep the table
    #[command(after_help = PROBE)]
    Probe(Probe),
    /// Report what this machine has and lacks: processor, compilers, cache folder
    Doctor,
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  evariste completions bash > ~/.local/share/bash-completion/completions/evariste"
    )]
    Completions(Completions),
    /// Print the manual page, or write one for each command
    #[command(after_help = "Example:\n  evariste man -o ~/.local/share/man/man1 && man evariste-tune")]
    Man(Man),
}

const TUNE: &str = "\
Examples:
  evariste tune 2^255-19
  evariste tune p256 p384 p521
  evariste tune p256 --word 64 --only montgomery
  evariste tune secp256k1 --compiler clang --json
  evariste tune bls12-381-fp --html report.html
  evariste tune bls12-381-fr --lanes          many elements at once: also vector code
  evariste tune p256 --search 15              then search for faster schedules
  evariste tune p256 --layout montgomery-4x64 --search 60 --save schedules.txt

Only candidates of the same layout have the same contract and are ranked against each other; layouts are compared on a \
mix of operations (see --mix). Rows that the measurement cannot tell apart are marked with ≈. Results from a busy \
machine are not remembered unless --keep is given.

Every kernel is measured as machine code generated here and as compiled C, as far as this machine allows. Where it \
allows neither, candidates are proved and ranked by their bounds, and the exit code is 1.

Ctrl-C stops with what has been measured and remembers the operations that are complete; a second Ctrl-C ends at once.";

const PROBE: &str = "\
Examples:
  evariste probe
  evariste probe -o core.toml --json

Each instruction is measured alone, in a chain, and beside what code may have beside it; a few resources are found that explain all of it. \
The table is kept in the cache folder, where `doctor` finds it; with -o it is written to a file alone. Tables say how fast \
code may be, never what it computes.";

/// `probe`.
#[derive(Args, Debug)]
pub struct Probe {
    /// Write the table to a file, and keep nothing
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `tune`.
#[derive(Args, Debug)]
pub struct Tune {
    /// The fields to tune, in turn
    #[arg(value_name = "FIELD", required = true)]
    pub fields: Vec<String>,
    /// Word size in bits; may be repeated [default: both]
    #[arg(long, value_name = "64|32", value_parser = ["64", "32"])]
    pub word: Vec<String>,
    /// Only plans whose name (algorithm/layout) contains TEXT; may be repeated
    #[arg(long, value_name = "TEXT")]
    pub only: Vec<String>,
    /// Only this layout; may be repeated
    #[arg(long, value_name = "NAME")]
    pub layout: Vec<String>,
    /// The C compiler [default: the value of CC, else cc, gcc, clang]
    #[arg(long, value_name = "CC")]
    pub compiler: Option<String>,
    #[arg(long, value_name = "CODE", help = code_help(), value_parser = code())]
    pub code: Option<String>,
    /// Many elements at once: also vector code (AVX-512, AVX2, SSE2) with one element per lane, ranked by time per element
    #[arg(long)]
    pub lanes: bool,
    /// Then search for faster schedules of the best machine code, for SECONDS in all, or less where the ranking
    /// took longer than 15 seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub search: Option<f64>,
    /// Seed of the search
    #[arg(long, value_name = "NUMBER", default_value_t = 1, requires = "search")]
    pub seed: u64,
    /// Also start from the schedules in FILE, and add those measured to be faster than the heuristic's
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Measure for a shorter time, less precisely
    #[arg(long)]
    pub quick: bool,
    /// Do not remember the ranking
    #[arg(long)]
    pub no_cache: bool,
    /// Remember the ranking even if the machine was busy
    #[arg(long, conflicts_with = "no_cache")]
    pub keep: bool,
    /// Mix of operations to compare layouts on, such as '8 mul + 4 square' [default: the field's usual mix]
    #[arg(long, value_name = "MIX")]
    pub mix: Option<String>,
    /// Compile, measure at length and show every candidate, also those far behind
    #[arg(long)]
    pub all: bool,
    /// Also write the ranking as an HTML page with charts
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Also write every candidate as comma-separated values
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
}

/// `rankings`.
#[derive(Args, Debug)]
pub struct Rankings {
    /// The field [default: all, one line each]
    #[arg(value_name = "FIELD")]
    pub field: Option<String>,
    /// Show what `tune --lanes` remembered
    #[arg(long)]
    pub lanes: bool,
    /// Show every candidate, not just the fastest of each operation
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

The page shows every candidate against its bound, latency against throughput, operation counts, code size and all \
numbers. It is self-contained, and is written completely or not at all.";

/// `report`.
#[derive(Args, Debug)]
pub struct Report {
    /// The fields [default: all remembered ones]
    #[arg(value_name = "FIELD")]
    pub fields: Vec<String>,
    /// The file to write
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub output: PathBuf,
}

const REPRODUCE: &str = "\
Examples:
  evariste reproduce                          list the figures
  evariste reproduce nb-gates
  evariste reproduce nb-sweep --html sweep.html --csv sweep.csv
  evariste reproduce nb-footprint --quick     a few degrees, short timings: rough, but takes seconds

Prints one table per chart of the figure, with the paper's numbers beside ours. Measuring takes minutes.";

/// `reproduce`.
#[derive(Args, Debug)]
pub struct Reproduce {
    /// The figure [default: list them]
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Only a few degrees, measured for a shorter time
    #[arg(long, requires = "name")]
    pub quick: bool,
    /// Also write all points as comma-separated values
    #[arg(long, value_name = "FILE", requires = "name")]
    pub csv: Option<PathBuf>,
    /// Also write an HTML page with charts
    #[arg(long, value_name = "FILE", requires = "name")]
    pub html: Option<PathBuf>,
}

/// A time in seconds, at most a day.
fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_string())?;
    if seconds > 0.0 && seconds <= 86_400.0 { Ok(seconds) } else { Err("must be between 0 and 86400 seconds".into()) }
}

const EMIT: &str = "\
Examples:
  evariste emit p256 --lang c -o out/
  evariste emit 2^255-19 --lang c --prefix fe25519 --ops mul,square,add,sub -o fe/
  evariste emit secp256k1 --lang c --layout 4x64 --plan mul=comba+fold -o out/
  evariste emit p256 --lang c --header-only -o out/
  evariste emit p256 --lang asm -o out/
  evariste emit p256 --lang asm --goal latency -o out/
  evariste emit p256 --lang asm --target NAME -o out/

Plans and schedules are the remembered winners of `evariste tune`, or else those with the lowest estimate (bound and \
operation counts; for --lang asm, cycles by a model of a core). In Java what operations cost there decides, whatever was measured. Elements are canonical (one representation per value) unless --layout or --redundant says otherwise, and but for prime fields in Java, whose digits have room for sums without carries.

The folder is replaced as a whole or not at all. A folder that contains other files, or another field's package, is \
refused unless --force is given.";

/// What `--code` takes; the parser wants texts that stay. What is made among other code is told from a slip.
fn code() -> impl TypedValueParser<Value = String> {
    let known = evariste::builder::codes().into_iter().map(|code| PossibleValue::new(&*code.leak()));
    let others = evariste::builder::codes_among_others();
    let hidden = others.clone().into_iter().map(|[code, _]| PossibleValue::new(code).hide(true));
    PossibleValuesParser::new(known.chain(hidden)).try_map(move |given| {
        match others.iter().find(|[code, _]| *code == given) {
            Some([code, among]) => {
                Err(format!("{code} code is made among {among} code, where the processor has it: write --code {among}"))
            }
            None => Ok(given),
        }
    })
}

/// What is said of `--code`.
fn code_help() -> String {
    let among = |[code, other]: [&str; 2]| format!("; {other} includes what is ranked as {code}");
    let others: String = evariste::builder::codes_among_others().into_iter().map(among).collect();
    format!(
        "Only this kind of code: compiled C, or machine code generated here, as for a processor with these instruction sets alone after a colon{others} [default: both]"
    )
}

/// What `--lang` takes, as the table of languages has it.
fn languages() -> String {
    let names: Vec<String> = evariste::LANGUAGES.iter().map(|l| format!("{} ({})", l.name, l.about)).collect();
    format!("The language: {}", names.join("; "))
}

/// Help that lists the faces.
fn faces() -> String {
    let of = |l: &evariste::Language| {
        let faces: Vec<String> = l.faces.iter().map(|f| format!("{} ({})", f.name, f.about)).collect();
        (!faces.is_empty()).then(|| format!("with --lang {}, {}", l.name, faces.join("; ")))
    };
    let all: Vec<String> = evariste::LANGUAGES.iter().filter_map(of).collect();
    format!("What the package is for users of other libraries, separated by commas: {}", all.join("; "))
}

/// `emit`.
#[derive(Args, Debug)]
pub struct Emit {
    /// The field
    pub field: String,
    // Its help is made of the table of languages.
    #[arg(long, value_name = "LANGUAGE", default_value = "c", help = languages())]
    pub lang: String,
    /// With --lang c: one header of inline functions, for C99 and C++, and no .c file (the language c-header)
    #[arg(long)]
    pub header_only: bool,
    /// With --lang asm: the processor (see `evariste list targets`) [default: this machine's]
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
    /// Prefix of all names [default: the field's name]
    #[arg(long, value_name = "NAME")]
    pub prefix: Option<String>,
    /// Operations, separated by commas [default: all that the layout offers]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub ops: Vec<String>,
    // Its help is made of the table of languages.
    #[arg(long, value_name = "LIST", value_delimiter = ',', help = faces())]
    pub faces: Vec<String>,
    /// With --faces: the generator of the units that they name [default: the least]
    #[arg(long, value_name = "NUMBER", requires = "faces")]
    pub generator: Option<String>,
    /// Answers that others know, for the package's test: a list in JSON, [{"operation": "mul", "operands": ["3", "5"],
    /// "result": "15"}, …], with texts as `eval` takes them; each is compared with the reference and with the kernel
    #[arg(long, value_name = "FILE")]
    pub known_answers: Option<PathBuf>,
    /// The layout: how elements are stored in words (see `evariste list layouts FIELD`)
    #[arg(long, value_name = "NAME")]
    pub layout: Option<String>,
    /// Allow layouts whose elements are not canonical (below 2p, for example): often faster, compared by canonical form
    #[arg(long, conflicts_with = "layout")]
    pub redundant: bool,
    /// The plan for an operation: an algorithm of the layout; OP@CODE=NAME: that of the machine code ranked as CODE, for
    /// processors that have more than most, or `none`; may be repeated
    #[arg(long, value_name = "OP=NAME")]
    pub plan: Vec<String>,
    /// Vectors of functions on arrays in C, by the best plan or that one; may be repeated [default: those that are faster
    /// than products one by one]
    #[arg(long, value_name = "none|LEVEL|LEVEL=PLAN")]
    pub lanes: Vec<String>,
    /// Choose plans and schedules by throughput or by latency
    #[arg(long, value_name = "throughput|latency", value_parser = ["throughput", "latency"], default_value = "throughput")]
    pub goal: String,
    /// Schedules of the machine code: those of a file that were searched on the core in use, or `heuristic` [default: the
    /// remembered winners]
    #[arg(long, value_name = "FILE|heuristic")]
    pub schedules: Option<String>,
    /// The file's schedules that were searched on this core, whichever is in use, are taken unmeasured
    #[arg(long, value_name = "CORE", requires = "schedules")]
    pub searched_on: Option<String>,
    /// The folder to write
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    pub output: PathBuf,
    /// Write into a folder that contains other files, replacing those of the same name
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

Numbers are decimal, 0x… or expressions; modulo p any integer stands for its residue. In a binary field, bit i of a \
number is the coefficient of the basis element B_i.";

/// `eval`.
#[derive(Args, Debug)]
pub struct Eval {
    /// The field
    pub field: String,
    /// The operation: mul, square, add, sub, opp, inv, pow_HEX, affine, …; of curves add, double, mul, ladder, …; of
    /// ciphers encrypt, keystream, …; of hash functions hash, tag, …
    #[arg(value_name = "OP")]
    pub operation: String,
    /// The operands: numbers, lists of coordinates ([1, 0x2]), points ([X, Y], or X and Y, or infinity), strings in
    /// hexadecimal
    #[arg(value_name = "NUMBERS", allow_negative_numbers = true)]
    pub numbers: Vec<String>,
    /// The modulus, for moduli supplied at run time (odd256) [default: the last operand]
    #[arg(long, value_name = "NUMBER")]
    pub modulus: Option<String>,
    /// The layout: how elements are stored in words
    #[arg(long, value_name = "NAME")]
    pub layout: Option<String>,
    /// The plan: an algorithm of the layout, or a full plan name
    #[arg(long, value_name = "NAME")]
    pub plan: Option<String>,
}

/// `explain`.
#[derive(Args, Debug)]
pub struct Explain {
    /// The field
    pub field: String,
    /// Time both ways of products of arrays of words, one by one and in lanes, and say from which length on lanes are quicker; of towers, curves and pairings say how arrays compute
    #[arg(long)]
    pub arrays: bool,
}

const SHOW: &str = "\
Examples:
  evariste show plans p256
  evariste show kernel 2^255-19 --op square
  evariste show c p256 --plan montgomery-cios/montgomery-4x64
  evariste show asm p256 --plan montgomery-cios/montgomery-4x64
  evariste show estimates p256
  evariste show schedule p256 --plan montgomery-cios-merge/montgomery-4x64
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
    /// The plan: an algorithm of the layout, or a full plan name
    #[arg(long, value_name = "NAME")]
    pub plan: Option<String>,
    /// The layout: how elements are stored in words
    #[arg(long, value_name = "NAME")]
    pub layout: Option<String>,
    /// Of machine code: the processor (see `evariste list targets`) [default: this machine's]
    #[arg(long, value_name = "NAME")]
    pub target: Option<String>,
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
    /// The machine code for this processor, instruction by instruction, with counts
    Program,
    /// The machine code as the assembly text that `emit --lang asm` writes
    Asm,
    /// Cycles of the machine code by published tables of cores and by llvm-mca: nothing is measured
    Estimates,
    /// The schedule of the machine code: the best one found by a search, or else the heuristic's
    Schedule,
    /// What the kernel requires and what it guarantees
    Contract,
}

/// `check`.
#[derive(Args, Debug)]
pub struct Check {
    /// The folder that `evariste emit` wrote
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Only check the vectors; neither compile nor run anything from the folder
    #[arg(long, conflicts_with = "timing")]
    pub no_run: bool,
    /// Also test whether run times depend on the operands: Welch's t-test of zeros against random operands
    #[arg(long)]
    pub timing: bool,
    /// Also run the test on another processor, by an emulator or a simulator, and count a call of each function there (see
    /// `evariste list runners`); `all` for each; may be repeated
    #[arg(long, value_name = "NAME", conflicts_with = "no_run")]
    pub runner: Vec<String>,
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
    /// Formulas of towers, curves and pairings, by what they compute
    Formulas,
    /// The layouts of a field: how its elements can be stored in words
    Layouts {
        /// The field
        field: String,
    },
    /// Machines with known bounds
    Targets,
    /// Languages for packages
    Languages,
    /// Other processors that packages can be run on, and what is missing for that
    Runners,
    /// Operations, or those of one field
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

/// `man`.
#[derive(Args, Debug)]
pub struct Man {
    /// Write a page for each command to DIR, instead of the main page to standard output
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    pub output: Option<PathBuf>,
}
