//! What this machine is and what it has: shown by `doctor`, and part of the key under which measurements are
//! remembered.

use crate::compiler::Compiler;
use crate::processor::features;

/// This machine.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The processor's name as it calls itself, or the architecture when it does not say.
    pub cpu: String,
    /// Vendor, family, model and stepping, as the system gives them; empty where it does not.
    pub model: String,
    /// Instruction-set extensions that kernels may use, present here, in alphabetical order.
    pub features: Vec<String>,
    /// Cores that this process may use.
    pub cores: usize,
    /// Operating system and architecture.
    pub system: String,
}

impl Machine {
    /// What the system says of this machine; nothing is measured.
    pub fn detect() -> Self {
        let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let field = |name| cpuinfo_field(&information, name);
        let model = ["vendor_id", "cpu family", "model", "stepping", "CPU implementer", "CPU part"];
        Machine {
            cpu: field("model name").or_else(|| field("Model")).unwrap_or_else(|| std::env::consts::ARCH.to_string()),
            model: model.into_iter().filter_map(field).collect::<Vec<_>>().join(" "),
            features: features().into_iter().chain(masked()).collect(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }

    /// What a measurement depends on, as one line: system, processor, extensions and this compiler. Two machines with
    /// the same line rank kernels alike.
    pub fn identity(&self, compiler: Option<&Compiler>) -> String {
        let compiler = compiler.map_or("no C compiler".to_string(), |c| {
            c.arguments.iter().fold(c.version.clone(), |line, word| format!("{line} {word}"))
        });
        format!("{}; {} ({}); {}; {compiler}", self.system, self.cpu, self.model, self.features.join(" "))
    }
}

/// What `EVARISTE_WITHOUT` asks machine code to do without, as a feature of its own: `without:avx512`.
fn masked() -> Option<String> {
    std::env::var("EVARISTE_WITHOUT").ok().filter(|names| !names.is_empty()).map(|names| format!("without:{names}"))
}

/// The value of the first line `name : value`.
fn cpuinfo_field(information: &str, name: &str) -> Option<String> {
    information.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name && !value.trim().is_empty()).then(|| value.trim().to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_the_system_s_description() {
        let text = "processor\t: 0\nmodel\t\t: 143\nmodel name\t: A: B\nempty\t:\n";
        assert_eq!(cpuinfo_field(text, "model name").as_deref(), Some("A: B"));
        assert_eq!(cpuinfo_field(text, "model").as_deref(), Some("143"));
        assert_eq!(cpuinfo_field(text, "empty"), None);
        assert_eq!(cpuinfo_field(text, "absent"), None);
    }

    #[test]
    fn the_machine_and_its_identity() {
        let machine = Machine::detect();
        assert!(machine.cores >= 1 && !machine.cpu.is_empty());
        assert!(machine.features.is_sorted());
        let compiler = |version: &str| Compiler {
            name: "cc".into(),
            path: "cc".into(),
            arguments: vec!["-m64".into()],
            family: crate::Family::Other,
            version: version.into(),
        };
        let one = machine.identity(Some(&compiler("cc 1")));
        assert_ne!(one, machine.identity(Some(&compiler("cc 2"))));
        assert!(one.starts_with(std::env::consts::OS) && one.ends_with("cc 1 -m64"), "{one}");
    }
}
