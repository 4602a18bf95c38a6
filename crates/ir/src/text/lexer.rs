//! Tokens with their places.

use super::ParseError;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Word(&'a str),
    /// Decimal digits.
    Decimal(&'a str),
    /// The digits after `0x`.
    Hex(&'a str),
    /// `<=`, `..` or a single character.
    Sign(&'static str),
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Spanned<'a> {
    pub token: Token<'a>,
    pub line: u32,
    pub column: u32,
}

const SIGNS: [&str; 19] =
    ["<=", "..", "%", ":", ",", "=", "<", "[", "]", "(", ")", "{", "}", "*", "+", "-", "^", "@", "#"];

/// All tokens, an `End` last.
pub(super) fn tokens(text: &str) -> Result<Vec<Spanned<'_>>, ParseError> {
    let mut all = Vec::new();
    let (mut line, mut start_of_line, mut at) = (1u32, 0usize, 0usize);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        // Lines before a strange character are short of 2^32 characters: texts are bounded.
        let column = (at - start_of_line) as u32 + 1;
        let rest = &text[at..];
        let b = bytes[at];
        let run = |f: fn(&u8) -> bool| rest.bytes().take_while(f).count();
        let (token, len) = match b {
            b'\n' => {
                line += 1;
                at += 1;
                start_of_line = at;
                continue;
            }
            b' ' | b'\t' | b'\r' => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with("//") => {
                at += run(|b| *b != b'\n');
                continue;
            }
            b'0' if rest.starts_with("0x") => {
                let n = rest[2..].bytes().take_while(u8::is_ascii_hexdigit).count();
                (Token::Hex(&rest[2..2 + n]), 2 + n)
            }
            b'0'..=b'9' => {
                let n = run(u8::is_ascii_digit);
                (Token::Decimal(&rest[..n]), n)
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                let n = run(|b| b.is_ascii_alphanumeric() || *b == b'_');
                (Token::Word(&rest[..n]), n)
            }
            _ => match SIGNS.iter().find(|s| rest.starts_with(**s)) {
                Some(s) => (Token::Sign(s), s.len()),
                None => {
                    let c = rest.chars().next().unwrap_or(' ');
                    let column = text[start_of_line..at].chars().count() as u32 + 1;
                    return Err(ParseError {
                        line,
                        column,
                        message: format!("the character {c:?} has no meaning here"),
                    });
                }
            },
        };
        all.push(Spanned { token, line, column });
        at += len;
    }
    let column = text[start_of_line..].chars().count() as u32 + 1;
    all.push(Spanned { token: Token::End, line, column });
    Ok(all)
}
