//! Code made where it is used: a module of Rust that a build script writes into `OUT_DIR`.

use std::io::Write;
use std::path::{Path, PathBuf};

use evariste_emit::{File, language};
use evariste_tune::choose::Wish;
use evariste_tune::package::{Package, Request};

use crate::error::Error;
use crate::field::Field;

/// What a build script asks for; made by [`build`].
#[derive(Clone, Debug)]
pub struct Build {
    field: String,
    layout: Option<String>,
    folder: Option<PathBuf>,
    request: Request,
}

/// The arithmetic of a field as a module of Rust, for a build script. The module is called as the field is, and the file
/// like the module.
///
/// The same call gives the same text on every machine: nothing is measured, nothing remembered is read, and nothing is
/// fetched. Each kernel is proved before it is printed, in a second or two for a common field; the build script need not
/// run again, and says so to Cargo.
///
/// ```no_run
/// // build.rs
/// fn main() -> Result<(), evariste::Error> {
///     evariste::build("p256").ops(["mul", "square", "add", "sub"]).emit()?;
///     Ok(())
/// }
/// ```
///
/// The crate takes it by `include!(concat!(env!("OUT_DIR"), "/p256.rs"));`, and then has a module `p256`.
pub fn build(field: &str) -> Build {
    let request = Request { language: "rust".into(), module: true, ..Request::default() };
    Build { field: field.into(), layout: None, folder: None, request }
}

impl Build {
    /// These operations alone, not all that the layout has.
    pub fn ops<S: Into<String>>(mut self, operations: impl IntoIterator<Item = S>) -> Build {
        self.request.operations = operations.into_iter().map(Into::into).collect();
        self
    }

    /// The layout of that name, not the one of the least estimate whose elements are canonical.
    pub fn layout(mut self, name: &str) -> Build {
        self.layout = Some(name.into());
        self
    }

    /// With these faces: what other libraries take the field by (`evariste list languages`). Your crate names the
    /// libraries in its `Cargo.toml`.
    pub fn faces<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Build {
        self.request.faces = names.into_iter().map(Into::into).collect();
        self
    }

    /// The name of the module and of its file, and what names of functions begin with.
    pub fn prefix(mut self, name: &str) -> Build {
        self.request.prefix = name.into();
        self
    }

    /// The folder to write into, not the one that Cargo names.
    pub fn out_dir(mut self, folder: impl AsRef<Path>) -> Build {
        self.folder = Some(folder.as_ref().into());
        self
    }

    /// The name of the module's file and its text.
    ///
    /// # Errors
    /// A description, a layout, an operation or a face that is not there; a kernel that is not proved.
    ///
    /// ```
    /// let (name, text) = evariste::build("2^61 - 1").ops(["mul", "add"]).text()?;
    /// assert_eq!(name, "mersenne61.rs");
    /// assert!(text.contains("pub const fn mersenne61_mul("));
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn text(&self) -> Result<(String, String), Error> {
        let file = self.package()?.files.into_iter().next();
        Ok(file.map(|file| (file.path, file.text)).unwrap_or_default())
    }

    fn package(&self) -> Result<Package, Error> {
        let field = Field::parse(&self.field)?;
        let row = language(&self.request.language)?;
        let (word, machine) = (row.machine.map(|m| m.word), row.counted_as());
        let wish = Wish { canonical: true, word, machine, ..Wish::default() };
        let chosen = field.choose_for(self.layout.as_deref(), None, wish)?;
        let mut request = self.request.clone();
        request.command_line = format!("evariste::build({:?})", self.field);
        let calls = [("ops", &request.operations), ("faces", &request.faces)];
        for (name, list) in calls.into_iter().filter(|(_, list)| !list.is_empty()) {
            request.command_line += &format!(".{name}({list:?})");
        }
        request.command_line += &format!(".layout({:?})", chosen.layout.name);
        field.package(&chosen, &request, |_, _| ())
    }

    /// Writes the module, whole or not at all, and tells Cargo that only the build script decides it; gives the path.
    ///
    /// # Errors
    /// As [`Build::text`]; no `OUT_DIR`, or a folder that cannot be written to.
    ///
    /// ```
    /// let folder = std::env::temp_dir();
    /// let path = evariste::build("babybear").ops(["mul"]).prefix("doc_field").out_dir(&folder).emit()?;
    /// assert_eq!(path, folder.join("doc_field.rs"));
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn emit(&self) -> Result<PathBuf, Error> {
        let folder = self.folder.clone().or_else(|| std::env::var_os("OUT_DIR").map(PathBuf::from));
        let folder = folder.ok_or(Error::NoOutDir)?;
        let package = self.package()?;
        let mut path = folder.clone();
        for File { path: name, text } in &package.files {
            path = folder.join(name);
            let written = || {
                let mut file = tempfile::NamedTempFile::new_in(&folder)?;
                file.write_all(text.as_bytes())?;
                file.persist(&path).map_err(|e| e.error)
            };
            written().map_err(|source| Error::Unwritten { path: path.display().to_string(), source })?;
        }
        package.notes.iter().for_each(|note| println!("cargo::warning={note}"));
        println!("cargo::rerun-if-changed=build.rs");
        Ok(path)
    }
}
