//! Pairings of points in bytes: values, and everything that is no point refused, by machine code; one pairing a day.

use evariste::builder::Layout;
use evariste::{BigUint, Field, Op};
use evariste_algorithms::Form;
use evariste_descriptions::{Curve, Modulus, Pairing, Structure, Tower};
use num_bigint::BigInt;

use crate::wycheproof_cases::{Function, elements};

/// A pairing of the second group over a quadratic field, with its functions.
struct Setting {
    pairing: Pairing,
    layout: Layout,
    one: Function,
    two: Function,
}

impl Setting {
    fn new(name: &str) -> Setting {
        let field = Field::parse(&format!("pairing:{name}")).unwrap();
        let pairing = field.spec().get::<Pairing>().expect("a pairing").clone();
        let layout = field.layouts().into_iter().find(|l| l.word == 64 && l.montgomery.is_some()).expect("a layout");
        let [one, two] =
            [Op::PAIRING_OF_BYTES, Op::MULTI_PAIRING_OF_BYTES].map(|op| Function::of(&field, &layout, &op));
        Setting { pairing, layout, one, two }
    }

    fn modulus(&self) -> &Modulus {
        &self.pairing.target.base
    }

    fn length(&self) -> usize {
        self.modulus().bits.div_ceil(8) as usize
    }

    /// The bytes of these coordinates over the prime field, x and y from the lowest coordinate on, of which a number may
    /// be any.
    fn bytes(&self, coordinates: &[BigUint]) -> Vec<u8> {
        let half = coordinates.len() / 2;
        let mut all = vec![4];
        for element in coordinates.chunks(half) {
            for x in element.iter().rev() {
                let bytes = x.to_bytes_be();
                all.extend(std::iter::repeat_n(0, self.length() - bytes.len()).chain(bytes));
            }
        }
        all
    }

    fn coordinates(curve: &Curve, point: &BigUint) -> Vec<BigUint> {
        let (x, y) = curve.unpacked(point).expect("a point");
        let of = |x: &BigUint| curve.field().get::<Tower>().map_or_else(|| vec![x.clone()], |t| t.unpacked(x));
        [of(&x), of(&y)].concat()
    }

    /// A value as a layout holds it.
    fn held(&self, value: &BigUint) -> Vec<BigInt> {
        let form = Form::modulo(Some(&self.modulus().value), &self.layout);
        let digits = |x: &BigUint| {
            let held = form.held(x);
            (0..self.layout.digits()).map(move |i| BigInt::from((&held >> (64 * i)) % (BigUint::from(1u32) << 64u32)))
        };
        self.pairing.target.unpacked(value).iter().flat_map(digits).collect()
    }

    fn pairing(&self, p: &[u8], q: &[u8]) -> (Vec<BigInt>, bool) {
        let [out, valid] = self.one.call(&[("p", elements(p)), ("q", elements(q))], ["out", "valid"]);
        (out, valid == [BigInt::from(1)])
    }

    fn product(&self, pairs: [[&[u8]; 2]; 2]) -> (Vec<BigInt>, bool) {
        let [[p1, q1], [p2, q2]] = pairs.map(|pair| pair.map(elements));
        let [out, valid] = self.two.call(&[("p1", p1), ("q1", q1), ("p2", p2), ("q2", q2)], ["out", "valid"]);
        (out, valid == [BigInt::from(1)])
    }
}

/// What is no point of a group, from the coordinates of one that is: why, and its bytes.
fn wrong(setting: &Setting, curve: &Curve, coordinates: &[BigUint]) -> Vec<(String, Vec<u8>)> {
    let p = &setting.modulus().value;
    let right = setting.bytes(coordinates);
    let mut all = Vec::new();
    for prefix in [0, 2, 3, 5, 6, 7, 0x84] {
        all.push((format!("prefix {prefix}"), [&[prefix], &right[1..]].concat()));
    }
    for i in 0..coordinates.len() {
        let mut changed = |why: &str, x: BigUint| {
            let mut other = coordinates.to_vec();
            other[i] = x;
            all.push((format!("coordinate {i} {why}"), setting.bytes(&other)));
        };
        // The same point, in a number that is not canonical; p itself.
        if (&coordinates[i] + p).bits() <= 8 * setting.length() as u64 {
            changed("not below p", &coordinates[i] + p);
        }
        changed("p", p.clone());
        changed("all ones", (BigUint::from(1u32) << (8 * setting.length())) - 1u32);
        changed("another one", (&coordinates[i] + 1u32) % p);
    }
    if coordinates.len() == 4 {
        let order = [1, 0, 3, 2].map(|i: usize| coordinates[i].clone());
        all.push(("the second coordinate last".into(), setting.bytes(&order)));
    }
    all.push(("zeros".into(), vec![0; right.len()]));
    if curve.has_other_points() {
        let outside = (1u32..100)
            .filter_map(|x| curve.lifted(&x.into()))
            .find(|point| curve.order.as_ref().is_some_and(|order| curve.scale(order, point) != curve.zero()));
        let outside = Setting::coordinates(curve, &outside.expect("a point outside of the group"));
        all.push(("outside of the group".into(), setting.bytes(&outside)));
    }
    all
}

#[test]
fn points_in_bytes_are_paired_or_refused() {
    for name in evariste_testing::sample("pairings of bytes", vec!["bls12-381", "bn254"], usize::MAX, |_| ()) {
        let setting = Setting::new(name);
        let pairing = &setting.pairing;
        let multiple = |curve: &Curve, k: &BigUint| curve.scale_base(&(k % &pairing.order)).expect("a multiple");
        let [k, l] = [0x9e37_79b9_7f4a_7c15u64, 0x6a09_e667_f3bc_c908].map(BigUint::from);
        let [p, minus] = [k.clone(), &pairing.order - &k].map(|k| multiple(&pairing.first, &k));
        let q = multiple(&pairing.second, &l);
        let (of_p, of_q) = (Setting::coordinates(&pairing.first, &p), Setting::coordinates(&pairing.second, &q));
        let (a, b) = (setting.bytes(&of_p), setting.bytes(&of_q));
        let opposite = setting.bytes(&Setting::coordinates(&pairing.first, &minus));
        let value = setting.held(&pairing.pairing(&p, &q));
        let one = setting.held(&pairing.target.one());
        assert_eq!(setting.pairing(&a, &b), (value.clone(), true), "{name}");
        assert_eq!(setting.product([[&a, &b], [&opposite, &b]]), (one.clone(), true), "{name}");
        for (why, bytes) in wrong(&setting, &pairing.first, &of_p) {
            assert_eq!(setting.pairing(&bytes, &b), (one.clone(), false), "{name}, first group: {why}");
            assert_eq!(setting.product([[&bytes, &b], [&a, &b]]), (value.clone(), false), "{name}: {why}");
        }
        for (why, bytes) in wrong(&setting, &pairing.second, &of_q) {
            assert_eq!(setting.pairing(&a, &bytes), (one.clone(), false), "{name}, second group: {why}");
            assert_eq!(setting.product([[&a, &b], [&a, &bytes]]), (value.clone(), false), "{name}: {why}");
        }
    }
}
