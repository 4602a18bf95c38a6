//! Functions that have a result or none: above a kernel that says in an array of one word whether it has results stands a
//! function that gives `Some` of them or `None`, so that no caller takes what is none for one.

use evariste_ir::Array;

use super::machine::fastest;
use super::names::{WORDS, array_type, parameter, results};
use crate::manifest::params;
use crate::package::{Content, Flagged, Status};

/// What the kernel gives, with the place of each: all, and those that are results.
pub fn outputs(made: &Flagged) -> [Vec<(usize, Array)>; 2] {
    let all: Vec<(usize, Array)> = params(made.kernel, true).into_iter().enumerate().collect();
    let results = all.iter().copied().filter(|(_, a)| *a != made.flag).collect();
    [all, results]
}

fn definition(made: &Flagged, content: &Content) -> String {
    let Status { function, kernel: operation, .. } = made.status;
    let held = |a: &Array| array_type(&parameter(made.kernel, *a));
    let inputs = params(made.kernel, false);
    let given: Vec<String> = inputs.iter().map(|a| format!("{}: &{}", name(made, *a), held(a))).collect();
    let [all, of_results] = outputs(made);
    let names = |these: &[(usize, Array)]| {
        results(
            &these
                .iter()
                .map(|(at, a)| if *a == made.flag { "is".into() } else { format!("out{at}") })
                .collect::<Vec<_>>(),
        )
    };
    let types = results(&of_results.iter().map(|(_, a)| held(a)).collect::<Vec<_>>());
    let called = fastest(content, operation);
    // (What takes machine code is not `const`.)
    let constant = if called.ends_with(super::machine::FAST) { "" } else { "const " };
    let inputs: Vec<String> = inputs.iter().map(|a| name(made, *a)).collect();
    format!(
        "\n/// What [`{0}_{operation}`] gives where its word says that it is a result.\n#[must_use = \"nothing else says whether there is a result\"]\n#[inline]\npub {constant}fn {0}_{function}({1}) -> Option<{types}> {{\n    let {2} = {called}({3});\n    if is[0] == 1 {{\n        Some({4})\n    }} else {{\n        None\n    }}\n}}\n",
        content.prefix,
        given.join(", "),
        names(&all),
        inputs.join(", "),
        names(&of_results)
    )
}

fn name(made: &Flagged, a: Array) -> String {
    WORDS.name(&made.kernel.array(a).name)
}

/// The functions.
pub fn definitions(content: &Content) -> String {
    content.flagged().map(|made| definition(&made, content)).collect()
}

/// For the readme.
pub fn readme(content: &Content) -> String {
    let name = |made: Flagged| {
        format!("* `{}_{}`: what `{0}_{}` gives, or `None`", content.prefix, made.status.function, made.status.kernel)
    };
    let lines: Vec<String> = content.flagged().map(name).collect();
    if lines.is_empty() {
        String::new()
    } else {
        format!("\n## Functions that may have no result\n\n{}\n", lines.join("\n"))
    }
}
