//! The crate p256 of RustCrypto: Diffie–Hellman and public keys, from bytes to bytes.

use p256::elliptic_curve::sec1::ToSec1Point;
use p256::{PublicKey, SecretKey};

include!("../functions.rs");

export! {
    peer_p256_ecdh(o: [u8; 32], k: [u8; 32], p: [u8; 65]) {
        o.fill(0);
        let (Ok(k), Ok(p)) = (SecretKey::from_slice(k), PublicKey::from_sec1_bytes(p)) else { return };
        let shared = p256::ecdh::diffie_hellman(k.to_nonzero_scalar(), p.as_affine());
        o.copy_from_slice(shared.raw_secret_bytes());
    }
    peer_p256_public_key(o: [u8; 65], k: [u8; 32]) {
        o.fill(0);
        let Ok(k) = SecretKey::from_slice(k) else { return };
        o.copy_from_slice(k.public_key().to_sec1_point(false).as_bytes());
    }
}
