//! The operation mixes on which layouts are compared.

use evariste_algorithms::{Operation, kinds};
use evariste_descriptions::Field;

use crate::error::TuneError;

/// An operation and how often it occurs in the mix. Weight 0: measured and shown, without a say.
pub use evariste_algorithms::Mix;

/// The mix of a field, which its kind says: for moduli 8 products, 4 squares, 6 additions, 4 subtractions (about one
/// addition and one doubling of points on a curve); products alone for integers; products and (free) squares for normal
/// bases; the affine map for moduli that exist for it.
pub fn mix(field: &Field) -> Mix {
    kinds::kind(field).map(|kind| (kind.mix)(field)).unwrap_or_default()
}

/// The mix in words: `8 mul + 4 square + 6 add + 4 sub`.
pub fn describe(mix: &Mix) -> String {
    let terms: Vec<String> = mix.iter().filter(|(_, n)| *n > 0).map(|(op, n)| format!("{n} {}", op.name())).collect();
    terms.join(" + ")
}

/// A mix as [`describe`] writes it; a term without a number counts once.
///
/// # Errors
/// A term that is not an operation, no term at all, or only terms that count nothing.
pub fn parse(text: &str) -> Result<Mix, TuneError> {
    let wrong =
        |why: String| TuneError::Operand(format!("the mix `{text}`: {why}\nhelp: write it like `8 mul + 4 square`"));
    let mut mix = Mix::new();
    for term in text.split('+').map(str::trim) {
        let (count, name) = term.split_once(char::is_whitespace).unwrap_or(("1", term));
        let count = count.parse().map_err(|_| wrong(format!("`{count}` is not a number of times")))?;
        let operation =
            Operation::parse(name.trim()).ok_or_else(|| wrong(format!("`{}` is not an operation", name.trim())))?;
        if mix.iter().any(|(known, _)| *known == operation) {
            return Err(wrong(format!("`{}` occurs twice", operation.name())));
        }
        mix.push((operation, count));
    }
    if mix.iter().all(|(_, count)| *count == 0) {
        return Err(wrong("nothing counts in it".into()));
    }
    Ok(mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(field: &str) -> String {
        describe(&mix(&Field::parse(field).unwrap_or_else(|d| panic!("{field}: {d:?}"))))
    }

    #[test]
    fn only_moduli_for_an_affine_map_are_compared_on_it() {
        for field in ["pallas", "vesta", "25519-order", "2^64 + 15", "2^127 + 45", "mmh", "p256"] {
            assert_eq!(described(field), "8 mul + 4 square + 6 add + 4 sub", "{field}");
        }
        assert_eq!(described("dfc"), "1 affine_mod_2_64");
        assert_eq!(described("2^64 + 13"), "1 affine_mod_2_64", "the same field");
    }

    #[test]
    fn mixes_are_read_as_they_are_written() {
        for field in ["p256", "dfc", "GF(2^163)", "int256", "odd256"] {
            let mix: Mix = mix(&Field::parse(field).expect("a field")).into_iter().filter(|(_, n)| *n > 0).collect();
            assert_eq!(parse(&describe(&mix)).expect("a mix"), mix, "{field}");
        }
        assert_eq!(parse("mul + 2 square").expect("a mix"), [(Operation::MUL, 1), (Operation::SQUARE, 2)]);
        for (text, why) in [
            ("", "`` is not an operation"),
            ("0 mul", "nothing counts"),
            ("2 mul + mul", "occurs twice"),
            ("-1 mul", "`-1` is not a number"),
            ("8 times", "`times` is not an operation"),
        ] {
            assert!(parse(text).expect_err(text).to_string().contains(why), "{text}");
        }
    }
}
