//! An emitted package, judged again: its vectors against the definition of the field, its test compiled and run.

use std::path::Path;
use std::process::{Command as Process, Stdio};

use evariste_algorithms::operation::Holds;
use evariste_algorithms::{Form, Layout, Operation, kinds};
use evariste_backend::BACKENDS;
use evariste_descriptions::Modulus;
use evariste_emit::{Language, MANIFEST, Manifest, language};
use evariste_ir::interpret::{Outputs, RunError};
use evariste_ir::{Array, ArrayKind, Claim, Digit, Interpreter, Kernel as Data, inadmissible, violates};
use evariste_run::Compiler;
use evariste_tune::package::FLAGGED;
use num_bigint::BigInt;

use crate::error::Error;
use crate::field::Field;
use crate::package_text::{Table, command, tables};

/// Longest file that is read, in bytes.
const LONGEST: u64 = 64 << 20;

/// What a check found.
#[derive(Clone, Debug)]
pub struct PackageCheck {
    /// The field.
    pub field: Field,
    /// The layout.
    pub layout: String,
    /// The language.
    pub language: String,
    /// Start of every name.
    pub prefix: String,
    /// Operations with the number of their vectors.
    pub operations: Vec<(String, usize)>,
    /// What is wrong with the vectors, a line each; empty when they hold.
    pub faults: Vec<String>,
    /// The test, compiled and run; empty without a compiler.
    pub runs: Vec<TestRun>,
}

/// A run of the package's test.
#[derive(Clone, Debug)]
pub struct TestRun {
    /// The compiler's version line.
    pub compiler: String,
    /// Its flags.
    pub flags: String,
    /// Did it compile, run and end well?
    pub passed: bool,
    /// The last line that it wrote, or why it did not compile.
    pub output: String,
}

impl PackageCheck {
    /// Did everything hold that was checked?
    pub fn passed(&self) -> bool {
        self.faults.is_empty() && self.runs.iter().all(|run| run.passed)
    }
}

/// Checks the package in `folder`: every known answer is judged by the contract that the field
/// and the layout imply, by big integers (of a program, whose contract says no value, by the interpreter), and the package's test is compiled and run, once plainly and once with every
/// proved bound asserted (`-DEVARISTE_VERIFY`); of other languages than C it is run by their own command, on a copy of the folder, where their tools are there. So code that lies in the folder is run; without a compiler, none is.
///
/// # Errors
/// A folder that holds no package, or one whose header or vectors cannot be read. Wrong answers are no error: they are
/// the finding.
pub fn check_package(folder: &Path, compiler: Option<&Compiler>) -> Result<PackageCheck, Error> {
    let bad = |why: String| Error::NotAPackage { path: folder.display().to_string(), why };
    let manifest = manifest(folder)?;
    let prefix = manifest.prefix.clone();
    let command = command(&manifest.command).map_err(|why| bad(format!("{MANIFEST}: {why}")))?;
    let field = Field::parse(&command.field)?;
    let layout = field.layout_in(&command.layout, language(&command.language)?)?;
    let mut tables = tables(&manifest).map_err(|why| bad(format!("{MANIFEST}: {why}")))?;
    name_operations(&mut tables);
    let mut check = PackageCheck {
        field: field.clone(),
        layout: layout.name.clone(),
        language: command.language.clone(),
        prefix: prefix.clone(),
        operations: Vec::new(),
        faults: Vec::new(),
        runs: Vec::new(),
    };
    let mut judged = 0;
    for operation in present(&field.operations(&layout), &tables) {
        let plan = field.plans_in(std::slice::from_ref(&layout), &operation).into_iter().next();
        let plan = plan.ok_or_else(|| bad(format!("layout {} has no `{}`", layout.name, operation.name())))?;
        let kernel = plan.kernel().data();
        let (inputs, outputs) =
            (columns(kernel, &tables, &operation, false), columns(kernel, &tables, &operation, true));
        let (Some(inputs), Some(outputs)) = (inputs, outputs) else {
            check.faults.push(format!("{}: a table is missing", operation.name()));
            continue;
        };
        judged += inputs.len() + outputs.len();
        let count = inputs.iter().chain(&outputs).map(|(_, rows)| rows.len()).min().unwrap_or(0);
        let rows: Vec<Row> = (0..count)
            .map(|row| Row { inputs: of_row(kernel, &inputs, row), outputs: of_row(kernel, &outputs, row) })
            .collect();
        let wrong = |((at, row), computed): ((usize, &Row), Computed)| {
            let why = judge(kernel, row, &computed)
                .or_else(|| program_differs(&field, &layout, &operation, kernel, row, &computed))?;
            Some(format!("{}, vector {at}: {why}", operation.name()))
        };
        check.faults.extend(rows.iter().enumerate().zip(computed(kernel, &rows)).filter_map(wrong));
        check.operations.push((operation.name(), count));
    }
    if judged < tables.len() {
        check.faults.push(format!(
            "{} of {} tables belong to no operation of layout {}",
            tables.len() - judged,
            tables.len(),
            layout.name
        ));
    }
    if let (Some(compiler), Ok(language)) = (compiler, evariste_emit::language(&check.language)) {
        check.runs = runs(folder, &prefix, compiler, language)?;
    }
    Ok(check)
}

