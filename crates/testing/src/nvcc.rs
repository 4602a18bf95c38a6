//! NVIDIA's compiler, which compiles for a GPU without one.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of wheels below the build folder, where `.ci/run` installs them.
const WHEELS: &str = "cuda-environment";

/// The architectures of GPUs that packages are compiled for, as `sm_NN`: Turing to consumer Blackwell.
pub const ARCHITECTURES: [u32; 10] = [75, 80, 86, 87, 89, 90, 100, 103, 110, 120];

/// The compiler.
#[derive(Clone, Debug)]
pub struct Nvcc {
    /// The program.
    program: PathBuf,
    /// Where its libraries lie, if it does not know.
    libraries: Option<PathBuf>,
}

impl Nvcc {
    /// The one on the path, else that of the wheels in the build folder of the repository whose root this is.
    pub fn find(root: &Path) -> Option<Nvcc> {
        let runs = |program: &Path| Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success());
        let build =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |folder| root.join(folder));
        let wheels = build.join(WHEELS).join("lib");
        let pythons = std::fs::read_dir(wheels).into_iter().flatten().flatten().map(|entry| entry.path());
        let versions = pythons.flat_map(|python| std::fs::read_dir(python.join("site-packages/nvidia")).into_iter());
        let folders = versions.flatten().flatten().map(|entry| entry.path());
        let on_path = Nvcc { program: "nvcc".into(), libraries: None };
        let of_wheels = folders.map(|f| Nvcc { program: f.join("bin/nvcc"), libraries: Some(f.join("lib")) });
        std::iter::once(on_path).chain(of_wheels).find(|nvcc| runs(&nvcc.program))
    }

    /// A command that compiles for these architectures.
    pub fn command(&self, architectures: &[u32]) -> Command {
        let mut command = Command::new(&self.program);
        // `-x cu` would hold for objects too.
        for n in architectures {
            command.arg("-gencode").arg(format!("arch=compute_{n},code=sm_{n}"));
        }
        if let Some(libraries) = &self.libraries {
            command.arg("-L").arg(libraries);
        }
        command
    }
}
