//! Wycheproof's cases of key exchanges, by machine code of our own: every case of a file, a file of each kind a day, all
//! files in a full run.
//!
//! Keys of most files are encoded as `SubjectPublicKeyInfo`. What is before a point of the named curve is known; a key
//! that begins otherwise (another encoding, parameters in place of the name), or holds no point of a point's length, is
//! refused before any function sees it; that none of these is valid is asserted.

use evariste::builder::Layout;
use evariste::{BigUint, Field, Op};
use evariste_testing::sample;
use evariste_tune::evaluate::Callable;
use num_bigint::BigInt;
use serde_json::Value;
use wycheproof::{TestResult, ecdh, xdh};

/// Machine code of an operation on bytes.
pub struct Function {
    name: String,
    callable: Callable,
    kernel: evariste_ir::Kernel,
}

impl Function {
    /// By the first choice in words of 64 bits.
    pub fn new(curve: &str, operation: &Op) -> Function {
        let field = Field::parse(&format!("curve:{curve}")).unwrap();
        let layout = field.layouts().into_iter().find(|layout| layout.word == 64).expect("words of 64 bits");
        Function::of(&field, &layout, operation)
    }

    /// By the first choice in a layout.
    pub fn of(field: &Field, layout: &Layout, operation: &Op) -> Function {
        let curve = field.text();
        let chosen = field.choose_first(Some(&layout.name), None, operation).unwrap();
        let (name, proved) = chosen.proved_plan(operation).unwrap_or_else(|e| panic!("{curve}: {e}"));
        let kernel = proved.kernel().clone();
        let callable = Callable::new(proved, None, None).unwrap_or_else(|e| panic!("{curve}: {e}"));
        Function { name: format!("{curve} {name}"), callable, kernel }
    }

    /// How many elements a parameter has.
    pub fn length(&self, name: &str) -> usize {
        self.kernel.array(self.kernel.find(name).expect("a parameter")).len as usize
    }

    /// The elements of the outputs of these names.
    pub fn call<const N: usize>(&self, inputs: &[(&str, Vec<BigInt>)], outputs: [&str; N]) -> [Vec<BigInt>; N] {
        let array = |name: &str| self.kernel.find(name).unwrap_or_else(|| panic!("{}: {name}", self.name));
        let inputs = inputs.iter().map(|(name, elements)| (array(name), elements.clone())).collect();
        let all = self.callable.call(&inputs).unwrap_or_else(|e| panic!("{}: {e}", self.name));
        outputs.map(|name| all.iter().find(|(a, _)| *a == array(name)).expect("an output").1.clone())
    }

    /// The bytes that it gives, where it says that they are valid.
    pub fn bytes(&self, inputs: &[(&str, &[u8])]) -> Option<Vec<u8>> {
        let inputs: Vec<_> = inputs.iter().map(|(name, bytes)| (*name, elements(bytes))).collect();
        let [out, valid] = self.call(&inputs, ["out", "valid"]);
        let out: Vec<u8> = out.iter().map(|x| u8::try_from(x).expect("a byte")).collect();
        assert!(valid == [BigInt::from(1)] || out.iter().all(|byte| *byte == 0), "{}: bytes of no result", self.name);
        (valid == [BigInt::from(1)]).then_some(out)
    }
}

/// Bytes as elements.
pub fn elements(bytes: &[u8]) -> Vec<BigInt> {
    bytes.iter().map(|byte| (*byte).into()).collect()
}

/// A case.
struct Case {
    id: String,
    flags: String,
    result: TestResult,
    private: Vec<u8>,
    public: Vec<u8>,
    shared: Vec<u8>,
}

impl Case {
    /// Is it about a point of a small order, or another without a shared secret?
    fn is_refused(&self) -> bool {
        ["LowOrderPublic", "ZeroSharedSecret"].iter().any(|flag| self.flags.contains(flag))
    }

    /// What must come out: the shared secret, or nothing.
    fn expected(&self) -> Option<Vec<u8>> {
        // (A bit string whose last byte is another one is no point.)
        if self.flags.contains("InvalidAsn") {
            return None;
        }
        let refused =
            self.is_refused() && self.result != TestResult::Valid && self.shared.iter().all(|byte| *byte == 0);
        (self.result != TestResult::Invalid && !refused).then(|| self.shared.clone())
    }
}