/// The manifest of the package in `folder`.
pub(crate) fn manifest(folder: &Path) -> Result<Manifest, Error> {
    let bad = |why: String| Error::NotAPackage { path: folder.display().to_string(), why };
    std::fs::read_dir(folder).map_err(|e| bad(e.to_string()))?;
    let text = read(&folder.join(MANIFEST)).map_err(&bad)?;
    serde_json::from_str(&text).map_err(|e| bad(format!("{MANIFEST}: {e}")))
}

/// The runs of a package's test: of C plain and with proved bounds asserted, of others by their own command.
fn runs(folder: &Path, prefix: &str, compiler: &Compiler, language: &Language) -> Result<Vec<TestRun>, Error> {
    if !language.is_c {
        return Ok(run_in(folder, language)?.into_iter().collect());
    }
    [&[][..], &["-DEVARISTE_VERIFY"]].into_iter().map(|more| run_test(folder, prefix, compiler, more)).collect()
}

/// Tables by the names of operations. Functions in variable time compute what the others do, and those that take bytes
/// for granted.
fn name_operations(tables: &mut [Table]) {
    for table in tables {
        let plain = table.operation.trim_end_matches("_vartime").trim_end_matches("_unchecked");
        table.operation = plain.trim_end_matches(FLAGGED).to_string();
    }
}

/// A text file of bounded size.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    let name = || path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let info = std::fs::symlink_metadata(path).map_err(|e| format!("{}: {e}", name()))?;
    if !info.is_file() {
        return Err(format!("{} is not a plain file", name()));
    }
    if info.len() > LONGEST {
        return Err(format!("{} has {} bytes, more than any package", name(), info.len()));
    }
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", name()))
}

/// Longest exponent of a power that is judged, in bits: a name in a file must not cost hours.
const LONGEST_EXPONENT: u64 = 8192;

/// The operations that have tables: those of the layout, and powers and affine maps that are named.
fn present(known: &[Operation], tables: &[Table]) -> Vec<Operation> {
    let names: Vec<&str> = tables.iter().filter(|t| t.written).map(|t| t.operation.as_str()).collect();
    let mut all: Vec<Operation> = known.iter().filter(|op| names.contains(&op.name().as_str())).cloned().collect();
    for operation in names.iter().filter_map(|name| Operation::parse(name)) {
        let is_long = operation.number_of(&Operation::POWER).is_some_and(|e| e.bits() > LONGEST_EXPONENT);
        if !all.contains(&operation) && !is_long {
            all.push(operation);
        }
    }
    all
}

/// Elements of each parameter that is read or written, vector by vector.
fn columns(
    kernel: &Data,
    tables: &[Table],
    operation: &Operation,
    written: bool,
) -> Option<Vec<(Array, Vec<Vec<BigInt>>)>> {
    let wanted = kernel.params().filter(|a| match kernel.array(*a).kind {
        ArrayKind::InOut => true,
        ArrayKind::Input => !written,
        ArrayKind::Output => written,
        _ => false,
    });
    wanted
        .map(|array| {
            let info = kernel.array(array);
            let of_it =
                |t: &&Table| t.operation == operation.name() && t.parameter == info.name && t.written == written;
            let rows = tables.iter().find(of_it)?.rows.clone();
            let fits = rows.iter().all(|row| row.len() == info.len as usize);
            fits.then_some((array, rows))
        })
        .collect()
}

/// One vector's elements by the names of arrays.
fn of_row<'a>(kernel: &'a Data, columns: &[(Array, Vec<Vec<BigInt>>)], row: usize) -> Vec<(&'a str, Vec<BigInt>)> {
    columns.iter().map(|(array, rows)| (kernel.array(*array).name.as_str(), rows[row].clone())).collect()
}

