//! z3, or cvc5 where there is no z3.

use std::io::Write;
use std::process::{Command, Stdio};

/// Seconds that a question may take.
const SECONDS: u32 = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Satisfiable,
    Unsatisfiable,
    /// The solver gave up.
    Open,
}

/// A solver of this machine.
pub struct Solver {
    program: &'static str,
    options: Vec<String>,
}

impl Solver {
    pub fn find() -> Option<Solver> {
        let solvers = [
            ("z3", vec!["-in".to_string(), format!("-T:{SECONDS}")]),
            ("cvc5", vec!["--lang=smt2".to_string(), format!("--tlimit={}", 1000 * SECONDS)]),
        ];
        let runs = |program: &str| {
            Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
        };
        solvers.into_iter().find(|s| runs(s.0)).map(|(program, options)| Solver { program, options })
    }

    pub fn ask(&self, script: &str) -> Answer {
        let mut child = Command::new(self.program)
            .args(&self.options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("{}: {e}", self.program));
        // A solver whose time is up reads no further.
        if let Err(e) = child.stdin.take().expect("a pipe").write_all(script.as_bytes()) {
            assert_eq!(e.kind(), std::io::ErrorKind::BrokenPipe, "{}: {e}", self.program);
        }
        let output = child.wait_with_output().expect("the solver ends");
        let text = String::from_utf8_lossy(&output.stdout);
        match text.trim() {
            "sat" => Answer::Satisfiable,
            "unsat" => Answer::Unsatisfiable,
            "unknown" | "timeout" | "" => Answer::Open,
            other => panic!("{}: {other}\n{script}", self.program),
        }
    }
}
