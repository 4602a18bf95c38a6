//! `is_zero` and `equal` in Java, beside the kernels of elements that have several forms: of their canonical forms, of
//! which all words are looked at. They are tested at every form of 0 and 1, not proved.

use evariste_ir::ArrayKind;

use super::names::class_name;
use crate::package::Content;

/// Their names and operands.
const TESTS: [(&str, &[&str], &str); 2] = [("is_zero", &["a"], "a = 0"), ("equal", &["a", "b"], "a = b")];

/// Words of a canonical form.
fn words_of_form(content: &Content) -> Option<u32> {
    let (_, kernel) = content.kernels.iter().find(|(name, _)| *name == "canonical")?;
    let form = kernel.visible().find(|a| kernel.array(*a).kind == ArrayKind::Output)?;
    Some(kernel.array(form).len)
}

/// Those that are not kernels.
fn made<'a>(content: &'a Content) -> impl Iterator<Item = (&'static str, &'static [&'static str], &'static str)> + 'a {
    TESTS.into_iter().filter(|(name, ..)| content.through_canonical(name))
}

/// The methods.
pub fn definitions(content: &Content) -> String {
    let (prefix, Some(length)) = (content.prefix, words_of_form(content)) else { return String::new() };
    let method = |(name, operands, says): (&str, &[&str], &str)| {
        let parameters: String = operands.iter().map(|operand| format!(", long[] {operand}")).collect();
        let forms: String = operands
            .iter()
            .map(|operand| {
                format!(
                    "        long[] {operand}_form = new long[{length}];\n        {prefix}_canonical({operand}_form, {operand});\n"
                )
            })
            .collect();
        let words: Vec<String> = operands.iter().map(|operand| format!("{operand}_form[i]")).collect();
        format!(
            "
    /** {name}: out = 1 when {says} (mod m), else 0; by {prefix}_canonical. */
    public static void {prefix}_{name}(long[] out{parameters}) {{
        length(out.length, 1, \"out\");
{forms}        long all = 0;
        for (int i = 0; i < {length}; i++) {{
            all |= {};
        }}
        out[0] = (all | -all) >>> 63 ^ 1;
    }}
",
            words.join(" ^ ")
        )
    };
    made(content).map(method).collect()
}

/// For the test: its method, and the call of it.
pub fn test(content: &Content) -> (String, &'static str) {
    let Some(elements) = content.elements else { return Default::default() };
    let (class, prefix) = (class_name(content.prefix), content.prefix);
    let forms: Vec<(u32, String)> = [0, 1]
        .into_iter()
        .flat_map(|x| elements.forms(x).into_iter().map(move |form| (x, form)))
        .map(|(x, form)| {
            let words: Vec<String> = elements.digits(&form).iter().map(|word| format!("{word:x}")).collect();
            (x, format!("            \"{}\"", words.join(" ")))
        })
        .collect();
    let calls: String = made(content)
        .map(|(name, operands, _)| match operands {
            [_] => format!(
                "            {class}.{prefix}_{name}(got, forms[i]);\n            expect(\"{name}\", i, got[0] == (values[i] == 0 ? 1 : 0));\n"
            ),
            _ => format!(
                "            for (int j = 0; j < forms.length; j++) {{\n                {class}.{prefix}_{name}(got, forms[i], forms[j]);\n                expect(\"{name}\", i, got[0] == (values[i] == values[j] ? 1 : 0));\n            }}\n"
            ),
        })
        .collect();
    if calls.is_empty() {
        return Default::default();
    }
    let rows: Vec<&str> = forms.iter().map(|(_, row)| row.as_str()).collect();
    let values: Vec<String> = forms.iter().map(|(x, _)| x.to_string()).collect();
    let method = format!(
        "
    /** Every form of 0 and of 1 beside every other. */
    private static void test_forms() {{
        long[][] forms = {class}Answers.longs(
{});
        int[] values = {{{}}};
        long[] got = new long[1];
        for (int i = 0; i < forms.length; i++) {{
{calls}        }}
    }}
",
        rows.join(",\n"),
        values.join(", ")
    );
    (method, "        test_forms();\n")
}

/// For the readme.
pub fn readme(content: &Content) -> String {
    let prefix = content.prefix;
    let signature = |(name, operands, _): (&str, &[&str], &str)| {
        let parameters: String = operands.iter().map(|operand| format!(", long[] {operand}")).collect();
        format!("static void {prefix}_{name}(long[] out{parameters})\n")
    };
    let all: String = made(content).map(signature).collect();
    if all.is_empty() {
        return all;
    }
    format!(
        "\n## Zero and equality\n\nElements have several forms here. These look at the canonical ones, and write 1 or 0; they are tested at every form of 0 and 1, not proved.\n\n```java\n{all}```\n"
    )
}
