//! The comment that opens every file, and the licence.

use crate::package::Content;

/// Licence of everything that is written.
pub(crate) const LICENCE: &str = "\
Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted.

THE SOFTWARE IS PROVIDED \"AS IS\" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED
WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR
CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT,
NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.";

/// The comment that opens every file.
pub(crate) fn notice(content: &Content, what: &str) -> String {
    let line = |text: &str| comment_safe(text);
    let licence = LICENCE.lines().map(|l| format!(" * {l}").trim_end().to_string() + "\n").collect::<String>();
    format!(
        "/* {}: {what}\n *\n * Written by Evariste; do not edit. Command:\n *   {}\n *\n * SPDX-License-Identifier: 0BSD\n *\n{licence} */\n",
        line(content.title),
        line(content.command_line)
    )
}

/// Text that cannot end a comment and stays on its line.
pub(crate) fn comment_safe(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace(['\n', '\r'], " ").replace('\\', "/")
}
