//! The sizes of machines, from the messages of failed constants.
//!
//! If the environment variable `VOLT_STATE_MACHINE_SIZES` names a file, the macro emits a constant
//! for each machine without type parameters, whose evaluation fails. The message of the error is
//! the report. The macro leaves out the functions that the file lists, so that a crate builds once
//! all of its machines have been reported.
//!
//! ```text
//! volt sizes 1
//! place <file> <line> <name of the function>
//! machine <name> <size> <align> <size of the compiler's future> <layout> <line> <reason> <states>
//! state <name> <line> <column> <size of the future> <offset of the future>
//! local <name> <type> <size> <offset>
//! ```
//!
//! The fields are separated by tabs, and an unknown number is `-`.

/// The environment variable that names the file.
pub(crate) const VARIABLE: &str = "VOLT_STATE_MACHINE_SIZES";

/// The first line of a report, after the words of the compiler.
const HEAD: &str = "volt sizes 1\n";

/// The sizes of one machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MachineSizes {
    /// The file of the function, as the compiler names it.
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) function: String,
    pub(crate) name: String,
    pub(crate) size: usize,
    pub(crate) align: usize,
    /// The size of the compiler's future for the same function.
    pub(crate) compiler_size: Option<usize>,
    /// `explicit`, `native` or `boxed`.
    pub(crate) layout: String,
    /// The reason for which the layout is not explicit, and its line.
    pub(crate) reason: Option<(String, usize)>,
    pub(crate) states: Vec<StateSizes>,
    /// `true` if the report was too long, and states are missing.
    pub(crate) is_cut: bool,
}

/// One state of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StateSizes {
    pub(crate) name: String,
    pub(crate) line: usize,
    /// The awaited future.
    pub(crate) future: Bytes,
    pub(crate) locals: Vec<LocalSize>,
}

/// A local that is stored in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocalSize {
    pub(crate) name: String,
    pub(crate) ty: String,
    pub(crate) bytes: Bytes,
}

/// The size and the place of a value in the machine, where they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bytes {
    pub(crate) size: Option<usize>,
    pub(crate) offset: Option<usize>,
}

impl StateSizes {
    /// Returns the number of bytes that the state is known to store.
    pub(crate) fn stored(&self) -> usize {
        let locals = self.locals.iter().filter_map(|local| local.bytes.size);
        locals.sum::<usize>() + self.future.size.unwrap_or(0)
    }
}

impl MachineSizes {
    /// Reads the message of an error, if it is a report.
    pub(crate) fn read(message: &str) -> Option<Self> {
        let (_, report) = message.split_once(HEAD)?;
        let mut lines = report
            .lines()
            .map(|line| line.split('\t').collect::<Vec<_>>());
        let place = lines.next()?;
        let ["place", file, line, function] = place[..] else {
            return None;
        };
        let machine = lines.next()?;
        let [
            "machine",
            name,
            size,
            align,
            compiler,
            layout,
            of_reason,
            reason,
            count,
        ] = machine[..]
        else {
            return None;
        };
        let (mut states, mut is_cut) = (Vec::<StateSizes>::new(), false);
        for line in lines {
            match line[..] {
                ["state", name, line, _, size, offset] => states.push(StateSizes {
                    name: name.to_owned(),
                    line: number(line).unwrap_or(0),
                    future: bytes(size, offset),
                    locals: Vec::new(),
                }),
                ["local", name, ty, size, offset] => {
                    let local = LocalSize {
                        name: name.to_owned(),
                        ty: ty.to_owned(),
                        bytes: bytes(size, offset),
                    };
                    states.last_mut()?.locals.push(local);
                }
                _ => is_cut = true,
            }
        }
        let of_reason = number(of_reason).unwrap_or(0);
        Some(Self {
            file: file.to_owned(),
            line: number(line)?,
            function: function.to_owned(),
            name: name.to_owned(),
            size: number(size)?,
            align: number(align)?,
            compiler_size: number(compiler),
            layout: layout.to_owned(),
            reason: (!reason.is_empty()).then(|| (reason.to_owned(), of_reason)),
            is_cut: is_cut || number(count) != Some(states.len()),
            states,
        })
    }

    /// Returns the line for the file of reported functions.
    pub(crate) fn place(&self) -> String {
        format!("{}\t{}\t{}", self.file, self.line, self.function)
    }

    /// Returns the state that stores the most bytes, if the sizes of its values are known.
    pub(crate) fn largest_state(&self) -> Option<&StateSizes> {
        let states = self.states.iter().filter(|state| state.stored() > 0);
        states.max_by_key(|state| state.stored())
    }
}

fn number(text: &str) -> Option<usize> {
    text.parse().ok()
}

fn bytes(size: &str, offset: &str) -> Bytes {
    Bytes {
        size: number(size),
        offset: number(offset),
    }
}

#[cfg(test)]
mod tests {
    use super::{Bytes, MachineSizes};

    const REPORT: &str = "evaluation panicked: volt sizes 1\n\
        place\tsrc/a.rs\t7\tfetch\n\
        machine\tFetch\t120\t8\t136\texplicit\t0\t\t3\n\
        state\tstart\t7\t1\t-\t-\n\
        local\tpage\t[u8; 3]\t3\t0\n\
        state\tawait tick\t8\t9\t96\t24\n\
        local\tpage\t[u8; 3]\t3\t0\n\
        local\tname\tString\t24\t-\n\
        state\tdone\t7\t1\t-\t-\n";

    #[test]
    fn report_is_read() {
        let machine = MachineSizes::read(REPORT).expect("a report");
        assert_eq!((machine.size, machine.compiler_size), (120, Some(136)));
        assert_eq!(machine.place(), "src/a.rs\t7\tfetch");
        assert_eq!((machine.reason.as_ref(), machine.is_cut), (None, false));
        let largest = machine.largest_state().expect("a state");
        assert_eq!(
            (largest.name.as_str(), largest.stored()),
            ("await tick", 123)
        );
        let place = Bytes {
            size: Some(24),
            offset: None,
        };
        assert_eq!(largest.locals[1].bytes, place);
    }

    #[test]
    fn report_without_its_end_is_cut() {
        let (cut, _) = REPORT.split_once("state\tdone").expect("a last state");
        assert!(MachineSizes::read(cut).expect("a report").is_cut);
    }

    #[test]
    fn other_errors_are_no_reports() {
        assert_eq!(MachineSizes::read("evaluation panicked: index 3"), None);
    }
}
