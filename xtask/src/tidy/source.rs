//! Rust source without its comments and literals, so that rules about code do not see prose.

/// The source with each character of a comment, string or character literal replaced by a space; lines stay where they
/// were.
pub fn code_only(source: &str) -> String {
    blanked(source, |_| true)
}

/// The same with literals left as they are: what a program says, too.
pub fn without_comments(source: &str) -> String {
    blanked(source, |first| first == '/')
}

/// The source with spaces for comments and literals whose first character is such a one.
fn blanked(source: &str, goes: impl Fn(char) -> bool) -> String {
    let chars: Vec<char> = source.chars().collect();
    let mut code = String::with_capacity(source.len());
    let mut at = 0;
    while at < chars.len() {
        let end = literal_end(&chars, at);
        if end == at {
            code.push(chars[at]);
            at += 1;
        } else {
            let goes = goes(chars[at]);
            code.extend(chars[at..end].iter().map(|c| if goes && *c != '\n' { ' ' } else { *c }));
            at = end;
        }
    }
    code
}

/// The end of the comment or literal that starts at `at`; `at` itself when none does.
fn literal_end(chars: &[char], at: usize) -> usize {
    let char_at = |index: usize| chars.get(index).copied().unwrap_or('\0');
    let starts_word = at == 0 || !(chars[at - 1].is_alphanumeric() || chars[at - 1] == '_');
    match (chars[at], char_at(at + 1)) {
        ('/', '/') => position(chars, at, |index| chars[index] == '\n'),
        ('/', '*') => {
            let (mut depth, mut index) = (1, at + 2);
            while index < chars.len() && depth > 0 {
                match (chars[index], char_at(index + 1)) {
                    ('/', '*') => (depth, index) = (depth + 1, index + 2),
                    ('*', '/') => (depth, index) = (depth - 1, index + 2),
                    _ => index += 1,
                }
            }
            index.min(chars.len())
        }
        ('"', _) => quoted_end(chars, at + 1, '"'),
        ('\'', '\\') => quoted_end(chars, at + 1, '\''),
        ('\'', _) if char_at(at + 2) == '\'' => at + 3,
        ('r', '"' | '#') | ('b' | 'c', 'r') if starts_word => raw_end(chars, at).unwrap_or(at),
        _ => at,
    }
}

/// One past the closing quote.
fn quoted_end(chars: &[char], start: usize, quote: char) -> usize {
    let mut index = start;
    while index < chars.len() && chars[index] != quote {
        index += if chars[index] == '\\' { 2 } else { 1 };
    }
    (index + 1).min(chars.len())
}

/// One past a raw string `r#"…"#` (or `br`, `cr`), `None` when this is not one.
fn raw_end(chars: &[char], at: usize) -> Option<usize> {
    let hashes_at = at + if chars[at] == 'r' { 1 } else { 2 };
    let quote = position(chars, hashes_at, |index| chars[index] != '#');
    if chars.get(quote) != Some(&'"') {
        return None;
    }
    let hashes = quote - hashes_at;
    let closes =
        |index: usize| chars[index] == '"' && chars[index + 1..].iter().take_while(|c| **c == '#').count() >= hashes;
    Some((position(chars, quote + 1, closes) + 1 + hashes).min(chars.len()))
}

/// The first index from `start` for which the condition holds, else the end.
fn position(chars: &[char], start: usize, holds: impl Fn(usize) -> bool) -> usize {
    (start..chars.len()).find(|&index| holds(index)).unwrap_or(chars.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_may_stay() {
        assert_eq!(
            without_comments("a(\"// x\", '/'); // y\n/* z */r#\"/*\"#"),
            "a(\"// x\", '/');     \n       r#\"/*\"#"
        );
    }

    #[test]
    fn comments_and_literals_become_spaces() {
        let words = |source: &str| code_only(source).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words("a // b\nc /* d /* e */ f */ g"), "a c g");
        assert_eq!(words(r#"a("b \" c", d)"#), "a( , d)");
        assert_eq!(words("x r#\"a \" b\"# y br\"z\" w"), "x y w");
        assert_eq!(words(r"'a' '\'' '\u{41}' &'static b"), "&'static b");
        assert_eq!(words("r#type for_r \"s\" '\"' t"), "r#type for_r t");
        assert_eq!(words("a \"never closed"), "a");
        assert_eq!(words("a /* never closed"), "a");
    }

    #[test]
    fn lines_stay_where_they_were() {
        let source = "a\n/* b\n c */ d\n\"e\nf\" g\n";
        let code = code_only(source);
        assert_eq!(code.lines().count(), source.lines().count());
        assert_eq!(code.lines().nth(2).map(str::trim), Some("d"));
        assert_eq!(code.chars().count(), source.chars().count());
    }
}