/// A vector: what a function reads, and what it is said to write.
struct Row<'a> {
    inputs: Vec<(&'a str, Vec<BigInt>)>,
    outputs: Vec<(&'a str, Vec<BigInt>)>,
}

/// What the interpreter wrote, or what is wrong with the operands; `None` where nobody asks for it.
type Computed = Option<Result<Outputs, RunError>>;

/// Vectors that are interpreted at a time.
const LANES: usize = 64;

/// What the interpreter computes of each vector, where the contract alone is no judge: of digits that are promised about and
/// not returned, and of programs.
fn computed(kernel: &Data, rows: &[Row]) -> Vec<Computed> {
    if !has_ghosts(kernel) && !is_program(kernel) {
        return rows.iter().map(|_| None).collect();
    }
    let interpreter = Interpreter::new(kernel);
    let of_some = |rows: &[Row]| -> Vec<Computed> {
        let inputs: Vec<_> = rows.iter().map(|row| row.inputs.as_slice()).collect();
        match interpreter.run_each(&inputs) {
            Ok(all) => all.into_iter().map(|outputs| Some(Ok(outputs))).collect(),
            // One by one, to tell which.
            Err(_) => inputs.into_iter().map(|row| Some(interpreter.run_one(row))).collect(),
        }
    };
    rows.chunks(LANES).flat_map(of_some).collect()
}

/// Does the contract promise anything about digits that are not returned?
fn has_ghosts(kernel: &Data) -> bool {
    kernel.arrays.iter().any(|a| a.kind == ArrayKind::Ghost)
}

/// Does the contract say what the steps compute, and nothing of the result?
fn is_program(kernel: &Data) -> bool {
    kernel.contract.claims.iter().any(|claim| matches!(claim, Claim::Step { .. }))
}

/// What is wrong with a vector, if anything is.
fn judge(kernel: &Data, row: &Row, computed: &Computed) -> Option<String> {
    if let Some(why) = inadmissible(kernel, &row.inputs) {
        return Some(format!("its operands are not admissible: {why}"));
    }
    let mut all: Vec<(String, Vec<BigInt>)> =
        row.outputs.iter().map(|(name, elements)| (name.to_string(), elements.clone())).collect();
    if has_ghosts(kernel) {
        match computed.as_ref()? {
            Ok(computed) => {
                let unknown = |(name, _): &&(String, _)| row.outputs.iter().all(|(known, _)| known != name);
                all.extend(computed.iter().filter(unknown).cloned());
            }
            Err(why) => return Some(why.to_string()),
        }
    }
    violates(kernel, &row.inputs, &all)
}

/// What is wrong with a vector of a program, of which the contract says no value: the interpreter computes it again.
/// Points are compared, not their coordinates, which depend on the plan.
fn program_differs(
    field: &Field,
    layout: &Layout,
    operation: &Operation,
    kernel: &Data,
    row: &Row,
    computed: &Computed,
) -> Option<String> {
    if !is_program(kernel) {
        return None;
    }
    let computed = match computed.as_ref()? {
        Ok(computed) => computed,
        Err(why) => return Some(why.to_string()),
    };
    let outputs = &row.outputs;
    let holds = operation.row().outputs.first().map(|slot| slot.holds)?;
    let ground = kinds::ground(field.spec());
    let modulus = ground.get::<Modulus>().map(|m| &m.value).filter(|_| !operation.is_of_strings());
    let form = Form::modulo(modulus, layout);
    let value = |elements: &dyn Fn(&str) -> Option<Vec<BigInt>>| {
        let number = |claim: &Claim| {
            let digits = claim.output().digits.iter();
            let digit =
                |d: &Digit| Some(d.value(elements(&kernel.array(d.array).name)?.get(d.index as usize)?) << d.weight);
            Some(form.element(&digits.map(digit).sum::<Option<BigInt>>()?.to_biguint()?))
        };
        let numbers = kernel.contract.claims.iter().map(number).collect::<Option<Vec<_>>>()?;
        kinds::result(field.spec(), holds, &numbers)
    };
    let known = |name: &str| outputs.iter().find(|(n, _)| *n == name).map(|(_, elements)| elements.clone());
    let again = |name: &str| computed.iter().find(|(n, _)| n == name).map(|(_, elements)| elements.clone());
    let same = |name: &str| known(name) == again(name);
    let differs = match holds {
        Holds::Element | Holds::Part(_) => {
            let flags = outputs.iter().filter(|(name, _)| *name == "valid").all(|(name, _)| same(name));
            // Operands at random are no points, and what a plan makes of them is its own.
            value(&known) != value(&again) || !flags
        }
        _ => !outputs.iter().all(|(name, _)| same(name)),
    };
    differs.then(|| "the interpreter computes something else".into())
}

/// What a compiler takes: the absolute paths of these files of a package, and of its functions in C, on arrays and in assembly where they are files of their own; the mathematical library.
pub(crate) fn sources(folder: &Path, files: &[&str], prefix: &str) -> Result<Vec<std::ffi::OsString>, Error> {
    let here = std::path::absolute(folder).map_err(|e| Error::io(format!("find `{}`", folder.display()), e))?;
    // A package has the first of these, that and others, or, as a header, none.
    let assembly = BACKENDS.iter().filter_map(|entry| Some(format!("_{}.S", entry.package?.target.suffix)));
    let in_c = [".c", "_arrays.c"].map(str::to_string);
    let beside = in_c.into_iter().chain(assembly).map(|end| here.join(format!("{prefix}{end}")));
    let beside = beside.filter(|file| file.is_file());
    let all = files.iter().map(|file| here.join(file)).chain(beside).map(Into::into);
    // A multiply-add of doubles is a function of that library where the processor has none.
    Ok(all.chain(["-lm".into()]).collect())
}

/// Compiles the package's test in a folder of its own and runs it.
fn run_test(folder: &Path, prefix: &str, compiler: &Compiler, more: &[&str]) -> Result<TestRun, Error> {
    let build = tempfile::Builder::new()
        .prefix("evariste-check-")
        .tempdir()
        .map_err(|e| Error::io("make a temporary folder", e))?;
    let flags: Vec<&str> = ["-std=c99", "-Wall", "-Wextra", "-O2"].iter().chain(more).copied().collect();
    let program = build.path().join("run_test");
    let mut arguments: Vec<std::ffi::OsString> = flags.iter().map(Into::into).collect();
    arguments.extend(["-o".into(), program.clone().into_os_string()]);
    arguments.extend(sources(folder, &["test.c"], prefix)?);
    let result = |passed, output: String| {
        Ok(TestRun { compiler: compiler.version.clone(), flags: flags.join(" "), passed, output })
    };
    let warnings = match compiler.run(&arguments, build.path()) {
        Ok(warnings) => warnings,
        Err(error) => return result(false, error.to_string()),
    };
    if let Some(first) = warnings.lines().next() {
        return result(false, format!("it compiles with warnings: {first}"));
    }
    let run = Process::new(&program).current_dir(build.path()).stdin(Stdio::null()).output();
    let run = run.map_err(|e| Error::io("run the package's test", e))?;
    let text = String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr);
    let last = text.lines().last().unwrap_or("it wrote nothing").to_string();
    result(run.status.success(), if run.status.success() { last } else { format!("{last} ({})", run.status) })
}

