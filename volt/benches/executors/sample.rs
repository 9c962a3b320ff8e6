//! Repeated measurements of one cost, and their statistics.

/// The costs of one contestant on one workload.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample {
    costs: Vec<f64>,
}

impl Sample {
    pub(crate) fn push(&mut self, cost: f64) {
        let at = self.costs.partition_point(|known| *known < cost);
        self.costs.insert(at, cost);
    }

    pub(crate) fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// Returns half the interquartile range, divided by the median.
    pub(crate) fn spread(&self) -> f64 {
        (self.quantile(0.75) - self.quantile(0.25)) / 2.0 / self.median()
    }

    /// Returns the cost that the fraction `part` of all costs does not exceed.
    pub(crate) fn quantile(&self, part: f64) -> f64 {
        let position = part * (self.costs.len() - 1) as f64;
        let (low, high) = (position.floor() as usize, position.ceil() as usize);
        let weight = position - position.floor();
        self.costs[low] * (1.0 - weight) + self.costs[high] * weight
    }
}