/// The cases of a file of either kind: both have the same fields.
macro_rules! cases {
    ($function:ident of $kind:ident) => {
        fn $function(name: $kind::TestName) -> Vec<Case> {
            let groups = $kind::TestSet::load(name).expect("a set of cases").test_groups;
            let case = |t: $kind::Test| Case {
                id: format!("{name:?} {}", t.tc_id),
                flags: format!("{:?}", t.flags),
                result: t.result,
                private: t.private_key.to_vec(),
                public: t.public_key.to_vec(),
                shared: t.shared_secret.to_vec(),
            };
            groups.into_iter().flat_map(|group| group.tests).map(case).collect()
        }
    };
}

cases!(ecdh_cases of ecdh);
cases!(xdh_cases of xdh);

/// A scalar of so many bytes, without the zeros of a longer one.
fn scalar(private: &[u8], length: usize) -> Vec<u8> {
    let digits = BigUint::from_bytes_be(private).to_bytes_be();
    [vec![0; length.checked_sub(digits.len()).expect("a scalar")], digits].concat()
}

/// A file of keys as [`ecdh_cases`] reads it: the curve, what is before its points and before compressed ones, how many
/// cases it has and how many of these are points and compressed points.
struct File {
    name: ecdh::TestName,
    curve: &'static str,
    prefixes: [&'static str; 2],
    cases: [usize; 3],
}

/// The files of `SubjectPublicKeyInfo`, and those of points alone.
#[rustfmt::skip] // A row is a file.
fn files() -> Vec<File> {
    use ecdh::TestName::*;
    let file = |name, curve, prefixes, cases| File { name, curve, prefixes, cases };
    let points = ["", ""];
    vec![
        file(EcdhSecp224r1, "p224", ["304e301006072a8648ce3d020106052b81040021033a00", "3032301006072a8648ce3d020106052b81040021031e00"], [714, 458, 2]),
        file(EcdhSecp256r1, "p256", ["3059301306072a8648ce3d020106082a8648ce3d030107034200", "3039301306072a8648ce3d020106082a8648ce3d030107032200"], [612, 349, 8]),
        file(EcdhSecp384r1, "p384", ["3076301006072a8648ce3d020106052b81040022036200", "3046301006072a8648ce3d020106052b81040022033200"], [1047, 790, 2]),
        file(EcdhSecp521r1, "p521", ["30819b301006072a8648ce3d020106052b8104002303818600", "3058301006072a8648ce3d020106052b81040023034400"], [916, 651, 12]),
        file(EcdhSecp256k1, "secp256k1", ["3056301006072a8648ce3d020106052b8104000a034200", "3036301006072a8648ce3d020106052b8104000a032200"], [752, 492, 4]),
        file(EcdhSecp224r1Ecpoint, "p224", points, [458, 455, 2]),
        file(EcdhSecp256r1Ecpoint, "p256", points, [355, 346, 8]),
        file(EcdhSecp384r1Ecpoint, "p384", points, [790, 787, 2]),
        file(EcdhSecp521r1Ecpoint, "p521", points, [661, 648, 12]),
    ]
}

/// Bytes of hexadecimal digits.
pub fn bytes_of(text: &str) -> Vec<u8> {
    let byte = |i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("a byte");
    (0..text.len() / 2).map(byte).collect()
}

/// Splits off the cases that are points behind the prefix, each of which must give what is expected of it: how many, and
/// the others.
fn exchanged<'a>(function: &Function, cases: Vec<&'a Case>, prefix: &str) -> (usize, Vec<&'a Case>) {
    let [k, p] = ["k", "p"].map(|name| function.length(name));
    let prefix = bytes_of(prefix);
    let point = |case: &&'a Case| case.public.strip_prefix(&prefix[..]).filter(|point| point.len() == p);
    let (points, others): (Vec<_>, Vec<_>) = cases.into_iter().partition(|case| point(case).is_some());
    for case in &points {
        let given = function.bytes(&[("k", &scalar(&case.private, k)), ("p", point(case).unwrap_or_default())]);
        assert_eq!(given, case.expected(), "{} ({})", case.id, case.flags);
    }
    (points.len(), others)
}

#[test]
fn exchanges_over_prime_fields() {
    let is_point = |file: &File| file.prefixes[0].is_empty();
    for file in sample("Wycheproof's prime curves", files(), usize::MAX, is_point) {
        let cases = ecdh_cases(file.name);
        let function = |operation: &Op| Function::new(file.curve, operation);
        let (points, others) = exchanged(&function(&Op::ECDH), cases.iter().collect(), file.prefixes[0]);
        let (compressed, others) = exchanged(&function(&Op::ECDH_COMPRESSED), others, file.prefixes[1]);
        assert_eq!([cases.len(), points, compressed], file.cases, "{:?}", file.name);
        for case in others {
            assert_ne!(case.result, TestResult::Valid, "{} ({})", case.id, case.flags);
        }
    }
}

