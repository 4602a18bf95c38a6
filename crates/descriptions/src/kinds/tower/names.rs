//! The named towers: those of pairing-friendly curves, as their standards and libraries write them.

/// A tower that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedTower {
    /// The name, in lower case.
    pub name: &'static str,
    /// The named modulus that it stands on.
    pub base: &'static str,
    /// The floors: variables and polynomials, as a description has them.
    pub floors: &'static str,
    /// Where it is defined.
    pub source: &'static str,
}

const BLS12_381: &str = "EIP-2537; CFRG pairing-friendly-curves draft";
const BN254: &str = "EIP-197; the tower of libraries: u^2 = -1, v^3 = 9+u, w^2 = v";
const BLS12_377: &str = "Bowe et al., Zexe, 2018 (eprint 2018/962); the tower of libraries: u^2 = -5, v^3 = u, w^2 = v";
const SS_B160: &str = "supersingular y^2 = x^3 + (1+2u)^2 of embedding degree 3 over Fp2, generated for tests";
const SS_A512: &str = "supersingular y^2 = x^3 + x, the usual parameters of type A with 512 bits";

macro_rules! towers {
    ($($name:literal $base:literal $floors:literal $source:expr;)*) => {
        &[$(NamedTower { name: $name, base: $base, floors: $floors, source: $source }),*]
    };
}

const TOWERS: &[NamedTower] = towers! {
    "bls12-381-fp2" "bls12-381-fp" "[u]/(u^2+1)" BLS12_381;
    "bls12-381-fp6" "bls12-381-fp" "[u]/(u^2+1)[v]/(v^3-(1+u))" BLS12_381;
    "bls12-381-fp12" "bls12-381-fp" "[u]/(u^2+1)[v]/(v^3-(1+u))[w]/(w^2-v)" BLS12_381;
    "bn254-fp2" "bn254-fp" "[u]/(u^2+1)" BN254;
    "bn254-fp6" "bn254-fp" "[u]/(u^2+1)[v]/(v^3-(9+u))" BN254;
    "bn254-fp12" "bn254-fp" "[u]/(u^2+1)[v]/(v^3-(9+u))[w]/(w^2-v)" BN254;
    "bls12-377-fp2" "bls12-377-fp" "[u]/(u^2+5)" BLS12_377;
    "bls12-377-fp6" "bls12-377-fp" "[u]/(u^2+5)[v]/(v^3-u)" BLS12_377;
    "bls12-377-fp12" "bls12-377-fp" "[u]/(u^2+5)[v]/(v^3-u)[w]/(w^2-v)" BLS12_377;
    "ss-b160-fp2" "ss-b160-fp" "[u]/(u^2+1)" SS_B160;
    "ss-b160-fp6" "ss-b160-fp" "[u]/(u^2+1)[v]/(v^3-(1+2*u))" SS_B160;
    "ss-a512-fp2" "ss-a512-fp" "[u]/(u^2+1)" SS_A512;
};

/// Every named tower, in the order of the table.
pub fn named_towers() -> &'static [NamedTower] {
    TOWERS
}

/// The tower of that name; upper and lower case and `_` for `-` make no difference.
pub(crate) fn by_name(text: &str) -> Option<&'static NamedTower> {
    let wanted = text.trim().to_lowercase().replace(['_', ' '], "-");
    TOWERS.iter().find(|named| named.name == wanted)
}

/// The tower with this base and these floors.
pub(crate) fn by_floors(base: &str, floors: &str) -> Option<&'static NamedTower> {
    TOWERS.iter().find(|named| named.base == base && named.floors == floors)
}
