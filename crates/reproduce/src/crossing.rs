//! Where one curve falls below another.

use crate::figure::Series;

/// The least x from which on `lower` stays at or below `upper`, as far as both have points; `None` where it does not at
/// the last one that they share.
pub fn crossing(lower: &Series, upper: &Series) -> Option<f64> {
    let shared = lower.points.iter().filter_map(|p| Some((p.x, p.y <= upper.at(p.x)?)));
    let mut from = None;
    for (x, below) in shared {
        from = if below { from.or(Some(x)) } else { None };
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Origin, Point};

    fn series(points: &[(f64, f64)]) -> Series {
        Series {
            name: String::new(),
            origin: Origin::Counted,
            points: points.iter().map(|(x, y)| Point { label: String::new(), x: *x, y: *y }).collect(),
        }
    }

    #[test]
    fn the_last_crossing_counts() {
        let upper = series(&[(1.0, 5.0), (2.0, 5.0), (3.0, 5.0), (4.0, 5.0)]);
        assert_eq!(crossing(&series(&[(1.0, 4.0), (2.0, 6.0), (3.0, 5.0), (4.0, 1.0)]), &upper), Some(3.0));
        assert_eq!(crossing(&series(&[(1.0, 4.0), (2.0, 6.0)]), &upper), None);
        assert_eq!(crossing(&series(&[(9.0, 4.0)]), &upper), None);
    }
}
