//! A block cipher in words, where a package has all of its kernels: what functions on buffers are made of.

use evariste_ir::Kernel;

use crate::package::{BlockCipher, Content};
use crate::unit::{Model, container};

/// The kernels that the functions call.
const KERNELS: [&str; 3] = ["expand_key", "encrypt_block", "decrypt_block"];

/// A cipher in words.
pub struct CipherWords<'a> {
    /// What follows keys, and known answers.
    pub cipher: &'a BlockCipher,
    /// Bits of what holds a word.
    pub bits: u32,
    /// Words of 8 bytes.
    pub each: u32,
    /// Words of all round keys.
    pub keys: u32,
}

impl<'a> CipherWords<'a> {
    /// That of a package, where it has all kernels, in words.
    pub fn of(content: &Content<'a>) -> Option<CipherWords<'a>> {
        let cipher = content.cipher?;
        let kernel =
            |name: &str| -> Option<&'a Kernel> { content.kernels.iter().find(|(n, _)| n == name).map(|(_, k)| *k) };
        let [schedule, ..] = KERNELS.map(kernel).into_iter().collect::<Option<Vec<_>>>()?[..] else { return None };
        if Model::of(schedule) == Model::Lanes {
            return None;
        }
        let (key, out) = (schedule.array(schedule.find("key")?), schedule.array(schedule.find("out")?));
        // A padded key has 256 bits, which are four times 8 bytes.
        Some(CipherWords { cipher, bits: container(key.ty.bits()), each: key.len / 4, keys: out.len })
    }

    /// A text in which EACH, KEYS, WORDBYTES and BLOCK (the words of one) stand for what they are.
    pub fn filled(&self, text: &str) -> String {
        text.replace("EACH", &self.each.to_string())
            .replace("KEYS", &self.keys.to_string())
            .replace("WORDBYTES", &(self.bits / 8).to_string())
            .replace("BLOCK", &(2 * self.each).to_string())
    }

    /// Bytes, one after the other, with commas.
    pub fn list(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("0x{byte:02x}")).collect::<Vec<_>>().join(", ")
    }

    /// The known answers: of each its key, text, counter, whole blocks in ECB, text in CTR and next counter, as that writes
    /// bytes; then what each row is.
    pub fn rows(&self, bytes: &dyn Fn(&[u8]) -> String, row: &dyn Fn([String; 6]) -> String) -> String {
        let one = |a: &crate::package::BufferAnswer| {
            row([&a.key[..], &a.text, &a.counter, &a.ecb, &a.ctr, &a.next].map(bytes))
        };
        self.cipher.answers.iter().map(one).collect()
    }
}
