//! Operand scanning with the products of even and of odd words apart, for machines that multiply and add in one
//! instruction, carry included.
//!
//! * **computes** `a·b` by rows, in two running numbers a word apart: one takes the products with words 0, 2, 4, … of a,
//!   the other those with 1, 3, 5, … . Products of a chain lie side by side, both halves of each in it: no half is added
//!   by itself.
//! * **needs** saturated words, equally many in both operands.
//! * **gives** all 2n words.
//! * **cost** n² multiplications, 2n² + O(n) additions in chains `…, low, high, low, high, …`: where a multiply-add takes
//!   and leaves a carry (`mad.lo.cc` and `madc.hi.cc` of a GPU, one `IMAD.WIDE.X`), n² of these and a few additions a row.
//!   Squares: n(n+1)/2 multiplications, the triangle by such rows, then doubling and squares of the words side by side.
//! * **source** Emmart, Luitjens, Weems, Woolley, "Optimizing modular multiplication for NVIDIA's Maxwell GPUs" (2016).

use evariste_ir::{Builder, Value};

use super::row_forms::double_with_squares;
use crate::recipe::Product;

/// Registry line.
pub const PRODUCT: Product =
    Product { name: "operand-scanning-even-odd", applies: |w, n| n > 1 && super::unrolled(w, n), multiply, square };

/// A number in two parts: `Σ even[i]·2^(w·i) + Σ odd[i]·2^(w·(i+1)) + 2^w·carry`.
pub struct EvenOdd {
    even: Vec<Value>,
    odd: Vec<Value>,
    carry: Value,
}

impl EvenOdd {
    /// Zero.
    pub fn zero(b: &mut Builder) -> EvenOdd {
        EvenOdd { even: Vec::new(), odd: Vec::new(), carry: b.no_flag() }
    }

    /// Words, in one part.
    pub fn of(words: Vec<Value>, b: &mut Builder) -> EvenOdd {
        EvenOdd { even: words, odd: Vec::new(), carry: b.no_flag() }
    }

    /// The lowest word, which is that of the number.
    pub fn lowest(&self) -> Option<Value> {
        self.even.first().copied()
    }

    /// Adds `x·y`. The carry above all words, in two flags: both are 0 where the sum fits the words.
    pub fn add(&mut self, b: &mut Builder, x: &[Value], y: Value) -> [Value; 2] {
        let products = |b: &mut Builder, first: usize| -> Vec<Value> {
            let pairs = x.iter().skip(first).step_by(2).map(|xj| b.mul_wide(*xj, y));
            pairs.flat_map(|(low, high)| [low, high]).collect()
        };
        let [none, carry] = [b.no_flag(), self.carry];
        self.carry = none;
        let odd = products(b, 1);
        let of_odd = chain(b, &mut self.odd, &odd, carry);
        // The shorter part's carry goes into the other part, right behind its chain.
        let even_ends_lower = self.even.len().max(2 * x.len().div_ceil(2)) <= self.odd.len();
        if even_ends_lower {
            let even = products(b, 0);
            let carry = chain(b, &mut self.even, &even, none);
            let above = self.even.len() - 1;
            let end = chain_from(b, &mut self.odd, above, carry);
            return [of_odd, end];
        }
        let above = self.odd.len() + 1;
        let of_odd = chain_from(b, &mut self.even, above, of_odd);
        let even = products(b, 0);
        [of_odd, chain(b, &mut self.even, &even, none)]
    }

    /// Divides by `2^w`: gives the lowest word and leaves the rest.
    pub fn shift(&mut self, b: &mut Builder) -> Value {
        let mut above = std::mem::take(&mut self.even).into_iter();
        let zero = b.word_constant(0);
        let lowest = above.next().unwrap_or(zero);
        let next = above.next().unwrap_or(zero);
        self.even = std::mem::replace(&mut self.odd, above.collect());
        // The carry of the last chain, if there is one, is of the lowest weight now.
        let carry = self.carry;
        match self.even.first_mut() {
            Some(first) => (*first, self.carry) = b.add_carry(*first, next, carry),
            None => {
                self.even.push(b.add_carry(next, zero, carry).0);
                self.carry = b.no_flag();
            }
        }
        lowest
    }

    /// Sets word `at`, which is above all words, to the sum of flags, in the part that a product with `at` words ends in.
    pub fn put_flags(&mut self, b: &mut Builder, at: usize, flags: &[Value]) {
        let zero = b.word_constant(0);
        let word = flags.iter().fold(zero, |sum, flag| {
            let word = b.flag_to_word(*flag, b.word_type());
            b.add(sum, word)
        });
        let (part, at) = if at.is_multiple_of(2) { (&mut self.odd, at - 1) } else { (&mut self.even, at) };
        part.resize(at, zero);
        part.push(word);
    }

    /// As so many words; what is above them is 0.
    pub fn words(self, b: &mut Builder, n: usize) -> Vec<Value> {
        let zero = b.word_constant(0);
        let at = |part: &[Value], i: usize| part.get(i).copied().unwrap_or(zero);
        let (mut carry, mut words) = (self.carry, vec![at(&self.even, 0)]);
        for i in 1..n {
            let (word, next) = b.add_carry(at(&self.even, i), at(&self.odd, i - 1), carry);
            words.push(word);
            carry = next;
        }
        words
    }
}

/// Adds words to the lowest of a part, and a carry; the part becomes as long as they are. The carry above it.
fn chain(b: &mut Builder, part: &mut Vec<Value>, words: &[Value], mut carry: Value) -> Value {
    let zero = b.word_constant(0);
    if part.len() < words.len() {
        part.resize(words.len(), zero);
    }
    for (i, word) in part.iter_mut().enumerate() {
        (*word, carry) = b.add_carry(*word, words.get(i).copied().unwrap_or(zero), carry);
    }
    carry
}

/// Adds a carry to a part at word `at`: a new one, where the part ends there.
fn chain_from(b: &mut Builder, part: &mut Vec<Value>, at: usize, mut carry: Value) -> Value {
    let zero = b.word_constant(0);
    if part.len() <= at {
        part.resize(at + 1, zero);
    }
    for word in &mut part[at..] {
        (*word, carry) = b.add_carry(*word, zero, carry);
    }
    carry
}

/// The 2n words of `a·b`.
pub fn multiply(b: &mut Builder, x: &[Value], y: &[Value]) -> Vec<Value> {
    let mut t = EvenOdd::zero(b);
    let mut done = Vec::with_capacity(2 * x.len());
    for yi in y {
        t.add(b, x, *yi);
        done.push(t.shift(b));
    }
    done.extend(t.words(b, x.len()));
    done
}

/// The 2n words of `a²`.
pub fn square(b: &mut Builder, x: &[Value]) -> Vec<Value> {
    let n = x.len();
    let mut t = EvenOdd::zero(b);
    let mut triangle = vec![b.word_constant(0)];
    for i in 0..n - 1 {
        // x[i]·x[i+1..] at word 2i + 1.
        t.add(b, &x[i + 1..], x[i]);
        triangle.push(t.shift(b));
        if i + 2 < n {
            triangle.push(t.shift(b));
        } else {
            triangle.extend(t.words(b, 1));
            break;
        }
    }
    double_with_squares(b, &triangle, x).0
}
