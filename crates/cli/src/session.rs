//! What several commands need: the field, the compiler, what is remembered, and lines that tell of what is missing.

use std::path::Path;
use std::sync::Arc;

use evariste::builder::cores::{self, InUse, Origin};
use evariste::builder::{Chosen, Schedules, Wish};
use evariste::{Compiler, Error, Field, Machine, Memory, Ranking, Stop};

use crate::failure::{Failure, warn};
use crate::progress::Bars;

/// One run of the command.
pub struct Session;

impl Session {
    /// A line on standard error for what is missing or unusual, whatever form the answer has.
    pub fn note(&self, line: &str) {
        warn(&format!("note: {line}"));
    }

    /// The field of a description.
    pub fn field(&self, text: &str) -> Result<Field, Failure> {
        Ok(Field::parse(text)?)
    }

    /// The same, where there are kernels for it.
    pub fn field_with_kernels(&self, text: &str) -> Result<Field, Failure> {
        let field = self.field(text)?;
        field.with_kernels()?;
        Ok(field)
    }

    /// The compiler, or `None` after a line that says why there is none and what that means.
    pub fn compiler(&self, consequence: &str) -> Option<Compiler> {
        Compiler::find()
            .inspect_err(|error| self.note(&format!("{}; {consequence}", first_line(&error.to_string()))))
            .ok()
    }

    /// The memory of this machine and compiler; `None` where there is no home folder.
    pub fn memory(&self, compiler: Option<&Compiler>) -> Option<Memory> {
        Some(Memory::new(&Memory::default_folder()?, &Machine::detect(), compiler))
    }

    /// What instructions cost on this core, by the table that fits it best or that was asked for.
    pub fn core(&self) -> Result<InUse, Failure> {
        Ok(cores::found(Memory::default_folder().as_deref()).map_err(Error::from)?)
    }

    /// The same, measured now and kept where no table fits. What keeps it from being measured is told of, and the nearest
    /// table is used.
    pub fn measured_core(&self, stop: &Stop) -> Result<InUse, Failure> {
        let found = self.core()?;
        found.refused.iter().for_each(|why| self.note(why));
        if found.origin != Origin::Nearest {
            return Ok(found);
        }
        self.note("no table of costs fits this core; measuring one takes some seconds");
        let bars = Bars::new();
        let measured = cores::measure(&Machine::detect(), &mut |done| {
            bars.set("measuring", (100.0 * done) as usize, 100);
            !stop.is_asked()
        });
        drop(bars);
        let folder = Memory::default_folder();
        let kept = measured.and_then(|probed| {
            let path = folder.as_deref().map(|folder| cores::keep(folder, &probed.core)).transpose()?;
            Ok(InUse {
                distance: 0.0,
                origin: Origin::Measured(path.unwrap_or_default()),
                core: Arc::new(probed.core),
                refused: Vec::new(),
            })
        });
        Ok(kept.unwrap_or_else(|why| {
            self.note(&format!("{}; bounds are those of {}", first_line(&why.to_string()), found.core.name));
            found
        }))
    }

    /// What is remembered of a field. A file that cannot be understood is told of, left in place, and counts as
    /// nothing.
    pub fn recall(&self, field: &Field, compiler: Option<&Compiler>) -> Option<Ranking> {
        let memory = self.memory(compiler)?;
        memory.recall(field).unwrap_or_else(|error: Error| {
            warn(&format!("warning: {error}"));
            None
        })
    }

    /// The schedules that ship and those that were kept here, and those of a file. Lines that cannot be understood are
    /// told of and count as nothing.
    pub fn schedules(&self, file: Option<&Path>) -> Result<Schedules, Failure> {
        let mut all = Schedules::shipped();
        let kept = self.memory(None).map(|memory| memory.schedules());
        match kept.transpose() {
            Ok(kept) => all = all.with(self.told("the schedules kept here", kept.unwrap_or_default())),
            Err(error) => warn(&format!("warning: {error}")),
        }
        match file {
            Some(file) => Ok(all.with(self.file_schedules(file)?)),
            None => Ok(all),
        }
    }

    /// The schedules of a file. Lines that cannot be understood are told of.
    pub fn file_schedules(&self, file: &Path) -> Result<Schedules, Failure> {
        Ok(self.told(&file.display().to_string(), Schedules::load(file)?))
    }

    fn told(&self, source: &str, (schedules, ignored): (Schedules, Vec<String>)) -> Schedules {
        ignored.iter().for_each(|why| self.note(&format!("{source}: {why}")));
        schedules
    }

    /// The layout and plans to work with: those asked for, else the remembered winners, else those of the least estimate;
    /// a layout that is not named has to be what is wished.
    pub fn choose_for(
        &self,
        field: &Field,
        layout: Option<&str>,
        compiler: Option<&Compiler>,
        wish: Wish,
    ) -> Result<Chosen, Failure> {
        Ok(field.choose_for(layout, self.recall(field, compiler), wish)?)
    }
}

/// The first line of a text.
pub fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("")
}
