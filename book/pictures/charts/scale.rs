//! The logarithmic scale of a chart.

pub(crate) const WIDTH: f64 = 430.0;
pub(crate) const MARGIN: f64 = 12.0;
/// Room for the labels to the right of the scale.
const LABELS: f64 = 52.0;

/// A range of values, and its marks.
#[derive(Clone, Copy)]
pub(crate) struct Scale {
    pub(crate) least: f64,
    pub(crate) most: f64,
    pub(crate) ticks: &'static [f64],
}

/// Multiples from a seventh to twenty.
pub(crate) const MULTIPLES: Scale = Scale {
    least: 0.15,
    most: 20.0,
    ticks: &[0.2, 0.5, 1.0, 2.0, 5.0, 10.0],
};

impl Scale {
    /// The place of a value. A value outside of the scale is at its end.
    pub(crate) fn x(&self, value: f64) -> f64 {
        let value = value.clamp(self.least, self.most);
        let place = (value / self.least).ln() / (self.most / self.least).ln();
        MARGIN + place * (WIDTH - 2.0 * MARGIN - LABELS)
    }

    /// The label of a value. An arrow marks a value outside of the scale.
    pub(crate) fn label(&self, value: f64) -> String {
        let number = number(value);
        if value > self.most {
            format!("{number} →")
        } else if value < self.least {
            format!("← {number}")
        } else {
            number
        }
    }
}

/// The label of a mark of the scale.
pub(crate) fn tick_label(tick: f64) -> String {
    if tick < 1000.0 {
        tick.to_string()
    } else {
        number(tick)
    }
}

/// A number with three digits or more; thousands are separated.
fn number(value: f64) -> String {
    match value {
        value if value >= 1000.0 => {
            let (thousands, rest) = ((value / 1000.0).floor(), value % 1000.0);
            format!("{thousands:.0},{rest:03.0}")
        }
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value => format!("{value:.2}"),
    }
}
