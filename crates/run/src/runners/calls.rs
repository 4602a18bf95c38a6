//! The program around calls that are counted.

use std::fmt::Write as _;

use evariste_emit::{ManifestFunction, ManifestParameter};

/// An argument of a call: an array.
#[derive(Clone, Debug)]
pub struct CallArgument {
    /// The C type of an element: `uint32_t`; or of the whole array, where C has a name for it.
    pub ty: String,
    /// The number of elements, where the type is an element's.
    pub len: Option<usize>,
    /// Its elements before the call, as C constants; nothing of what is only written.
    pub given: Vec<String>,
    /// Its elements after the call; nothing of what is only read.
    pub expected: Vec<String>,
}

impl CallArgument {
    /// Declares it.
    fn declared(&self, name: &str, elements: &[String]) -> String {
        let elements = if elements.is_empty() { "0".to_string() } else { elements.join(", ") };
        let len = self.len.map_or_else(String::new, |len| format!("[{len}]"));
        format!("{} {name}{len} = {{{elements}}};", self.ty)
    }
}

/// A call: a function of the sources, its arguments.
#[derive(Clone, Debug)]
pub struct Call {
    /// The function's name.
    pub symbol: String,
    /// In calling order.
    pub arguments: Vec<CallArgument>,
}

impl Call {
    /// A call of a function of a package on the operands of its last known answer; its types are those of the header's
    /// text. `None`: its arguments are no arrays of known length.
    pub fn of(function: &ManifestFunction, symbol: &str, declarations: &str) -> Option<Call> {
        let declared =
            declarations.lines().find_map(|line| line.strip_prefix(&format!("void {symbol}("))?.strip_suffix(");"))?;
        let types: Vec<&str> = declared.split(", ").collect();
        let vector = function.vectors.last().filter(|_| types.len() == function.parameters.len())?;
        let (mut inputs, mut outputs) = (vector.inputs.iter(), vector.outputs.iter());
        let argument = |(declared, parameter): (&&str, &ManifestParameter)| {
            // Bit-sliced functions compute the same element in each lane.
            let constant = |word: &String| match (parameter.bits, word.as_str()) {
                (1, "0x0") => "0".to_string(),
                (1, _) => "~0ull".to_string(),
                (33.., word) => format!("{word}ull"),
                (_, word) => format!("{word}ul"),
            };
            let mut next = |role: &str| -> Option<Vec<String>> {
                let words = if role == "out" { outputs.next() } else { inputs.next() };
                Some(words?.iter().map(constant).collect())
            };
            let (given, expected) = match parameter.role.as_str() {
                "out" => (Vec::new(), next("out")?),
                "in" => (next("in")?, Vec::new()),
                _ => (next("in")?, next("out")?),
            };
            let plain = declared.strip_prefix("const ").unwrap_or(declared);
            let (ty, name) = plain.split_at(plain.rfind(' ')?);
            let len = name.ends_with(']').then_some(parameter.length as usize);
            (!plain.contains('*')).then(|| CallArgument { ty: ty.to_string(), len, given, expected })
        };
        let arguments = types.iter().zip(&function.parameters).map(argument).collect::<Option<Vec<_>>>()?;
        Some(Call { symbol: symbol.to_string(), arguments })
    }
}

/// The text of a program that makes these calls, each between marks, and ends with the number (from 1) of the first whose
/// answer is wrong. `opening` declares the functions.
pub(super) fn program(opening: &str, mark: &str, calls: &[Call]) -> String {
    let mut text = format!("{mark}\n#include <stddef.h>\n#include <stdint.h>\n{opening}\n");
    let mut main = String::new();
    for (i, call) in calls.iter().enumerate() {
        text += &one(i, call);
        // Writing to a String cannot fail.
        let _ = writeln!(main, "  if (call_{i}() != 0) return {};", (i + 1).min(100));
    }
    text + &format!("\nint main(void) {{\n{main}  return 0;\n}}\n")
}

/// A function that makes one call and says whether its answer is wrong.
fn one(i: usize, call: &Call) -> String {
    let (mut expected, mut declared, mut compared) = (String::new(), String::new(), String::new());
    for (k, argument) in call.arguments.iter().enumerate() {
        let _ = writeln!(declared, "  {}", argument.declared(&format!("a{k}"), &argument.given));
        let len = argument.expected.len();
        if len > 0 {
            let _ = writeln!(expected, "  static const {}", argument.declared(&format!("e{k}"), &argument.expected));
            let _ = writeln!(compared, "  for (i = 0; i < {len}; i++) wrong |= a{k}[i] != e{k}[i];");
        }
    }
    let names: Vec<String> = (0..call.arguments.len()).map(|k| format!("a{k}")).collect();
    // Two marks in a row: what a mark itself takes.
    format!(
        "\nstatic __attribute__((noinline)) int call_{i}(void) {{\n{expected}{declared}  int i, wrong = 0;\n  evariste_mark();\n  evariste_mark();\n  {}({});\n  evariste_mark();\n{compared}  return wrong;\n}}\n",
        call.symbol,
        names.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_stands_between_marks_and_is_judged() {
        let argument = |len, given: &[&str], expected: &[&str]| CallArgument {
            ty: "fe".into(),
            len,
            given: given.iter().map(|x| x.to_string()).collect(),
            expected: expected.iter().map(|x| x.to_string()).collect(),
        };
        let arguments = vec![argument(Some(2), &[], &["3", "4"]), argument(None, &["1", "2"], &[])];
        let text = program("#include \"fe.h\"", "mark", &[Call { symbol: "fe_f".into(), arguments }]);
        for line in [
            "  static const fe e0[2] = {3, 4};",
            "  fe a0[2] = {0};",
            "  fe a1 = {1, 2};",
            "  evariste_mark();\n  evariste_mark();\n  fe_f(a0, a1);\n  evariste_mark();",
            "  for (i = 0; i < 2; i++) wrong |= a0[i] != e0[i];",
            "  if (call_0() != 0) return 1;",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
    }
}
