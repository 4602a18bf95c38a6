//! Toy curves: all points, the affine law.

use super::{F, Group, Point, Toy};

/// `y² = x³ + a₂x² + a x + b`; none where the curve is singular.
pub fn cubic<T: Toy>(f: &F<T>, a2: u32, a: u32, b: u32) -> Option<Group> {
    let value = |x: u32| f.sum(&[f.product(&[x, x, x]), f.product(&[a2, x, x]), f.mul(a, x), b]);
    let slope = |x: u32| f.sum(&[f.product(&[f.int(3), x, x]), f.product(&[f.int(2), a2, x]), a]);
    if f.all().any(|x| value(x) == 0 && slope(x) == 0) {
        return None;
    }
    let on_curve = |x: u32, y: u32| f.mul(y, y) == value(x);
    let mut points: Vec<Point> = vec![None];
    points.extend(f.all().flat_map(|x| f.all().map(move |y| (x, y))).filter(|(x, y)| on_curve(*x, *y)).map(Some));
    Some(Group::new(points, |p, q| {
        let (Some((x1, y1)), Some((x2, y2))) = (p, q) else { return p.or(q) };
        let l = if x1 != x2 {
            f.div(f.sub(y2, y1), f.sub(x2, x1))?
        } else if y1 == y2 {
            f.div(slope(x1), f.mul(f.int(2), y1))?
        } else {
            return None;
        };
        let x3 = f.sub(f.sub(f.sub(f.mul(l, l), a2), x1), x2);
        Some((x3, f.sub(f.mul(l, f.sub(x1, x3)), y1)))
    }))
}

/// `y² + xy = x³ + a x² + b` in characteristic 2, `b ≠ 0`.
pub fn binary<T: Toy>(f: &F<T>, a: u32, b: u32) -> Group {
    let on_curve =
        |x: u32, y: u32| f.add(f.mul(y, y), f.mul(x, y)) == f.sum(&[f.product(&[x, x, x]), f.product(&[a, x, x]), b]);
    let mut points: Vec<Point> = vec![None];
    points.extend(f.all().flat_map(|x| f.all().map(move |y| (x, y))).filter(|(x, y)| on_curve(*x, *y)).map(Some));
    Group::new(points, |p, q| {
        let (Some((x1, y1)), Some((x2, y2))) = (p, q) else { return p.or(q) };
        let (l, x3) = if x1 != x2 {
            let l = f.div(f.add(y1, y2), f.add(x1, x2))?;
            (l, f.sum(&[f.mul(l, l), l, x1, x2, a]))
        } else if y1 == y2 {
            let l = f.add(x1, f.div(y1, x1)?);
            (l, f.sum(&[f.mul(l, l), l, a]))
        } else {
            return None;
        };
        Some((x3, f.sum(&[f.mul(l, f.add(x1, x3)), x3, y1])))
    })
}

/// `a x² + y² = 1 + d x² y²`, identity (0, 1).
pub fn edwards<T: Toy>(f: &F<T>, a: u32, d: u32) -> Group {
    let on_curve = |x: u32, y: u32| {
        let (xx, yy) = (f.mul(x, x), f.mul(y, y));
        f.add(f.mul(a, xx), yy) == f.add(1, f.product(&[d, xx, yy]))
    };
    let points = f.all().flat_map(|x| f.all().map(move |y| (x, y))).filter(|(x, y)| on_curve(*x, *y)).map(Some);
    Group::new(points.collect(), |p, q| {
        let ((x1, y1), (x2, y2)) = (p?, q?);
        let t = f.product(&[d, x1, x2, y1, y2]);
        let x3 = f.div(f.add(f.mul(x1, y2), f.mul(y1, x2)), f.add(1, t))?;
        Some((x3, f.div(f.sub(f.mul(y1, y2), f.product(&[a, x1, x2])), f.sub(1, t))?))
    })
}

/// `d(x + x² + y + y²) = (x + x²)(y + y²)` in characteristic 2, identity (0, 0).
pub fn binary_edwards<T: Toy>(f: &F<T>, d: u32) -> Group {
    let s = |x: u32| f.add(x, f.mul(x, x));
    let on_curve = |x: u32, y: u32| f.mul(d, f.add(s(x), s(y))) == f.mul(s(x), s(y));
    let points = f.all().flat_map(|x| f.all().map(move |y| (x, y))).filter(|(x, y)| on_curve(*x, *y)).map(Some);
    Group::new(points.collect(), |p, q| {
        let ((x1, y1), (x2, y2)) = (p?, q?);
        let half = |x1: u32, y1: u32, x2: u32, y2: u32| {
            let inner = f.add(f.mul(x2, f.sum(&[y1, y2, 1])), f.mul(y1, y2));
            let n =
                f.sum(&[f.mul(d, f.add(x1, x2)), f.product(&[d, f.add(x1, y1), f.add(x2, y2)]), f.mul(s(x1), inner)]);
            f.div(n, f.add(d, f.mul(s(x1), f.add(x2, y2))))
        };
        Some((half(x1, y1, x2, y2)?, half(y1, x1, y2, x2)?))
    })
}
