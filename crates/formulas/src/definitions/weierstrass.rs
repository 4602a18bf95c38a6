//! Points of `y² = x³ + a x + b` and what their sums are, for formulas in several coordinates.

use crate::build::{Builder, Element};

/// A point (X : Y : Z) that stands for (X/Z, Y/Z).
pub const PROJECTIVE: [u32; 2] = [1, 1];
/// A point (X : Y : Z) that stands for (X/Z², Y/Z³).
pub const JACOBIAN: [u32; 2] = [2, 3];

/// The coordinates of a point as inputs.
pub fn input<'b>(b: &'b Builder, name: &str, at: &str) -> [Element<'b>; 3] {
    let all = b.input(name, &format!("X{at} Y{at} Z{at}"));
    [all[0], all[1], all[2]]
}

/// What coordinates say: `X = x Z^i`, `Y = y Z^j`, and (x, y) lies on the curve.
pub fn stands_for(b: &Builder, at: &str, [i, j]: [u32; 2]) {
    b.define(&format!("unknown x{at}"));
    b.define(&format!("unknown y{at}"));
    on_curve(b, at);
    b.define(&format!("given X{at} = x{at}*Z{at}^{i}"));
    b.define(&format!("given Y{at} = y{at}*Z{at}^{j}"));
}

/// Two points on the curve with constants a and b, and their sum.
pub fn two_points(b: &Builder, powers: [u32; 2]) -> [[Element<'_>; 3]; 2] {
    let points = [input(b, "P", "1"), input(b, "Q", "2")];
    b.constant("a");
    b.constant("b");
    stands_for(b, "1", powers);
    stands_for(b, "2", powers);
    sum(b);
    points
}

/// (x, y) lies on the curve.
pub fn on_curve(b: &Builder, at: &str) {
    b.define(&format!("given y{at}^2 = x{at}^3 + a*x{at} + b"));
}

/// The slope of a sum, and the sum.
pub fn sum(b: &Builder) {
    b.define("nonzero x1 - x2 \"equal and opposite points\"");
    b.define("let slope = (y1 - y2)/(x1 - x2)");
    b.define("let x3 = slope^2 - x1 - x2");
    b.define("let y3 = slope*(x1 - x3) - y1");
}

/// The slope of a doubling, and the double.
pub fn double(b: &Builder) {
    b.define("nonzero 2*y1 \"points of order two\"");
    b.define("let slope = (3*x1^2 + a)/(2*y1)");
    b.define("let x3 = slope^2 - 2*x1");
    b.define("let y3 = slope*(x1 - x3) - y1");
}

/// The outputs stand for (x3, y3).
pub fn gives(b: &Builder, [i, j]: [u32; 2], out: [Element; 3]) {
    b.define("nonzero Z3 \"the identity\"");
    b.define(&format!("gives X3 = x3*Z3^{i}"));
    b.define(&format!("gives Y3 = y3*Z3^{j}"));
    b.output("R", "X3 Y3 Z3", &out);
}
