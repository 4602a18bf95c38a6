//! curve25519-dalek with the code that it takes by itself on this processor: X25519, whose ladder is scalar, and the
//! table of the base point.

use curve25519_dalek::MontgomeryPoint;

include!("../functions.rs");

export! {
    peer_25519_ecdh(o: [u8; 32], k: [u8; 32], u: [u8; 32]) { *o = MontgomeryPoint(*u).mul_clamped(*k).0; }
    peer_25519_public_key(o: [u8; 32], k: [u8; 32]) { *o = MontgomeryPoint::mul_base_clamped(*k).0; }
}
