//! Known answers, test, makefile.

use evariste_ir::{Array, ArrayKind, Kernel};
use num_bigint::BigInt;

use super::super::words::{placements, rows};
use super::blocks;
use super::class::parameter;
use super::message;
use super::names::{WORDS, class_name};
use super::notation::element_type;
use super::reference;
use super::stream;
use super::tests_of_elements;
use crate::error::EmitError;
use crate::manifest::params;
use crate::package::Content;
use crate::unit::Model;

/// The name of a table.
pub fn table(operation: &str, at: usize, written: bool) -> String {
    format!("{}_{}{at}", operation.to_ascii_uppercase(), if written { "OUT" } else { "IN" })
}

/// `NAMEAnswers.java`: a row is a text, since classes hold few numbers.
pub fn answers(content: &Content) -> Result<String, EmitError> {
    let mut out = format!("\nfinal class {}Answers {{{PARSERS}", class_name(content.prefix));
    for (operation, kernel) in &content.kernels {
        let rows = rows(content, operation, kernel)?;
        for written in [false, true] {
            for (at, a) in params(kernel, written).into_iter().enumerate() {
                let ty = element_type(parameter(kernel, a).bits);
                let row = |words: &Vec<BigInt>| {
                    let words: Vec<String> = words.iter().map(|x| format!("{x:x}")).collect();
                    format!("        \"{}\"", words.join(" "))
                };
                let rows: Vec<String> =
                    rows.iter().map(|r| row(if written { &r.outputs[at] } else { &r.inputs[at] })).collect();
                out += &format!(
                    "\n    static final {ty}[][] {} = {ty}s(\n{});\n",
                    table(operation, at, written),
                    rows.join(",\n")
                );
            }
        }
    }
    Ok(out + "}\n")
}

