//! The tables of a run: one for each row.

use crate::processors::Counts;

/// The sums of one runtime for one number of workers, an operation.
pub(crate) type Figures = [f64; Counts::NAMES.len()];

/// Returns the median of each figure, an operation.
pub(crate) fn medians(rounds: &[Counts], operations: usize) -> Figures {
    let median = |index| {
        let mut values: Vec<u64> = rounds.iter().map(|round| round.values()[index]).collect();
        values.sort_unstable();
        values[values.len() / 2] as f64 / operations as f64
    };
    std::array::from_fn(median)
}

/// Prints the head of a row's table.
pub(crate) fn print_head(row: &str, operation: &str) {
    println!("\n### `{row}`: {operation}\n");
    println!("| workers | {} |", Counts::NAMES.join(" | "));
    println!("| ---: |{}", " ---: |".repeat(Counts::NAMES.len()));
}

/// Prints the figures of volt and of tokio.
pub(crate) fn print_line(workers: usize, volt: &Figures, tokio: &Figures) {
    print!("| {workers} |");
    for (volt, tokio) in volt.iter().zip(tokio) {
        print!(" {} / {} |", rounded(*volt), rounded(*tokio));
    }
    println!();
}

fn rounded(figure: f64) -> String {
    if figure < 100.0 {
        format!("{figure:.1}")
    } else {
        format!("{figure:.0}")
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, medians};

    #[test]
    fn median_is_of_each_column_and_an_operation() {
        let round = |atomics, time| Counts {
            atomics,
            time,
            ..Counts::default()
        };
        let figures = medians(&[round(10, 300), round(30, 100), round(20, 200)], 10);
        assert_eq!((figures[1], figures[6]), (2.0, 20.0));
    }
}
