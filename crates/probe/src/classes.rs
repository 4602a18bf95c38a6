//! Specimens that behave alike.

/// Specimens of a class take as long, alone and beside others, up to that part.
const ALIKE: f64 = 0.03;

/// Specimens that take as long alone, and beside every other.
#[derive(Clone, PartialEq, Debug)]
pub struct Classes {
    /// The class of each specimen.
    pub class: Vec<usize>,
    /// A specimen of each class, the first.
    pub leaders: Vec<usize>,
}

impl Classes {
    /// The classes of specimens, by their cycles alone and in pairs.
    pub fn of(alone: &[f64], pairs: &[Vec<f64>]) -> Classes {
        let (mut class, mut leaders): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        for i in 0..alone.len() {
            let apart = |l: usize| {
                let others = (0..alone.len()).filter(|k| *k != i && *k != l);
                let parts: Vec<f64> = others.map(|k| (pairs[i][k] / pairs[l][k] - 1.0).abs()).collect();
                parts.iter().sum::<f64>() / parts.len().max(1) as f64
            };
            // They are in each other's way as if they were one.
            let like = |l: usize| {
                let both = alone[i] + alone[l];
                (alone[i] - alone[l]).abs() <= 0.01 + ALIKE * alone[l]
                    && (pairs[i][l] - both).abs() <= 0.01 + 2.0 * ALIKE * both
            };
            let near = leaders.iter().enumerate().filter(|(_, l)| like(**l)).map(|(c, l)| (c, apart(*l)));
            match near.min_by(|a, b| a.1.total_cmp(&b.1)) {
                Some((c, apart)) if apart <= ALIKE => class.push(c),
                _ => {
                    class.push(leaders.len());
                    leaders.push(i);
                }
            }
        }
        Classes { class, leaders }
    }

    /// The specimens of each class.
    pub fn members(&self) -> Vec<Vec<usize>> {
        let of = |c: usize| (0..self.class.len()).filter(|i| self.class[*i] == c).collect();
        (0..self.leaders.len()).map(of).collect()
    }
}