/// X25519 and X448: what is on the twist or not canonical is taken, a shared secret of zeros is refused.
#[test]
fn exchanges_over_montgomery_curves() {
    for (name, curve, wanted) in [(xdh::TestName::X25519, "25519", (518, 31)), (xdh::TestName::X448, "448", (510, 11))]
    {
        let function = Function::new(curve, &Op::ECDH);
        let cases = xdh_cases(name);
        let mut refused = 0;
        for case in &cases {
            // A longer key is no argument of a function that takes so many bytes.
            if case.public.len() != function.length("u") {
                assert_eq!(case.result, TestResult::Invalid, "{}", case.id);
                continue;
            }
            let given = function.bytes(&[("k", &case.private), ("u", &case.public)]);
            refused += usize::from(given.is_none());
            assert_eq!(given, case.expected(), "{} ({})", case.id, case.flags);
        }
        assert_eq!((cases.len(), refused), wanted, "{name:?}");
    }
}

/// Public keys by tables of the base point: those of RFC 7748 (sections 5.2, after one step, 6.1 and 6.2), and of the private keys
/// of all cases what the ladder makes of the base point.
#[test]
fn public_keys_of_montgomery_curves() {
    let known = [
        (
            "25519",
            "0900000000000000000000000000000000000000000000000000000000000000",
            "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079",
        ),
        (
            "25519",
            "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
            "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
        ),
        (
            "448",
            "9a8f4925d1519f5775cf46b04b5800d4ee9ee8bae8bc5565d498c28dd9c9baf574a9419744897391006382a6f127ab1d9ac2d8c0a598726b",
            "9b08f7cc31b7e3e67d22d5aea121074a273bd2b83de09c63faa73d2c22c5d9bbc836647241d953d40c5b12da88120d53177f80e532c41fa0",
        ),
    ];
    for (name, curve, base) in [(xdh::TestName::X25519, "25519", 9), (xdh::TestName::X448, "448", 5)] {
        let (public, shared) = (Function::new(curve, &Op::PUBLIC_KEY), Function::new(curve, &Op::ECDH));
        for (_, private, key) in known.iter().filter(|(of, ..)| *of == curve) {
            assert_eq!(public.bytes(&[("k", &bytes_of(private))]), Some(bytes_of(key)), "{curve} {private}");
        }
        let mut u = vec![0; public.length("k")];
        u[0] = base;
        for case in xdh_cases(name).iter().filter(|case| case.private.len() == u.len()) {
            let key = public.bytes(&[("k", &case.private)]);
            assert!(key.is_some(), "{}", case.id);
            assert_eq!(key, shared.bytes(&[("k", &case.private), ("u", &u)]), "{}", case.id);
        }
    }
}

/// Binary curves. Points of small order are refused, although Wycheproof accepts what somebody makes of them.
#[test]
fn exchanges_over_binary_fields() {
    let file: Value = serde_json::from_str(include_str!("../../../vectors/wycheproof-sect.json")).expect("JSON");
    let curves = file["curves"].as_array().expect("curves").clone();
    assert_eq!(curves.len(), 6);
    let bytes = |value: &Value| bytes_of(value.as_str().expect("hexadecimal digits"));
    let is_koblitz = |curve: &Value| curve["name"].as_str().expect("a name").contains('k');
    for curve in sample("Wycheproof's binary curves", curves, usize::MAX, is_koblitz) {
        let function = Function::new(curve["name"].as_str().expect("a name"), &Op::ECDH);
        let mut given = 0;
        for case in curve["cases"].as_array().expect("cases") {
            let text = |i: usize| case[i].as_str().unwrap_or_default();
            let (k, p) = (scalar(&bytes(&case[3]), function.length("k")), bytes(&case[4]));
            let shared = function.bytes(&[("k", &k), ("p", &p)]);
            let refused = text(2) == "invalid" || text(1) == "LowOrderPublic";
            let refused = refused || text(1) == "InvalidAsn";
            let expected = (!refused).then(|| bytes(&case[5]));
            assert_eq!(shared, expected, "{} {} ({})", curve["name"], case[0], text(1));
            given += usize::from(shared.is_some());
        }
        assert!(given >= 14, "{}: {given}", curve["name"]);
    }
}
