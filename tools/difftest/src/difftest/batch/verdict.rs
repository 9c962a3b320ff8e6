//! The results of the functions of a batch.

use std::io;
use std::path::Path;

use super::program::{Member, Place, Program};
use super::run::{Figures, Report, run};
use super::rustc::{Compiler, Complaint};
use super::screen::refusal;

/// The result of a function.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    Equal(Figures),
    Differs(String),
    /// The macro rejected the function, or the compiler rejected its expansion.
    Refused(String),
    /// The compiler refuses the function itself: the generator is wrong.
    Faulty(String),
    /// It calls a function that is out.
    Dropped,
}

/// Screens, compiles and runs; gives a verdict for each function, by the index of its family and
/// its name.
///
/// # Errors
///
/// Returns an error if a program cannot be written, compiled or run.
pub(crate) fn judge(
    compiler: &Compiler,
    folder: &Path,
    members: &[Member],
) -> io::Result<Vec<(usize, String, Verdict)>> {
    let mut batch = Batch {
        compiler,
        folder,
        members: members.to_vec(),
        verdicts: Vec::new(),
    };
    // The macro of another checkout only runs within the compiler.
    if !compiler.is_other_volt {
        batch.screen();
    }
    let all: Vec<usize> = (0..members.len()).collect();
    batch.judge(&all)?;
    Ok(batch.verdicts)
}

struct Batch<'a> {
    compiler: &'a Compiler,
    folder: &'a Path,
    members: Vec<Member>,
    verdicts: Vec<(usize, String, Verdict)>,
}

impl Batch<'_> {
    fn screen(&mut self) {
        for index in 0..self.members.len() {
            for function in self.members[index].functions.clone() {
                if let Some(message) = refusal(&self.members[index], &function) {
                    self.take_out(index, &function.name, Verdict::Refused(message));
                }
            }
        }
    }

    /// Takes out a function, and whatever calls it.
    fn take_out(&mut self, member: usize, name: &str, verdict: Verdict) {
        let known = |name: &str| {
            self.members[member]
                .functions
                .iter()
                .any(|f| f.name == name)
        };
        if !known(name) {
            return;
        }
        for removed in self.members[member].remove(name) {
            let verdict = if removed == name {
                verdict.clone()
            } else {
                Verdict::Dropped
            };
            self.verdicts.push((member, removed, verdict));
        }
    }

    /// Compiles the families at `indices` until the compiler accepts what is left, and runs it.
    fn judge(&mut self, indices: &[usize]) -> io::Result<()> {
        std::fs::create_dir_all(self.folder)?;
        let source = self.folder.join("main.rs");
        let binary = self.folder.join("program");
        loop {
            let chosen: Vec<Member> = indices.iter().map(|&i| self.members[i].clone()).collect();
            if chosen.iter().all(|member| member.functions.is_empty()) {
                return Ok(());
            }
            let program = Program::new(&chosen);
            std::fs::write(&source, &program.text)?;
            let complaints = self.compiler.compile(&source, &binary)?;
            if complaints.is_empty() {
                break;
            }
            if !self.take_out_faulty(indices, &chosen, &program, &complaints) {
                return self.halves(indices, &complaints);
            }
        }
        self.report(indices, &binary)
    }

    /// Takes out what the compiler complains of; whether there was anything.
    fn take_out_faulty(
        &mut self,
        indices: &[usize],
        chosen: &[Member],
        program: &Program,
        complaints: &[Complaint],
    ) -> bool {
        let mut found: Vec<(Place, String)> = Vec::new();
        for complaint in complaints {
            let places = complaint
                .lines
                .iter()
                .filter_map(|&line| program.place(line));
            found.extend(places.map(|place| (place.clone(), complaint.message.clone())));
        }
        // The compiler's own version first: what is wrong there is wrong in both.
        found.sort_by_key(|(place, _)| place.machine);
        for (place, message) in &found {
            let name = chosen[place.member].functions[place.function].name.clone();
            let verdict = if place.machine {
                Verdict::Refused(message.clone())
            } else {
                Verdict::Faulty(message.clone())
            };
            self.take_out(indices[place.member], &name, verdict);
        }
        !found.is_empty()
    }

    /// Divides the functions into halves, if the compiler does not report the location of an error.
    fn halves(&mut self, indices: &[usize], complaints: &[Complaint]) -> io::Result<()> {
        if let [only] = indices {
            let message = complaints[0].message.clone();
            if let [.., last] = &self.members[*only].functions[..] {
                let name = last.name.clone();
                self.take_out(*only, &name, Verdict::Refused(message));
            }
            return self.judge(indices);
        }
        let (left, right) = indices.split_at(indices.len() / 2);
        self.judge(left)?;
        self.judge(right)
    }

    fn report(&mut self, indices: &[usize], binary: &Path) -> io::Result<()> {
        let mut left: Vec<usize> = indices.to_vec();
        let reports = run(binary)?;
        let mut has_missing = false;
        for &index in &left {
            for function in &self.members[index].functions {
                let name = format!("{}.{}", self.members[index].name, function.name);
                let verdict = match reports.get(&name) {
                    Some(Report::Equal(figures)) => Verdict::Equal(*figures),
                    Some(Report::Differs(difference)) => Verdict::Differs(difference.clone()),
                    None => {
                        has_missing = true;
                        Verdict::Dropped
                    }
                };
                self.verdicts.push((index, function.name.clone(), verdict));
            }
        }
        left.retain(|_| has_missing);
        Ok(())
    }
}
