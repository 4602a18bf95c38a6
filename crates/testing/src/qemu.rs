//! Machine code of AArch64 under `qemu-aarch64`: a small program, made by a cross compiler, that is given bytes and arrays
//! and calls them.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use evariste_codegen::program::Parameter;
use evariste_jit::Code;

/// The cross compiler.
pub const COMPILER: &str = "aarch64-linux-gnu-gcc";
/// The emulator.
pub const EMULATOR: &str = "qemu-aarch64";

/// One call: `arrays` has the elements of each parameter's array, and parameter `i` gets the array of parameter
/// `shared[i]` (its own: `i`).
#[derive(Clone, Debug)]
pub struct Job<'c> {
    /// The function.
    pub code: &'c Code,
    /// Its parameters.
    pub params: &'c [Parameter],
    /// Contents.
    pub arrays: Vec<Vec<u64>>,
    /// Which array each parameter gets.
    pub shared: Vec<usize>,
}

/// What calls them.
#[derive(Debug)]
pub struct Runner {
    folder: PathBuf,
}

impl Drop for Runner {
    fn drop(&mut self) {
        // What is left behind lies in a folder for such things.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The first of these tools that this machine lacks.
pub fn missing(tools: &[&'static str]) -> Option<&'static str> {
    let runs = |tool: &str| {
        let mut command = Command::new(tool);
        command.arg("--version").output().is_ok_and(|output| output.status.success())
    };
    tools.iter().copied().find(|tool| !runs(tool))
}

impl Runner {
    /// `None`: the test is counted as skipped, for want of a tool, which `what` needs.
    ///
    /// # Panics
    /// The compiler refuses the program.
    pub fn new(what: &str) -> Option<Runner> {
        if let Some(tool) = missing(&[COMPILER, EMULATOR]) {
            crate::lacks_tool(what, tool);
            return None;
        }
        let name = format!("evariste-qemu-{}-{:?}", std::process::id(), std::thread::current().id());
        let folder = std::env::temp_dir().join(name.replace(['(', ')'], "-"));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("qemu.c"), include_str!("qemu.c")).expect("the folder is ours");
        let arguments = ["-O1", "-static", "-w", "qemu.c", "-o", "qemu"];
        let output = Command::new(COMPILER).args(arguments).current_dir(&folder).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(Runner { folder })
    }

    /// The arrays after each call, or why there are none: a fault, a register that was not kept, bytes outside of the
    /// arrays that were written.
    ///
    /// # Panics
    /// The emulator fails.
    pub fn run(&self, jobs: &[Job<'_>]) -> Vec<Result<Vec<Vec<u64>>, String>> {
        let mut child = Command::new(EMULATOR)
            .arg(self.folder.join("qemu"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        let input: Vec<u8> = jobs.iter().flat_map(bytes).collect();
        let mut stdin = child.stdin.take().expect("it is piped");
        let writer = std::thread::spawn(move || stdin.write_all(&input));
        let output = child.wait_with_output().expect("it ends");
        writer.join().expect("it ends").expect("all is read");
        assert!(output.status.success(), "{EMULATOR}: {}", output.status);
        let mut rest = output.stdout.as_slice();
        jobs.iter().map(|job| answer(job, &mut rest)).collect()
    }
}

/// A job as the program reads it.
fn bytes(job: &Job<'_>) -> Vec<u8> {
    let mut bytes = (job.code.bytes.len() as u64).to_le_bytes().to_vec();
    bytes.extend(&job.code.bytes);
    bytes.extend((job.params.len() as u64).to_le_bytes());
    for (i, param) in job.params.iter().enumerate() {
        let size = param.element_bytes as usize;
        bytes.extend((job.shared[i] as u64).to_le_bytes());
        bytes.extend(((job.arrays[i].len() * size) as u64).to_le_bytes());
        bytes.extend(job.arrays[i].iter().flat_map(|word| word.to_le_bytes()[..size].to_vec()));
    }
    bytes
}

fn answer(job: &Job<'_>, rest: &mut &[u8]) -> Result<Vec<Vec<u64>>, String> {
    let mut take = |count: usize| {
        let (taken, left) = rest.split_at(count);
        *rest = left;
        taken
    };
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let verdict = word(take(8));
    let mut arrays = Vec::new();
    for (param, before) in job.params.iter().zip(&job.arrays) {
        let size = param.element_bytes as usize;
        arrays.push(take(size * before.len()).chunks(size).map(word).collect());
    }
    match verdict {
        0 => Ok(arrays),
        _ if verdict >> 20 != 0 => Err("bytes outside of the arrays were written".into()),
        1000.. => Err(format!("signal {}", verdict - 1000)),
        lost => Err(format!("{lost} registers were not kept")),
    }
}
