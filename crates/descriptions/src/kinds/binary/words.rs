//! Polynomials over GF(2) in words, changed in place: bit i of word w is the coefficient of x^(64·w + i). Words at the
//! top may be 0.

/// One more than the degree; 0 of the zero polynomial.
pub(super) fn bits(a: &[u64]) -> usize {
    a.iter().rposition(|w| *w != 0).map_or(0, |i| 64 * i + 64 - a[i].leading_zeros() as usize)
}

/// Without the words at the top that are 0.
fn trimmed(a: &[u64]) -> &[u64] {
    &a[..bits(a).div_ceil(64)]
}

/// Adds `b·x^shift`, which has to fit.
fn add_shifted(a: &mut [u64], b: &[u64], shift: usize) {
    let (at, up) = (shift / 64, shift % 64);
    let mut below = 0;
    for (x, y) in a[at..].iter_mut().zip(b) {
        *x ^= y << up | below;
        below = (y >> 1) >> (63 - up);
    }
    if below != 0 {
        a[at + b.len()] ^= below;
    }
}

/// Leaves the remainder modulo b, which is not zero; `quotient` is told the exponents of the quotient, from the top.
pub(super) fn divide(a: &mut [u64], b: &[u64], mut quotient: impl FnMut(usize)) {
    let b = trimmed(b);
    let (size, mut rest) = (bits(b), bits(a));
    while rest >= size {
        add_shifted(a, b, rest - size);
        quotient(rest - size);
        rest = bits(&a[..rest.div_ceil(64)]);
    }
}

/// The greatest common divisor.
pub(super) fn gcd(mut a: Vec<u64>, mut b: Vec<u64>) -> Vec<u64> {
    while bits(&b) > 0 {
        divide(&mut a, &b, |_| ());
        std::mem::swap(&mut a, &mut b);
    }
    a
}

/// The square: a zero between any two bits.
pub(super) fn square(a: &[u64]) -> Vec<u64> {
    let spread = |half: u64| {
        let mut x = half;
        for (shift, mask) in [
            (16, 0x0000_ffff_0000_ffff),
            (8, 0x00ff_00ff_00ff_00ff),
            (4, 0x0f0f_0f0f_0f0f_0f0f),
            (2, 0x3333_3333_3333_3333),
            (1, 0x5555_5555_5555_5555),
        ] {
            x = (x | x << shift) & mask;
        }
        x
    };
    a.iter().flat_map(|w| [spread(w & 0xffff_ffff), spread(w >> 32)]).collect()
}

/// Leaves the remainder modulo `x^degree + Σ x^e` for the exponents e below the degree: a word at a time, from the top.
pub(super) fn reduce(a: &mut Vec<u64>, degree: usize, below: &[u32]) {
    let (top, up) = (degree / 64, degree % 64);
    for i in (top..a.len()).rev() {
        let (place, shift) = if i > top { (64 * i - degree, 0) } else { (0, up) };
        // What exponents close to the degree give lies in the same word again, lower each time.
        loop {
            let high = a[i] >> shift;
            if high == 0 {
                break;
            }
            a[i] ^= high << shift;
            for e in below {
                let (at, up) = ((place + *e as usize) / 64, (place + *e as usize) % 64);
                a[at] ^= high << up;
                let beyond = (high >> 1) >> (63 - up);
                if beyond != 0 {
                    a[at + 1] ^= beyond;
                }
            }
        }
    }
    a.truncate(top + 1);
}
