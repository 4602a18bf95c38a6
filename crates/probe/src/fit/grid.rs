//! Numbers that a core can have: simple fractions of a cycle.

/// Times of the same code differ by this part.
pub(super) const NOISE: f64 = 0.05;
/// What was measured is above the truth by this part at most, and below it by that.
const ABOVE: f64 = 0.04;
const BELOW: f64 = 0.03;
/// What takes one cycle over a number of ports may seem to take that part less: where neighbours differ by more, nothing
/// simpler is near.
const BELOW_PORTS: f64 = 0.05;
/// What is off a whole number of slots by less than this is that number; what lies between is the lower one.
const NEAR: f64 = 0.4;
/// No fraction has a greater denominator.
const FINEST: u32 = 24;

/// The fraction of the least denominator that is within the noise of a measured number; the number itself where none is.
pub fn simple(measured: f64) -> f64 {
    let low = measured * (1.0 - ABOVE);
    let of = |denominator: u32| {
        let d = f64::from(denominator);
        let parts = (measured * d).round();
        let high = measured * (1.0 + if parts > 1.0 { BELOW } else { BELOW_PORTS });
        (parts > 0.0 && (low..=high).contains(&(parts / d))).then_some(parts / d)
    };
    (1..=FINEST).find_map(of).unwrap_or(measured)
}

/// How many slots that is: what lies between two numbers is the lower one.
pub fn slots(used: f64, slot: f64) -> u32 {
    (used / slot + NEAR).floor().clamp(0.0, 1e6) as u32
}

/// Is it off every whole number of slots?
pub fn is_unsure(used: f64, slot: f64) -> bool {
    let part = (used / slot).rem_euclid(1.0);
    used > 0.0 && (0.2..=0.8).contains(&part)
}

/// The slot of what takes so many cycles a copy: the whole of them where that is one over a number of ports, else about a
/// quarter of a cycle.
pub fn slot(cycles: f64) -> f64 {
    if is_one_of_ports(cycles) { cycles } else { cycles / (4.0 * cycles).round().max(1.0) }
}

/// Is it one cycle over a whole number?
pub fn is_one_of_ports(cycles: f64) -> bool {
    let ports = 1.0 / cycles;
    ports > 0.99 && (ports - ports.round()).abs() < 0.01
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_changes_no_fraction() {
        for (measured, is) in [
            (0.1648, 1.0 / 6.0),
            (0.171, 1.0 / 6.0),
            (0.1917, 0.2),
            (0.2031, 0.2),
            (0.2462, 0.25),
            (0.2561, 0.25),
            (0.331, 1.0 / 3.0),
            (0.386, 3.0 / 8.0),
            (0.511, 0.5),
            (0.9838, 1.0),
            (1.4764, 1.5),
            (1.9969, 2.0),
        ] {
            assert!((simple(measured) - is).abs() < 1e-12, "{measured}: {}", simple(measured));
        }
        assert!(simple(0.0).abs() < 1e-12);
        assert!((simple(0.0123) - 0.0123).abs() < 1e-12);
    }

    #[test]
    fn slots_are_whole() {
        assert_eq!([0.02, 0.24, 0.26, 0.49, 1.03].map(|used| slots(used, 0.25)), [0, 1, 1, 2, 4]);
        assert_eq!(slots(-1.0, 0.25), 0);
        assert!(is_unsure(0.12, 0.25) && !is_unsure(0.26, 0.25) && !is_unsure(-0.1, 0.25));
        assert!(
            (slot(2.0) - 0.25).abs() < 1e-12 && (slot(0.5) - 0.5).abs() < 1e-12 && (slot(1.5) - 0.25).abs() < 1e-12
        );
    }
}
