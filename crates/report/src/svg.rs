//! Scalable drawings, as far as the page needs them: scales, axes, texts, bars. One unit is about one CSS pixel,
//! because drawings are as wide as a telephone and are set side by side where there is room, so that texts keep their
//! size.

use maud::{Markup, html};

/// Width of every drawing.
pub const WIDTH: f64 = 360.0;

/// Width of a character of the style's texts of 11 units, rounded up: digits and most letters are narrower.
const CHARACTER: f64 = 6.6;

/// A coordinate: at most two decimals.
pub fn at(x: f64) -> String {
    let text = format!("{x:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".into() } else { short.into() }
}

/// A text that fits into a width; where it was cut it ends in an ellipsis.
pub fn fitted(text: &str, width: f64) -> String {
    let most = (width / CHARACTER) as usize;
    if text.chars().count() <= most {
        text.into()
    } else {
        text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
    }
}

/// From values to places.
pub struct Scale {
    low: f64,
    high: f64,
    log: bool,
    from: f64,
    to: f64,
}

impl Scale {
    /// From zero to a round number not below `most`.
    pub fn from_zero(most: f64, from: f64, to: f64) -> Scale {
        let most = if most > 0.0 { most } else { 1.0 };
        let step = step(most);
        Scale { low: 0.0, high: (most / step).ceil() * step, log: false, from, to }
    }

    /// Around values: from zero, or logarithmic from the round number below the least.
    pub fn around(values: &[f64], log: bool, from: f64, to: f64) -> Scale {
        let (least, most) = extremes(values);
        if !log || least > most {
            return Scale::from_zero(most, from, to);
        }
        let low = round_numbers(least / 10.0, least).last().copied().unwrap_or(least);
        let high = round_numbers(most, most * 10.0).into_iter().find(|x| *x > low).unwrap_or(most * 10.0);
        Scale { low, high, log: true, from, to }
    }

    /// Is it logarithmic?
    pub fn is_log(&self) -> bool {
        self.log
    }

