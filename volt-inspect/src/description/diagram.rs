//! The picture of a machine, as text for a drawing tool.

use core::fmt;

use super::state::{State, Transition};

/// A machine's states and steps, written out by `Display`.
///
/// Made by [`StateMachine::mermaid`](crate::machine::StateMachine::mermaid) and
/// [`StateMachine::dot`](crate::machine::StateMachine::dot). It borrows constants and allocates
/// nothing.
#[derive(Clone, Copy, Debug)]
pub struct Diagram {
    language: Language,
    name: &'static str,
    states: &'static [State],
    transitions: &'static [Transition],
}

#[derive(Clone, Copy, Debug)]
enum Language {
    Mermaid,
    Dot,
}

impl Diagram {
    pub(crate) fn mermaid(
        name: &'static str,
        states: &'static [State],
        transitions: &'static [Transition],
    ) -> Self {
        Self {
            language: Language::Mermaid,
            name,
            states,
            transitions,
        }
    }

    pub(crate) fn dot(
        name: &'static str,
        states: &'static [State],
        transitions: &'static [Transition],
    ) -> Self {
        Self {
            language: Language::Dot,
            ..Self::mermaid(name, states, transitions)
        }
    }

    /// The state at `index` if it awaits something: the first and the last do not.
    fn suspend(&self, index: usize) -> Option<&State> {
        let last = self.states.len().checked_sub(1)?;
        (index != 0 && index != last).then(|| &self.states[index])
    }

    fn write_mermaid(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "stateDiagram-v2")?;
        for index in 0..self.states.len() {
            if let Some(state) = self.suspend(index) {
                let State { name, line, .. } = state;
                writeln!(f, "    s{index} : {name}, line {line}")?;
            }
        }
        for step in self.transitions {
            f.write_str("    ")?;
            self.write_mermaid_end(f, step.from)?;
            f.write_str(" --> ")?;
            self.write_mermaid_end(f, step.to)?;
            f.write_str("\n")?;
        }
        Ok(())
    }

    fn write_mermaid_end(&self, f: &mut fmt::Formatter<'_>, index: usize) -> fmt::Result {
        match self.suspend(index) {
            Some(_) => write!(f, "s{index}"),
            None => f.write_str("[*]"),
        }
    }

    fn write_dot(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "digraph {} {{", self.name)?;
        for (index, state) in self.states.iter().enumerate() {
            let State { name, line, .. } = state;
            writeln!(f, "    s{index} [label=\"{name}\\nline {line}\"];")?;
        }
        for Transition { from, to } in self.transitions {
            writeln!(f, "    s{from} -> s{to};")?;
        }
        writeln!(f, "}}")
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.language {
            Language::Mermaid => self.write_mermaid(f),
            Language::Dot => self.write_dot(f),
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::string::ToString;

    use super::*;

    const STATES: &[State] = &[
        State::new("Machine", 0, "start", ("f.rs", 1, 1), &[]),
        State::new("Machine", 1, "await sleep", ("f.rs", 2, 13), &[]),
        State::new("Machine", 2, "done", ("f.rs", 1, 1), &[]),
    ];
    const STEPS: &[Transition] = &[
        Transition::new(0, 1),
        Transition::new(1, 1),
        Transition::new(1, 2),
    ];

    #[test]
    fn mermaid_draws_ends_as_stars() {
        let text = Diagram::mermaid("Nap", STATES, STEPS).to_string();
        assert_eq!(
            text,
            "stateDiagram-v2\n    s1 : await sleep, line 2\n    [*] --> s1\n    s1 --> s1\n    \
             s1 --> [*]\n"
        );
    }

    #[test]
    fn dot_draws_every_state() {
        let text = Diagram::dot("Nap", STATES, STEPS).to_string();
        assert!(text.starts_with("digraph Nap {\n    s0 [label=\"start\\nline 1\"];\n"));
        assert!(text.ends_with("    s1 -> s2;\n}\n"));
    }
}
