//! Answers that others know, from a file: for the tests of packages.

use evariste_tune::known_answers::KnownAnswer;
use serde::Deserialize;

use crate::error::Error;
use crate::field::Field;

/// Characters of a wrong number that an error shows.
const SHOWN: usize = 200;

/// An answer in a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    operation: String,
    operands: Vec<String>,
    result: String,
}

impl Field {
    /// The known answers of a text: a list in JSON of operations with operands and results, each a text as `evariste eval`
    /// takes and shows them. Each is compared with the reference.
    ///
    /// # Errors
    /// [`Error::KnownAnswers`]: no such list; what there is no operation, operand or result of; a result that the
    /// reference does not give.
    ///
    /// ```
    /// let cipher = evariste::Field::parse("cipher:dfc")?;
    /// let answer = |result: &str| {
    ///     format!(
    ///         r#"[{{"operation": "encrypt", "operands": ["{:032}", "000102030405060708090a0b0c0d0e0f"], "result": "{result}"}}]"#,
    ///         0
    ///     )
    /// };
    /// assert_eq!(cipher.known_answers(&answer("630420709e777ff6cb1c65231362c5e3"))?.len(), 1);
    /// let wrong = cipher.known_answers(&answer("630420709e777ff6cb1c65231362c5e4")).unwrap_err();
    /// assert!(wrong.to_string().contains("answer 1"));
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn known_answers(&self, text: &str) -> Result<Vec<KnownAnswer>, Error> {
        let list: Vec<Written> = serde_json::from_str(text).map_err(|e| Error::KnownAnswers {
            which: "the file".into(),
            why: e.to_string(),
            help: FORM.into(),
        })?;
        list.iter().enumerate().map(|(i, written)| self.known_answer(i, written)).collect()
    }

    fn known_answer(&self, at: usize, written: &Written) -> Result<KnownAnswer, Error> {
        let which = format!("answer {} (`{}`)", at + 1, written.operation);
        // What says by itself what is wrong, its lines of help behind it.
        let wrong = |e: Error| {
            let text = e.to_string();
            let (why, help) = text.split_once("\nhelp: ").unwrap_or((&text, FORM));
            Error::KnownAnswers { which: which.clone(), why: why.into(), help: help.into() }
        };
        let operation = self.evaluable_named(&written.operation).map_err(wrong)?;
        let operands = self.operands(&operation, &written.operands).map_err(wrong)?;
        let result = self.result(&operation, &written.result).map_err(wrong)?;
        let right = self.reference(&operation, &operands).map_err(wrong)?;
        if !operation.same(&**self.spec(), [&right, &result]) {
            let shown = operation.row().outputs.first().and_then(|slot| self.written(slot, &right));
            let right: String = shown.unwrap_or_else(|| format!("{right:#x}")).chars().take(SHOWN).collect();
            let given: String = written.result.chars().take(SHOWN).collect();
            return Err(Error::KnownAnswers {
                which,
                why: format!("the result is {right}, and not {given}"),
                help: "`evariste eval` shows how it is reached; leave out what is meant to be wrong".into(),
            });
        }
        Ok(KnownAnswer { operation, operands, result })
    }
}

const FORM: &str =
    r#"write [{"operation": "mul", "operands": ["0x3", "5"], "result": "15"}, …], texts as `evariste eval` takes them"#;