/// What a tool says of its version, in one line; `None` where it is not there.
fn version(tool: &str) -> Option<String> {
    let says = |argument: &str| {
        let output = Process::new(tool).arg(argument).stdin(Stdio::null()).output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_string);
        text.filter(|_| output.status.success())
    };
    says("--version").or_else(|| says("version"))
}

/// Runs the test of a package in a language that is not C, on a copy of its files; `None` where a tool is missing.
fn run_in(folder: &Path, language: &Language) -> Result<Option<TestRun>, Error> {
    let versions: Option<Vec<String>> = language.tools.iter().map(|tool| version(tool)).collect();
    let (Some(versions), Some((program, arguments))) = (versions, language.test.split_first()) else { return Ok(None) };
    let build = tempfile::Builder::new()
        .prefix("evariste-check-")
        .tempdir()
        .map_err(|e| Error::io("make a temporary folder", e))?;
    let read = |e| Error::io(format!("read `{}`", folder.display()), e);
    for entry in std::fs::read_dir(folder).map_err(read)? {
        let entry = entry.map_err(read)?;
        let info = entry.metadata().map_err(read)?;
        if info.is_file() && info.len() <= LONGEST {
            std::fs::copy(entry.path(), build.path().join(entry.file_name()))
                .map_err(|e| Error::io("copy the package", e))?;
        }
    }
    let run = Process::new(program).args(arguments).current_dir(build.path()).stdin(Stdio::null()).output();
    let run = run.map_err(|e| Error::io("run the package's test", e))?;
    let said = String::from_utf8_lossy(&run.stdout);
    let counts = said.lines().rev().find(|line| line.ends_with(" failures")).map(str::to_string);
    let errors = String::from_utf8_lossy(&run.stderr);
    let last = |text: &str| text.lines().last().map(str::to_string);
    let told = counts.or_else(|| last(&errors)).or_else(|| last(&said)).unwrap_or("it wrote nothing".into());
    Ok(Some(TestRun {
        compiler: versions.last().cloned().unwrap_or_default(),
        flags: language.test.join(" "),
        passed: run.status.success() && told.ends_with(" 0 failures"),
        output: if run.status.success() { told } else { format!("{told} ({})", run.status) },
    }))
}
