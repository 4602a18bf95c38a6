//! The named settings of pairings: groups, target, and how the pairing is computed.

/// A setting that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedPairing {
    /// The name, in lower case.
    pub name: &'static str,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
    /// The two groups: multiples of the base points of these named curves.
    pub groups: [&'static str; 2],
    /// The field in which values lie: a named tower.
    pub target: &'static str,
    /// How it is computed.
    pub way: Way,
    /// Which power of the pairing the usual fast final exponentiation gives, as an expression.
    pub multiple: &'static str,
    /// What is known of it.
    pub what: &'static str,
    /// Where it is defined.
    pub source: &'static str,
}

/// How a pairing is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// The optimal ate pairing of the family BLS12, on a twist over Fp2: the Miller loop over |x| for a negative x.
    Bls12 {
        /// |x|.
        x: &'static str,
    },
    /// That of the family BN: the Miller loop over 6x + 2, and two lines through images under the Frobenius map.
    Bn {
        /// x.
        x: &'static str,
    },
    /// The Tate pairing on `y^2 = x^3 + x`, of a point and the distorted second point `(−x, u·y)`.
    Distorted2,
    /// The Tate pairing on `y^2 = x^3 + ξ^2` over Fp2, of a point and the distorted second point
    /// `(v·x^p/ξ^((2p−1)/3), y^p/ξ^(p−1))`.
    Distorted3,
}

const SETTINGS: &[NamedPairing] = &[
    NamedPairing {
        name: "bls12-381",
        aliases: &["bls381"],
        groups: ["bls12-381-g1", "bls12-381-g2"],
        target: "bls12-381-fp12",
        way: Way::Bls12 { x: "0xd201000000010000" },
        multiple: "3",
        what: "optimal ate pairing; the exact power is that of the CFRG draft, its cube that of most libraries",
        source: "EIP-2537; CFRG pairing-friendly-curves draft",
    },
    NamedPairing {
        name: "bn254",
        aliases: &["alt-bn128", "bn256"],
        groups: ["bn254-g1", "bn254-g2"],
        target: "bn254-fp12",
        way: Way::Bn { x: "0x44e992b44a6909f1" },
        multiple: "2*0x44e992b44a6909f1*(6*0x44e992b44a6909f1^2 + 3*0x44e992b44a6909f1 + 1)",
        what: "optimal ate pairing; libraries give the exact power, or that times 2x(6x^2 + 3x + 1)",
        source: "EIP-197",
    },
    NamedPairing {
        name: "ss-a512",
        aliases: &[],
        groups: ["ss-a512", "ss-a512"],
        target: "ss-a512-fp2",
        way: Way::Distorted2,
        multiple: "1",
        what: "Tate pairing on a supersingular curve of embedding degree 2, for tests",
        source: "the usual parameters of type A with 512 bits",
    },
    NamedPairing {
        name: "ss-b160",
        aliases: &[],
        groups: ["ss-b160", "ss-b160"],
        target: "ss-b160-fp6",
        way: Way::Distorted3,
        multiple: "1",
        what: "Tate pairing on a supersingular curve over Fp2 of embedding degree 3, for tests",
        source: "generated for tests",
    },
];

/// Every named setting of a pairing, in the order of the table.
pub fn named_pairings() -> &'static [NamedPairing] {
    SETTINGS
}
