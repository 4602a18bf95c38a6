// Included by each peer: functions on pointers under the names that the comparison looks for,
// `peer_FIELD_OPERATION_FORM`.
//
// FIELD is the field's name with `_` for `-`; OPERATION is `mul`, `sqr` or `add`; FORM says how elements lie in words of 64
// bits: `montgomery` (x·2^(64n) mod p, canonical; `montgomery_in_6` in six words, the upper ones unused), `canonical` (x mod p), `radix51` and the like (digits of as many
// bits, values modulo p, not canonical; `radix64` for whole words), `integer` (products of 2n words).
// An element of a tower is its coordinates, one after the other. `…_in_place` has its first operand where its result is,
// `…_repeated` computes the same 256 times.

/// Functions `(o, a, b)`: `o` of the first length, `a` and `b` of the second.
#[allow(unused_macros)]
macro_rules! mul {
    ($($name:ident: $out:literal = $n:literal, |$o:ident, $a:ident, $b:ident| $body:expr;)*) => {$(
        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $name($o: &mut [u64; $out], $a: &[u64; $n], $b: &[u64; $n]) {
            $body;
        }
    )*};
}

/// Functions `(o, a)`.
#[allow(unused_macros)]
macro_rules! sqr {
    ($($name:ident: $out:literal = $n:literal, |$o:ident, $a:ident| $body:expr;)*) => {$(
        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $name($o: &mut [u64; $out], $a: &[u64; $n]) {
            $body;
        }
    )*};
}

/// Functions `(o, a, b)` of C: `o` of the first length, `a` and `b` of the second, then what else the function takes.
#[allow(unused_macros)]
macro_rules! foreign_mul {
    ($($name:ident: $out:literal = $n:literal, $function:ident $(, $more:expr)*;)*) => {$(
        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $name(o: &mut [u64; $out], a: &[u64; $n], b: &[u64; $n]) {
            // SAFETY: the lengths, stated where this macro is used, are those that the function has; the result lies
            // elsewhere than the operands.
            unsafe { $function(o.as_mut_ptr().cast(), a.as_ptr().cast(), b.as_ptr().cast() $(, $more)*) };
        }
    )*};
}

/// Functions `(o, a)` of C, likewise.
#[allow(unused_macros)]
macro_rules! foreign_sqr {
    ($($name:ident: $out:literal = $n:literal, $function:ident $(, $more:expr)*;)*) => {$(
        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $name(o: &mut [u64; $out], a: &[u64; $n]) {
            // SAFETY: as in `foreign_mul`.
            unsafe { $function(o.as_mut_ptr().cast(), a.as_ptr().cast() $(, $more)*) };
        }
    )*};
}
