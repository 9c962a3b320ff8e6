//! Names of locals that the compiler suggests in the place of an unknown name.
//!
//! ```text
//! let total = first().await; second().await; totl
//!                                            ^^^^ help: a local variable with a similar name exists
//! ```
//!
//! The reference function and the machine contain the same text. rustc reports an error of both
//! once, if both messages are equal. So the machine has a local of the similar name, too, also in
//! the states that do not store it.
//!
//! The rule is that of rustc (`rustc_span::edit_distance::find_best_match_for_name`). A name that
//! only this rule finds has no effect: rustc chooses among the names in scope.

use std::collections::BTreeSet;

use proc_macro2::Ident;

use super::local::LocalData;

/// The similar names of a function.
#[derive(Debug, Default)]
pub(super) struct SimilarNames {
    found: Vec<Ident>,
}

impl SimilarNames {
    /// Adds the locals in scope that have a similar name.
    pub(super) fn add<'l>(&mut self, unknown: &str, locals: impl Iterator<Item = &'l LocalData>) {
        let similar = locals.filter(|local| local.ident == local.name);
        for local in similar.filter(|local| is_similar(unknown, &local.name)) {
            if !self.found.contains(&local.ident) {
                self.found.push(local.ident.clone());
            }
        }
    }

    /// Returns the names that mean nothing else in the function.
    pub(super) fn without(self, others: &BTreeSet<String>) -> Vec<Ident> {
        let mut found = self.found;
        found.retain(|name| !others.contains(&name.to_string()));
        found
    }
}

fn is_similar(unknown: &str, known: &str) -> bool {
    let most = unknown.chars().count().max(3) / 3;
    unknown.eq_ignore_ascii_case(known)
        || sorted_words(unknown) == sorted_words(known)
        || distance(unknown, known) <= most
}

fn sorted_words(name: &str) -> Vec<&str> {
    let mut words: Vec<_> = name.split('_').collect();
    words.sort_unstable();
    words
}

/// Returns the number of insertions, deletions, replacements and swaps of neighbours from one name
/// to another one: the restricted Damerau–Levenshtein distance.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let (mut older, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=to.len()).collect());
    for row in 1..=from.len() {
        let mut next = vec![row];
        for column in 1..=to.len() {
            let replaced = last[column - 1] + usize::from(from[row - 1] != to[column - 1]);
            let mut least = replaced.min(last[column] + 1).min(next[column - 1] + 1);
            let is_swap = row > 1
                && column > 1
                && from[row - 1] == to[column - 2]
                && from[row - 2] == to[column - 1];
            if is_swap {
                least = least.min(older[column - 2] + 1);
            }
            next.push(least);
        }
        older = std::mem::replace(&mut last, next);
    }
    last[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_counts_edits() {
        let cases = [("totl", "total", 1), ("nmae", "name", 1), ("", "ab", 2)];
        for (from, to, expected) in cases {
            assert_eq!(distance(from, to), expected, "{from}, {to}");
            assert_eq!(distance(to, from), expected, "{to}, {from}");
        }
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn misspelled_names_are_similar() {
        let cases = [
            ("totl", "total"),
            ("name_user", "user_name"),
            ("ITEM", "item"),
        ];
        assert!(
            cases
                .iter()
                .all(|(unknown, known)| is_similar(unknown, known))
        );
        let others = [("step", "total"), ("nn", "item"), ("load_user", "user")];
        assert!(
            !others
                .iter()
                .any(|(unknown, known)| is_similar(unknown, known))
        );
    }
}
