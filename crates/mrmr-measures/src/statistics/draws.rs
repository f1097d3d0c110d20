//! Sums of values drawn with replacement.

use super::random::Random;

/// Values to draw as many from as there are.
///
/// Where one value makes up half of them or more, as 0 does for a system that finds little, only
/// the others are drawn one by one: how many they are has a binomial distribution.
pub(super) struct Draws {
    common: i64,
    others: Vec<i64>,
    count: usize,
    /// The chances of up to 0, 1, ... draws of the others; empty where all are drawn one by one.
    up_to: Vec<f64>,
}

impl Draws {
    /// Of ascending values.
    pub(super) fn new(values: &[i64]) -> Self {
        let count = values.len();
        let middle = values[count / 2];
        let others: Vec<i64> = values.iter().copied().filter(|v| *v != middle).collect();
        if 2 * others.len() > count {
            return Draws {
                common: 0,
                others: values.to_vec(),
                count,
                up_to: Vec::new(),
            };
        }
        Draws {
            common: middle,
            up_to: binomial(count, others.len() as f64 / count as f64),
            others,
            count,
        }
    }

    /// The sum of one resample.
    pub(super) fn sum(&self, random: &mut Random) -> i64 {
        let drawn = if self.up_to.is_empty() {
            self.count
        } else {
            let share = (random.next() >> 11) as f64 / (1u64 << 53) as f64;
            self.up_to.partition_point(|chance| *chance <= share)
        };
        // The high half of a 32-bit draw times the count: some values come up more often, by a
        // share of at most count / 2^32.
        let values = self.others.len() as u64;
        let at = |half: u64| self.others[((half * values) >> 32) as usize];
        let mut total = self.common * (self.count - drawn) as i64;
        for _ in 0..drawn / 2 {
            let bits = random.next();
            total += at(bits >> 32) + at(bits & 0xffff_ffff);
        }
        if drawn % 2 == 1 {
            total += at(random.next() >> 32);
        }
        total
    }
}

/// The chances of up to 0, 1, ... successes; the last is 1.
fn binomial(count: usize, chance: f64) -> Vec<f64> {
    // Each chance from its neighbour's, outward from the most likely number, which is set to 1.
    let odds = chance / (1.0 - chance);
    let likely = (count as f64 * chance) as usize;
    let mut chances = vec![0.0f64; count + 1];
    chances[likely] = 1.0;
    for k in likely + 1..=count {
        chances[k] = chances[k - 1] * odds * (count - k + 1) as f64 / k as f64;
    }
    for k in (0..likely).rev() {
        chances[k] = chances[k + 1] / odds * (k + 1) as f64 / (count - k) as f64;
    }
    let mut sum = 0.0;
    for chance in &mut chances {
        sum += *chance;
        *chance = sum;
    }
    let last = chances.partition_point(|chance| *chance < sum);
    chances.truncate(last + 1);
    chances.iter_mut().for_each(|chance| *chance /= sum);
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binomial_distribution_has_the_chances_of_its_formula() {
        let chances = binomial(4, 0.25);
        let expected = [81.0, 189.0, 243.0, 255.0, 256.0].map(|share| share / 256.0);
        for (found, expected) in chances.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15);
        }
        assert_eq!(chances.len(), 5);
        assert_eq!(binomial(100_000, 0.3).last(), Some(&1.0));
    }

    #[test]
    fn a_common_value_changes_the_cost_and_not_the_distribution() {
        let values = [0, 0, 0, 0, 0, 0, 3, 5];
        let draws = Draws::new(&values);
        assert_eq!(draws.others, [3, 5]);
        let mut random = Random::new(1, 0);
        let sums: Vec<i64> = (0..100_000).map(|_| draws.sum(&mut random)).collect();
        let mean = sums.iter().sum::<i64>() as f64 / 1e5;
        let variance = sums
            .iter()
            .map(|sum| (*sum as f64 - 8.0).powi(2))
            .sum::<f64>()
            / 1e5;
        // The sum of 8 draws: mean 8, variance 8 * (34 / 8 - 1) = 26.
        assert!((mean - 8.0).abs() < 0.08 && (variance - 26.0).abs() < 0.8);
    }
}
