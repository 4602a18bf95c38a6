//! Functions with a status: above a kernel that says in an array of one word whether it has results stands a function that
//! gives this word, so that a caller who looks at nothing is warned by the compiler.
//!
//! Which kernels these are says the package ([`Status`](crate::package::Status)): what a word is for, a contract does not
//! know.

use evariste_ir::{Array, ArrayKind};

use crate::manifest::params;
use crate::package::{Content, Flagged, Status};
use crate::unit::Model;

use super::elements;
use super::names;
use super::test_program::first_row;
use super::types::c_type;
use super::vectors::{rows, table_name};

/// What a function with a status is called by.
pub const STATUS: &str = "
/* A status that must be looked at. */
#if defined(__GNUC__)
#define EVARISTE_STATUS __attribute__((warn_unused_result)) int
#else
#define EVARISTE_STATUS int
#endif
";

impl Flagged<'_> {
    /// The parameters of the function, in order.
    fn parameters(&self) -> Vec<Array> {
        self.kernel.visible().filter(|a| *a != self.flag).collect()
    }

    fn name(&self, a: Array) -> String {
        names::array(&self.kernel.array(a).name)
    }

    /// The name and the parameters, as the header has them: those of the kernel's function without the word.
    fn signature(&self, content: &Content) -> String {
        let typed = elements::typed_signature(content, &self.status.kernel, self.kernel);
        let inside = typed.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
        let visible = self.kernel.visible();
        let kept = inside.split(", ").zip(visible).filter(|(_, a)| *a != self.flag).map(|(text, _)| text);
        format!("{}_{}({})", content.prefix, self.status.function, kept.collect::<Vec<_>>().join(", "))
    }

    /// A local for each array, and the word.
    fn locals(&self) -> String {
        let local = |a: Array| {
            let info = self.kernel.array(a);
            format!("  {} {}[{}];\n", c_type(Model::of(self.kernel), info.ty), self.name(a), info.len)
        };
        self.parameters().into_iter().map(local).collect()
    }

    /// A call on arrays of the parameters' names.
    fn call(&self, content: &Content) -> String {
        let arguments: Vec<String> = self.parameters().into_iter().map(|a| self.name(a)).collect();
        format!("{}_{}({})", content.prefix, self.status.function, arguments.join(", "))
    }

    fn inputs(&self) -> Vec<Array> {
        params(self.kernel, false)
    }

    fn outputs(&self) -> Vec<Array> {
        params(self.kernel, true).into_iter().filter(|a| *a != self.flag).collect()
    }
}

/// What a kernel's own function says of the one above it.
pub fn note(content: &Content, operation: &str) -> Option<String> {
    let made = content.flagged().find(|made| made.status.kernel == operation)?;
    let (prefix, flag) = (content.prefix, made.name(made.flag));
    Some(format!(
        "Nobody is warned who overlooks {flag}: take {prefix}_{}, which gives it as its status.",
        made.status.function
    ))
}

/// For the header.
pub fn declarations(content: &Content) -> String {
    let declaration = |made: Flagged| {
        format!(
            "\n/* {0}_{1}: as {0}_{2}. Gives 1; where there is no result it gives 0, and writes what {0}_{2} writes then. */\n{3}EVARISTE_STATUS {4};\n",
            content.prefix,
            made.status.function,
            made.status.kernel,
            content.linkage(),
            made.signature(content)
        )
    };
    content.flagged().map(declaration).collect()
}

/// For the file of functions.
pub fn definitions(content: &Content) -> String {
    let definition = |made: Flagged| {
        let visible: Vec<String> = made.kernel.visible().map(|a| made.name(a)).collect();
        let (info, flag) = (made.kernel.array(made.flag), made.name(made.flag));
        format!(
            "\n{}int {} {{\n  {} {flag}[1];\n  {}_{}({});\n  return (int){flag}[0];\n}}\n",
            content.linkage(),
            made.signature(content),
            c_type(Model::of(made.kernel), info.ty),
            content.prefix,
            made.status.kernel,
            visible.join(", ")
        )
    };
    content.flagged().map(definition).collect()
}

/// For the test: a function for each, and the lines that call them.
pub fn tests(content: &Content) -> (String, String) {
    let test = |made: &Flagged| {
        let Status { function, kernel: operation, .. } = made.status;
        let table =
            |a: Array, written: bool| format!("{}[row]", table_name(content, operation, made.kernel, a, written));
        let mut out = format!(
            "\nstatic void test_{function}(void) {{\n{}  int status, wanted;\n  unsigned row;\n",
            made.locals()
        );
        out += &format!("  for (row = 0; row < {}; row++) {{\n", rows(content, operation));
        for a in made.parameters() {
            let name = made.name(a);
            out += &match made.kernel.array(a).kind {
                ArrayKind::Output => format!("    memset({name}, 0xa5, sizeof {name});\n"),
                _ => format!("    memcpy({name}, {}, sizeof {name});\n", table(a, false)),
            };
        }
        out += &format!("    status = {};\n    wanted = (int){}[0];\n", made.call(content), table(made.flag, true));
        out += &format!("    expect(\"{function}: status\", row, &status, &wanted, sizeof status);\n");
        for a in made.outputs() {
            let name = made.name(a);
            out += &format!("    expect(\"{function}\", row, {name}, {}, sizeof {name});\n", table(a, true));
        }
        out + "  }\n}\n"
    };
    let calls = content.flagged().map(|made| format!("  test_{}();\n", made.status.function)).collect();
    (content.flagged().map(|made| test(&made)).collect(), calls)
}

/// For `ct.c`: a function for each, and the lines that call them.
pub fn ct(content: &Content) -> (String, String) {
    let run = |made: &Flagged| {
        let function = &made.status.function;
        let mut out = format!("\nstatic void ct_{function}(void) {{\n{}  int status;\n", made.locals());
        out += "  unsigned long before = VALGRIND_COUNT_ERRORS;\n";
        for a in made.inputs() {
            let row = first_row(content, &made.status.kernel, made.kernel, a);
            out += &format!("  memcpy({0}, {row}, sizeof {0});\n", made.name(a));
            out += &format!("  (void)VALGRIND_MAKE_MEM_UNDEFINED({0}, sizeof {0});\n", made.name(a));
        }
        out += &format!("  status = {};\n", made.call(content));
        let arrived = "is_secret(&status, sizeof status)";
        out + &format!("  judge(\"{}_{function}\", VALGRIND_COUNT_ERRORS - before, {arrived});\n}}\n", content.prefix)
    };
    let calls = content.flagged().map(|made| format!("  ct_{}();\n", made.status.function)).collect();
    (content.flagged().map(|made| run(&made)).collect(), calls)
}

/// For the readme.
pub fn readme(content: &Content) -> String {
    let made = declarations(content);
    if made.is_empty() {
        return made;
    }
    format!(
        "\n## Functions with a status\n\nLook at the status: what a failed call writes is no result.\n\n```c{made}```\n"
    )
}
