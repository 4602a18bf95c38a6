// Included by each peer of curves and pairings: functions on pointers under the names that the comparison looks for,
// `peer_NAME_OPERATION` (what takes other times for other scalars: `…_vartime`).
//
// On bytes, as standards have them: `ecdh(o, k, p)` gives the first coordinate of k·p, `public_key(o, k)` the bytes of
// k·G. On coordinates in words of 64 bits, in Montgomery form, canonical: `scalar_mul(o, k, p)` of Jacobian coordinates
// X Y Z (x = X/Z², y = Y/Z³), k four words, lowest first; `pairing(o, p, q)` of affine x y.

/// Functions of a result and of operands, on pointers.
#[allow(unused_macros)]
macro_rules! export {
    ($($name:ident($o:ident: $out:ty $(, $x:ident: $in:ty)*) $body:block)*) => {$(
        #[unsafe(no_mangle)]
        #[inline(never)]
        pub extern "C" fn $name($o: &mut $out $(, $x: &$in)*) $body
    )*};
}