    /// The place of a value.
    pub fn at(&self, x: f64) -> f64 {
        let share = if self.log {
            (x.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (x - self.low) / (self.high - self.low)
        };
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// Values that the axis names.
    pub fn ticks(&self) -> Vec<f64> {
        if !self.log {
            let step = step(self.high);
            return (0..).map(|i| i as f64 * step).take_while(|x| *x <= self.high * 1.000_001).collect();
        }
        let all = round_numbers(self.low, self.high);
        let every = all.len().div_ceil(7);
        all.into_iter().step_by(every).collect()
    }
}

/// Do values spread so far that a scale from zero would crowd the small ones?
pub fn spread_wide(values: &[f64]) -> bool {
    let (least, most) = extremes(values);
    most > 8.0 * least
}

/// The least positive value and the greatest: infinity and 0 where there is none.
fn extremes(values: &[f64]) -> (f64, f64) {
    let least = values.iter().copied().filter(|x| *x > 0.0).fold(f64::INFINITY, f64::min);
    (least, values.iter().copied().fold(0.0, f64::max))
}

/// A round step that divides `most` into three to six parts.
fn step(most: f64) -> f64 {
    let power = 10f64.powf((most / 5.0).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|x| x * power).find(|step| most / step <= 5.0).unwrap_or(power * 10.0)
}

/// The numbers 1, 2, 5 times a power of ten in an interval.
fn round_numbers(low: f64, high: f64) -> Vec<f64> {
    let first = low.log10().floor() as i32;
    let last = high.log10().ceil() as i32;
    let all = (first..=last).flat_map(|e| [1.0, 2.0, 5.0].map(|x| x * 10f64.powi(e)));
    all.filter(|x| *x >= low * 0.999_999 && *x <= high * 1.000_001).collect()
}

/// A value on an axis: without needless decimals.
pub fn tick_text(x: f64) -> String {
    if x >= 1.0 { at(x) } else { format!("{:.3}", x).trim_end_matches('0').trim_end_matches('.').into() }
}

/// The drawing around its parts, with a title and a description for those who do not see it. `id` is unique on the
/// page.
pub fn drawing(id: &str, title: &str, description: &str, height: f64, parts: Markup) -> Markup {
    sized_drawing(id, title, description, (WIDTH, height), parts)
}

/// A drawing of the given width and height.
pub fn sized_drawing(id: &str, title: &str, description: &str, (width, height): (f64, f64), parts: Markup) -> Markup {
    html! {
        svg role="img" viewBox=(format!("0 0 {} {}", at(width), at(height))) aria-labelledby={ (id) "-t " (id) "-d" } {
            title id={ (id) "-t" } { (title) }
            desc id={ (id) "-d" } { (description) }
            (parts)
        }
    }
}

/// A text; `anchor` is `start`, `middle` or `end`.
pub fn text(class: &str, anchor: &str, x: f64, y: f64, content: &str) -> Markup {
    html! { text class=(class) text-anchor=(anchor) x=(at(x)) y=(at(y)) { (content) } }
}

/// A line.
pub fn line(class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> Markup {
    html! { line class=(class) x1=(at(x1)) y1=(at(y1)) x2=(at(x2)) y2=(at(y2)) {} }
}

/// A bar from (x, y), at least half a unit wide, with a title that is shown while the pointer rests on it.
pub fn bar(class: &str, (x, y): (f64, f64), (width, height): (f64, f64), title: &str) -> Markup {
    html! { rect class=(class) x=(at(x)) y=(at(y)) width=(at(width.max(0.5))) height=(at(height)) { title { (title) } } }
}

/// Vertical lines of a scale from `top` to `bottom`, the values below them, the unit under all.
pub fn value_axis(scale: &Scale, top: f64, bottom: f64, unit: &str) -> Markup {
    let middle = (scale.from + scale.to) / 2.0;
    html! {
        @for x in scale.ticks() {
            (line("grid", (scale.at(x), top), (scale.at(x), bottom)))
            (text("tick", "middle", scale.at(x), bottom + 14.0, &tick_text(x)))
        }
        (text("unit", "middle", middle, bottom + 29.0, unit))
    }
}

/// Height of what [`value_axis`] writes below `bottom`.
pub const AXIS: f64 = 34.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_have_few_round_ticks_and_keep_values_inside() {
        for most in [0.0, 0.003, 0.7, 1.0, 3.2, 9.99, 10.0, 41.0, 99.0, 101.0, 4567.0, 1e7] {
            let scale = Scale::from_zero(most, 10.0, 300.0);
            let ticks = scale.ticks();
            assert!((3..=7).contains(&ticks.len()), "{most}: {ticks:?}");
            assert!(
                scale.at(most) <= 300.0 && scale.high >= most && ticks.last() >= Some(&(most * 0.999)),
                "{most}: {ticks:?}"
            );
        }
        for values in [[1.0, 9.0], [0.2, 31.0], [5.0, 7.0], [40.0, 39_000.0], [3.0, 4e6]] {
            let scale = Scale::around(&values, true, 300.0, 10.0);
            let ticks = scale.ticks();
            assert!(scale.is_log() && (2..=7).contains(&ticks.len()), "{values:?}: {ticks:?}");
            assert!(
                values.iter().all(|x| scale.low <= *x && *x <= scale.high),
                "{values:?}: {} to {}",
                scale.low,
                scale.high
            );
            assert!(scale.at(values[0]) > scale.at(values[1]));
        }
        let one = Scale::around(&[5.0], true, 0.0, 1.0);
        assert!(one.is_log() && one.high > one.low && one.low <= 5.0);
        assert!(!Scale::around(&[], true, 0.0, 1.0).is_log() && !Scale::around(&[5.0, 30.0], false, 0.0, 1.0).is_log());
        assert!(spread_wide(&[1.0, 9.0]) && !spread_wide(&[5.0, 30.0]) && !spread_wide(&[]));
    }

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!((fitted("αβγδ", 26.5), fitted("αβγδε", 26.5)), ("αβγδ".to_string(), "αβγ…".to_string()));
        assert_eq!((at(-0.001), at(12.5), at(100.0)), ("0".to_string(), "12.5".to_string(), "100".to_string()));
    }
}
