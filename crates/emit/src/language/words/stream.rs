//! The stream cipher WG in words, where a package has its kernels: what functions on bytes are made of.

use evariste_ir::Kernel;

use crate::package::{Content, StreamCipher};
use crate::unit::{Model, container};

/// The kernels that the functions call.
const KERNELS: [&str; 2] = ["initial_steps", "stream_64"];

/// A stream cipher in words.
pub struct StreamWords<'a> {
    /// Where bytes of keys go, and known answers.
    pub cipher: &'a StreamCipher,
    /// Bits of a word, which holds a stage.
    pub bits: u32,
}

impl<'a> StreamWords<'a> {
    /// That of a package, where it has all kernels, a stage a word.
    pub fn of(content: &Content<'a>) -> Option<StreamWords<'a>> {
        let cipher = content.stream?;
        let kernel =
            |name: &str| -> Option<&'a Kernel> { content.kernels.iter().find(|(n, _)| n == name).map(|(_, k)| *k) };
        let [_, steps] = KERNELS.map(kernel).into_iter().collect::<Option<Vec<_>>>()?[..] else { return None };
        let state = steps.array(steps.find("state")?);
        let bits = container(state.ty.bits());
        let fits = Model::of(steps) != Model::Lanes && state.len == 11 && matches!(bits, 32 | 64);
        fits.then_some(StreamWords { cipher, bits })
    }

    /// A text in which KEYPLACES, IVPLACES, WORDBYTES and BITWORDS (words of 64 bits) stand for what they are.
    pub fn filled(&self, text: &str) -> String {
        let places = |all: &[u8]| all.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
        text.replace("KEYPLACES", &places(&self.cipher.places[0]))
            .replace("IVPLACES", &places(&self.cipher.places[1]))
            .replace("WORDBYTES", &(self.bits / 8).to_string())
            .replace("BITWORDS", &(64 / self.bits).to_string())
    }

    /// The known answers: of each its key, initial value and stream, as that writes bytes; then what each row is.
    pub fn rows(&self, bytes: &dyn Fn(&[u8]) -> String, row: &dyn Fn([String; 3]) -> String) -> String {
        self.cipher.answers.iter().map(|a| row([&a.key, &a.iv, &a.stream].map(|all| bytes(all)))).collect()
    }

    /// Bytes, one after the other, with commas.
    pub fn list(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("0x{byte:02x}")).collect::<Vec<_>>().join(", ")
    }
}
