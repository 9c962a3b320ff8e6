//! `Streams`: records the standard streams of a command that its user has set.

use std::process::{Command, Stdio};

/// The fields of the three streams in the `{:#?}` text of a command of the standard library.
const FIELDS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// The standard streams of a command that its user has set: input, output and error.
///
/// The standard library has no function that returns them. Methods of this crate record here which
/// streams they set. If a command was created or changed through the standard library, its debug
/// text is searched.
#[derive(Debug, Default)]
pub(super) struct Streams {
    set: [bool; 3],
    /// The streams that [`restore`](Self::restore) has set to their defaults.
    restored: [bool; 3],
    is_shared: bool,
}

impl Streams {
    /// Creates a record for a command of the standard library, whose streams may be set.
    pub(super) fn shared() -> Self {
        Self {
            is_shared: true,
            ..Self::default()
        }
    }

    pub(super) fn share(&mut self) {
        self.is_shared = true;
    }

    pub(super) fn set_stdin(&mut self) {
        self.set[0] = true;
    }

    pub(super) fn set_stdout(&mut self) {
        self.set[1] = true;
    }

    pub(super) fn set_stderr(&mut self) {
        self.set[2] = true;
    }

    /// Sets the streams that the user has not set: no input, and pipes for output and error.
    /// Returns `true` for each of them.
    pub(super) fn capture(&self, command: &mut Command) -> [bool; 3] {
        let mut unset = self.set.map(|is_set| !is_set);
        if self.is_shared {
            let text = format!("{command:#?}");
            for (stream, unset) in unset.iter_mut().enumerate() {
                *unset &= !self.is_named(stream, &text);
            }
        }
        let settings = [Stdio::null, Stdio::piped, Stdio::piped];
        set(command, unset, settings);
        unset
    }

    /// Reverts [`capture`](Self::capture).
    pub(super) fn restore(&mut self, command: &mut Command, unset: [bool; 3]) {
        // This is the default of `spawn` and `status`.
        set(command, unset, [Stdio::inherit; 3]);
        for (restored, unset) in self.restored.iter_mut().zip(unset) {
            *restored |= unset;
        }
    }

    fn is_named(&self, stream: usize, text: &str) -> bool {
        // Strings in the text contain no line ends, and nested fields have a larger indentation.
        let field = format!("    {}: Some(", FIELDS[stream]);
        let mut lines = text.lines();
        let is_named = lines.any(|line| line == field);
        let is_restored = self.restored[stream] && lines.next().is_some_and(is_inherited);
        is_named && !is_restored
    }
}

fn is_inherited(line: &str) -> bool {
    line.trim() == "Inherit,"
}

fn set(command: &mut Command, which: [bool; 3], settings: [fn() -> Stdio; 3]) {
    let setters = [Command::stdin::<Stdio>, Command::stdout, Command::stderr];
    let chosen = which.iter().zip(setters.iter().zip(settings));
    for (_, (set, setting)) in chosen.filter(|(is_chosen, _)| **is_chosen) {
        set(command, setting());
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::Streams;

    /// Fails when the standard library writes the text in another way.
    #[test]
    fn text_of_a_command_names_its_streams() {
        let mut command = Command::new("x\n    stdin: Some(");
        command.env("    stdout: Some(", "\n    stdout: Some(\n");
        assert_eq!(Streams::shared().capture(&mut command), [true; 3]);
        let mut command = Command::new("x");
        command.stdin(Stdio::inherit()).stderr(Stdio::null());
        assert_eq!(
            Streams::shared().capture(&mut command),
            [false, true, false]
        );
        assert_eq!(Streams::shared().capture(&mut command), [false; 3]);
    }

    #[test]
    fn restored_streams_are_unset() {
        let (mut command, mut streams) = (Command::new("x"), Streams::shared());
        for _ in 0..2 {
            let unset = streams.capture(&mut command);
            assert_eq!(unset, [true; 3]);
            streams.restore(&mut command, unset);
        }
        command.stdout(Stdio::null());
        assert_eq!(streams.capture(&mut command), [true, false, true]);
    }
}
