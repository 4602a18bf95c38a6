//! The key schedules of DFC and DFCv2.
//!
//! * **computes** the keys of all rounds: each the one before it through a network of four rounds (of DFCv2 s rounds)
//!   whose keys are words of the padded key, with digits of e added to them.
//! * **needs** the padded key: 256 bits, the highest first.
//! * **gives** a and b of each round, the first round's first.
//! * **cost** four rounds (s rounds) for each round of the cipher.
//! * **source** Gilbert et al., "Decorrelated Fast Cipher" (1998), section 2.4; Granboulan et al., "DFCv2" (2000).

use std::sync::Arc;

use evariste_descriptions::Dfc;
use evariste_ir::{Array, ArrayKind, Builder, Contract, Kernel, Value, View};
use num_bigint::BigInt;

use super::network::whole;
use super::setting::{HALF, halves, local, step, words};
use crate::prime::power::Callee;
use crate::signature::NotApplicable;

/// Rounds of the networks in DFC's schedule.
const ROUNDS: u32 = 4;

/// The kernel that gives the keys of all rounds.
pub(super) fn expand(name: &str, word: u32, cipher: &Dfc, round: Arc<Kernel>) -> Result<Kernel, NotApplicable> {
    let mut b = Builder::new(name, word);
    let (out, output) = halves(&mut b, "out", ArrayKind::Output, 2 * cipher.rounds);
    let (key, input) = halves(&mut b, "key", ArrayKind::Input, 4);
    let each = cipher.schedule.unwrap_or(ROUNDS);
    let end = if round.vartime { "_vartime" } else { "" };
    let network = whole(&format!("network_of_{each}{end}"), word, each, round, 1, false)?;
    let network = Callee::new(&mut b, Arc::new(network), "network");
    let last = local(&mut b, "last", 2);
    let schedule = Schedule { network, last, out };
    match cipher.schedule {
        None => schedule.first(&mut b, key, cipher.rounds),
        Some(s) => schedule.second(&mut b, key, cipher.rounds, s),
    }
    Ok(b.finish(Contract { facts: Vec::new(), inputs: vec![input], claims: step(output, "dfc_schedule") }))
}

/// The network that round keys go through, and where they stand.
struct Schedule {
    network: Callee,
    last: Array,
    out: Array,
}

/// Half a block in words, lowest first.
type Half = Vec<Value>;

impl Schedule {
    /// The next round key, by these keys.
    fn next(&self, b: &mut Builder, round: u32, keys: View) {
        let n = words(b);
        self.network.call_views(b, View::whole(self.last), &[keys, View::whole(self.last)]);
        for i in 0..2 * n {
            let word = b.load(self.last, i);
            b.store(self.out, round * 2 * n + i, word);
        }
    }

    /// DFC: two networks by turns, from 0 on.
    fn first(&self, b: &mut Builder, key: Array, rounds: u32) {
        let n = words(b);
        let pk = |i: u32| Piece { half: (i - 1) / 2, upper: i % 2 == 1 };
        let networks = [("odd", [[1, 8], [5, 4]]), ("even", [[2, 7], [6, 3]])].map(|(name, pairs)| {
            let array = local(b, name, 2 * ROUNDS);
            for (place, [left, right]) in (0..).zip(pairs) {
                let half = joined(b, key, pk(left), pk(right));
                for i in 0..ROUNDS {
                    // KA and KB: the first and the second six words of e.
                    let digits = if i == 0 { 0 } else { digits_of_e(6 * place + 2 * (i - 1)) };
                    let sum = plus(b, &half, digits);
                    (0..).zip(sum).for_each(|(j, word)| b.store(array, (2 * i + place) * n + j, word));
                }
            }
            array
        });
        let zero = b.word_constant(0);
        (0..2 * n).for_each(|i| b.store(self.last, i, zero));
        for round in 0..rounds {
            self.next(b, round, View::whole(networks[round as usize % 2]));
        }
    }

    /// DFCv2: the keys of the networks are the first half of the padded key with more and more digits added.
    fn second(&self, b: &mut Builder, key: Array, rounds: u32, s: u32) {
        let n = words(b);
        let load = |b: &mut Builder, half: u32| (0..n).map(|i| b.load(key, half * n + i)).collect::<Half>();
        let start = [0, 1].map(|half| load(b, half));
        for half in 0..2 {
            let words = load(b, 2 + half);
            (0..).zip(words).for_each(|(i, word)| b.store(self.last, half * n + i, word));
        }
        let keys = local(b, "keys", 2 * s);
        let walk = Dfc::walk(rounds * s);
        for round in 0..rounds {
            for i in 0..s {
                let added = walk[(round * s + i) as usize];
                for (place, half) in (0..).zip(&start) {
                    let sum = plus(b, half, added[place as usize]);
                    (0..).zip(sum).for_each(|(j, word)| b.store(keys, (2 * i + place) * n + j, word));
                }
            }
            self.next(b, round, View::whole(keys));
        }
    }
}

/// 32 bits of a padded key.
#[derive(Clone, Copy)]
struct Piece {
    half: u32,
    upper: bool,
}

/// Two pieces as half a block, the first on top.
fn joined(b: &mut Builder, key: Array, left: Piece, right: Piece) -> Half {
    if b.word() == HALF / 2 {
        return [right, left].map(|piece| b.load(key, 2 * piece.half + u32::from(piece.upper))).to_vec();
    }
    let [high, low] = [left, right].map(|piece| b.load(key, piece.half));
    let high = if left.upper {
        let mask = b.word_constant(BigInt::from(u64::from(u32::MAX) << 32));
        b.and(high, mask)
    } else {
        b.wrapping_shl(high, 32u32)
    };
    let low = if right.upper { b.shr(low, 32u32) } else { b.low_bits(low, 32) };
    vec![b.or(high, low)]
}

/// Half a block with constant bits added.
fn plus(b: &mut Builder, half: &[Value], digits: u64) -> Half {
    let word = b.word();
    let part = |i: u32| if word == HALF { digits } else { digits >> (i * word) & u64::from(u32::MAX) };
    let sum = |b: &mut Builder, (i, x): (u32, &Value)| {
        let digits = b.word_constant(part(i));
        b.xor(*x, digits)
    };
    if digits == 0 { half.to_vec() } else { (0..).zip(half).map(|entry| sum(b, entry)).collect() }
}

/// Two words of the fraction of e from this one on.
fn digits_of_e(word: u32) -> u64 {
    let table = Dfc::confusion().table;
    let at = word as usize;
    u64::from(table[at]) << 32 | u64::from(table[at + 1])
}