const PARSERS: &str = "
    static long[][] longs(String... rows) {
        long[][] all = new long[rows.length][];
        for (int r = 0; r < rows.length; r++) {
            String[] words = rows[r].split(\" \");
            all[r] = new long[words.length];
            for (int i = 0; i < words.length; i++) all[r][i] = Long.parseUnsignedLong(words[i], 16);
        }
        return all;
    }

    static byte[][] bytes(String... rows) {
        long[][] all = longs(rows);
        byte[][] out = new byte[all.length][];
        for (int r = 0; r < all.length; r++) {
            out[r] = new byte[all[r].length];
            for (int i = 0; i < all[r].length; i++) out[r][i] = (byte) all[r][i];
        }
        return out;
    }
";

/// `NAMETest.java`.
pub fn test(content: &Content) -> String {
    let class = class_name(content.prefix);
    let mut out = format!(
        "
import java.util.Arrays;

/** Every known answer, plainly and with the result in the place of each operand that it may share; refused lengths. */
public final class {class}Test {{
    private static long checks, failures;

    private static void expect(String what, int row, boolean holds) {{
        checks++;
        if (!holds) {{
            failures++;
            System.out.println(\"FAILED: \" + what + \", vector \" + row);
        }}
    }}
"
    );
    let mut calls = String::new();
    for (operation, kernel) in &content.kernels {
        out += &test_function(content, operation, kernel);
        calls += &format!("        test_{operation}();\n");
    }
    let (more, call) = reference::test(content);
    out += &more;
    let (forms, forms_call) = tests_of_elements::test(content);
    out += &forms;
    let (buffers, buffers_call) = blocks::test(content);
    out += &buffers;
    let (streams, streams_call) = stream::test(content);
    out += &streams;
    let (messages, messages_call) = message::test(content);
    out += &messages;
    out += &format!(
        "
    public static void main(String[] none) {{
{calls}{call}{forms_call}{buffers_call}{streams_call}{messages_call}        System.out.println(checks + \" checks, \" + failures + \" failures\");
        if (failures != 0) System.exit(1);
    }}
}}
"
    );
    out
}

fn test_function(content: &Content, operation: &str, kernel: &Kernel) -> String {
    let class = class_name(content.prefix);
    let answers = format!("{class}Answers.");
    let (read, written) = (params(kernel, false), params(kernel, true));
    let of = |all: &[Array], a: Array| all.iter().position(|b| *b == a).unwrap_or(0);
    let given = |a: Array| format!("{answers}{}[row]", table(operation, of(&read, a), false));
    let known = |a: Array| format!("{answers}{}[row]", table(operation, of(&written, a), true));
    let mut out = format!(
        "\n    private static void test_{operation}() {{\n        for (int row = 0; row < {answers}{}.length; row++) {{\n",
        table(operation, 0, true)
    );
    for placement in placements(kernel) {
        let place = |a: Array| placement.filter(|(w, _)| *w == a).map_or(a, |(_, r)| r);
        let name = |a: Array| WORDS.name(&kernel.array(place(a)).name);
        out += "            {\n";
        for a in kernel.visible().filter(|a| place(*a) == *a) {
            let held = parameter(kernel, a);
            let ty = element_type(held.bits);
            out += &match kernel.array(a).kind {
                ArrayKind::Output => {
                    format!(
                        "                {ty}[] {0} = new {ty}[{1}];\n                Arrays.fill({0}, ({ty}) 0x5a);\n",
                        name(a),
                        held.len
                    )
                }
                _ => format!("                {ty}[] {} = {}.clone();\n", name(a), given(a)),
            };
        }
        let arguments: Vec<String> = kernel.visible().map(name).collect();
        out += &format!("                {class}.{}_{operation}({});\n", content.prefix, arguments.join(", "));
        for a in &written {
            out +=
                &format!("                expect(\"{operation}\", row, Arrays.equals({}, {}));\n", name(*a), known(*a));
        }
        for a in read.iter().filter(|a| kernel.array(**a).kind == ArrayKind::Input) {
            if placement.is_none_or(|(_, r)| r != *a) {
                out += &format!(
                    "                expect(\"{operation}: what is read\", row, Arrays.equals({}, {}));\n",
                    name(*a),
                    given(*a)
                );
            }
        }
        out += "            }\n";
    }
    out + "        }\n" + &refusal(content, operation, kernel)
}

/// The end of a test: an array of another length is refused.
fn refusal(content: &Content, operation: &str, kernel: &Kernel) -> String {
    let class = class_name(content.prefix);
    let arguments: Vec<String> = kernel
        .visible()
        .enumerate()
        .map(|(i, a)| {
            let held = parameter(kernel, a);
            format!("new {}[{}]", element_type(held.bits), if i == 0 { held.len + 1 } else { held.len })
        })
        .collect();
    format!(
        "        try {{
            {class}.{}_{operation}({});
            expect(\"{operation}: a length\", 0, false);
        }} catch (IllegalArgumentException refused) {{
            expect(\"{operation}: a length\", 0, refused.getMessage().contains(\"are needed\"));
        }}
    }}
",
        content.prefix,
        arguments.join(", ")
    )
}

/// `Makefile`.
pub fn makefile(content: &Content) -> String {
    let class = class_name(content.prefix);
    format!(
        "JAVAC ?= javac\nJAVA ?= java\nJAVACFLAGS = --release 17 -Xlint:all -Werror\n\nall: build/{class}.class\n\nbuild/{class}.class: $(wildcard *.java)\n\t$(JAVAC) $(JAVACFLAGS) -d build *.java\n\ntest: build/{class}.class\n\t$(JAVA) -ea -cp build {class}Test\n\nbench: build/{class}.class\n\t$(JAVA) -cp build {class}Bench\n\nclean:\n\trm -rf build\n\n.PHONY: all test bench clean\n"
    )
}

/// The readme's paragraphs on use.
pub fn usage(content: &Content) -> String {
    let class = class_name(content.prefix);
    let mut out = format!(
        "Add `{class}.java` to a program: one final class, Java 17 or later, nothing but `java.lang`. Its methods take arrays, results first: words lowest first in `long[]` (those of fewer than 64 bits with zeros above), bytes in `byte[]`. An array of another length than a method needs is refused by an `IllegalArgumentException` before anything is written. Where a result must not lie on an operand, the method takes a copy of the operand itself.\n\n\
         `make test` runs every known answer, `make bench` measures.\n\n\
         The methods branch on no data and use no index that depends on data, unless their name says `vartime`; what a virtual machine makes of them is not in our hands. HotSpot compiles no method of more than 8000 bytes of code (it says so for others with `-XX:+PrintCompilation`), so that long functions are written in parts.\n"
    );
    if content.kernels.iter().any(|(_, kernel)| Model::of(kernel) == Model::Lanes) {
        out += "\nBit-sliced methods compute 64 elements at once: bit k of every word belongs to element k.\n";
    }
    out
}
