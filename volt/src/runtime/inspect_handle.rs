//! `Handle::inspect`: the inspection server of a running runtime.

use std::cell::RefCell;
use std::fmt::Display;
use std::io;
use std::time::Instant;

use super::dump::PollLimits;
use super::dump::{Dump, GroupHistory, MachineJson, PollSamples, ValueReader};
use super::handle::Handle;
use crate::inspect::{
    self, BoundServer, InspectAddress, InspectEndpoint, InspectSource, Rendering,
};
use crate::inspect::{PollRequest, Resource, Trees};
use crate::machine::Tables;
use crate::task::machine_tables;
#[cfg(not(any(loom, all(test, shuttle))))]
use crate::task::record_waker_drops;
use volt_inspect::{Node, Status, Visitor};

impl Handle {
    /// Starts an inspection server, which ends with the runtime. Returns its socket.
    ///
    /// [`Builder::inspect`](super::Builder::inspect) describes the server.
    ///
    /// # Errors
    ///
    /// Returns an error if the address cannot be bound, or if the system starts no thread. Returns
    /// an [`AlreadyExists`](io::ErrorKind::AlreadyExists) error if the runtime has a server, and a
    /// [`NotConnected`](io::ErrorKind::NotConnected) error if the runtime has shut down or belongs
    /// to the parent process.
    ///
    /// # Examples
    ///
    /// ```
    /// let runtime = volt::Runtime::new()?;
    /// let endpoint = runtime.handle().inspect(0)?;
    /// println!("open {endpoint}");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn inspect(&self, address: impl Into<InspectAddress>) -> io::Result<InspectEndpoint> {
        let server = BoundServer::bind(address.into())?;
        let endpoint = server.endpoint().clone();
        Inspection::bound(server).start(self)?;
        Ok(endpoint)
    }

    /// Returns the socket of the inspection server, or `None` if the runtime has none.
    #[must_use]
    pub fn inspect_endpoint(&self) -> Option<InspectEndpoint> {
        inspect::endpoint(self.scheduler.runtime_id())
    }

    /// Ends the inspection server of the runtime, if it has one.
    pub(super) fn stop_inspection(&self) {
        inspect::stop(self.scheduler.runtime_id());
    }
}

/// The server of a runtime that is being built, if it has one.
pub(super) struct Inspection(Option<BoundServer>);

impl Inspection {
    pub(super) fn bound(server: BoundServer) -> Self {
        Self(Some(server))
    }

    /// Binds the address that the environment sets, and prints the result.
    pub(super) fn from_environment() -> Self {
        let Some(address) = InspectAddress::from_environment() else {
            return Self(None);
        };
        match BoundServer::bind(address) {
            Ok(server) => {
                print_line(&format!("inspection server at {}", server.endpoint()));
                Self(Some(server))
            }
            // Another runtime of this process has the address.
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && inspect::is_serving() => {
                Self(None)
            }
            Err(error) => {
                print_line(&error.to_string());
                Self(None)
            }
        }
    }

    /// Starts the thread of the server.
    pub(super) fn start(self, handle: &Handle) -> io::Result<()> {
        let Some(server) = self.0 else { return Ok(()) };
        let runtime = handle.scheduler.runtime_id();
        if !handle.driver().is_inherited() {
            let samples = PollSamples::default();
            samples.start(handle)?;
            #[cfg(not(any(loom, all(test, shuttle))))]
            record_waker_drops();
            let source = RuntimeSource {
                handle: handle.clone(),
                samples,
                values: server.shows_values().then(ValueReader::default),
                history: RefCell::default(),
            };
            inspect::serve(runtime, server, Box::new(source))?;
            if !handle.scheduler.is_stopping() {
                return Ok(());
            }
            // The drop of the runtime may have looked for the server before it was there.
            inspect::stop(runtime);
        }
        Err(io::Error::new(
            io::ErrorKind::NotConnected,
            "a runtime that has shut down, or belongs to the parent process, is not inspected",
        ))
    }
}

/// Prints a line in one write, so that a program that reads the URL does not see a part of it.
pub(super) fn print_line(text: &str) {
    let line = format!("volt: {text}\n");
    eprint!("{line}");
}

/// A runtime, as the source of the server's data.
struct RuntimeSource {
    handle: Handle,
    /// Reads the values of tasks, if the server shows them.
    values: Option<ValueReader>,
    /// The functions of long polls.
    samples: PollSamples,
    /// The sizes of the groups in earlier dumps.
    history: RefCell<GroupHistory>,
}

impl InspectSource for RuntimeSource {
    fn render(&self, resource: &Resource) -> Rendering {
        let text = match resource {
            Resource::DumpText(None) => Some(text_lines(&self.dump())),
            Resource::DumpText(Some(id)) => self.task(id).map(|dump| text_lines(&dump)),
            Resource::GroupText(key) => self.group(key).map(|dump| text_lines(&dump)),
            Resource::DumpJson(Trees::Included) => Some(self.dump().json().to_string()),
            Resource::DumpJson(Trees::Omitted) => {
                Some(self.dump().json().without_trees().to_string())
            }
            Resource::TaskJson(id) => self.task(id).map(|dump| dump.json().to_string()),
            Resource::GroupJson(key) => self.group(key).map(|dump| dump.json().to_string()),
            Resource::ByPollText(request) => {
                return self.by_poll(request, text_lines);
            }
            Resource::ByPollJson(request) => {
                return self.by_poll(request, |dump| dump.json().to_string());
            }
            // The server answers this itself.
            Resource::Pages => None,
            Resource::Groups => Some(self.dump().json().without_tasks().to_string()),
            Resource::Diagram {
                machine,
                file,
                task,
            } => {
                let tables = self.find_machine(machine, file.as_deref(), task.as_deref());
                tables.map(|tables| MachineJson(tables).to_string())
            }
        };
        Rendering::Now(text)
    }
}

/// Returns the text of a dump with the end of its last line, after which a shell prints its prompt.
fn text_lines(dump: &impl Display) -> String {
    format!("{dump}\n")
}

/// Finds a machine in the tree of a task, by its name and file.
struct MachineSearch<'a> {
    name: &'a str,
    file: Option<&'a str>,
    found: Option<&'static Tables>,
}

impl MachineSearch<'_> {
    fn is_wanted(&self, tables: &Tables) -> bool {
        let is_in = |file| tables.states.iter().any(|state| state.file == file);
        tables.name == self.name && self.file.is_none_or(is_in)
    }
}

impl Visitor for MachineSearch<'_> {
    fn enter(&mut self, node: &Node, _index: Option<usize>, _status: Status) {
        if let Some(tables) = node.tables.filter(|tables| self.is_wanted(tables)) {
            self.found = Some(tables);
        }
    }

    fn leave(&mut self) {}
}

impl RuntimeSource {
    /// Returns the tables of a machine type that is registered, or of a machine in the task.
    fn find_machine(
        &self,
        name: &str,
        file: Option<&str>,
        id: Option<&str>,
    ) -> Option<&'static Tables> {
        let mut search = MachineSearch {
            name,
            file,
            found: None,
        };
        let registered = machine_tables().find(|tables| search.is_wanted(tables));
        if registered.is_some() {
            return registered;
        }
        let id = id?.parse().ok()?;
        self.handle.scheduler.registry().for_each(|task| {
            if task.id() == id {
                task.inspect_tree(&mut search);
            }
        });
        search.found
    }

    /// Returns the text of a dump by poll, which is `None` if the only task is not live.
    fn by_poll(
        &self,
        request: &PollRequest,
        text: impl FnOnce(&Dump) -> String + Send + 'static,
    ) -> Rendering {
        let mut limits = PollLimits::default();
        limits.within = request.within.unwrap_or(limits.within);
        limits.tasks = request.limit.unwrap_or(limits.tasks);
        limits.orphans = request.orphans;
        limits.only = match request.task.as_deref().map(str::parse) {
            Some(Err(_)) => return Rendering::Now(None),
            id => id.and_then(Result::ok),
        };
        let (handle, samples) = (self.handle.clone(), self.samples.clone());
        Rendering::Later(Box::new(move || {
            let mut dump = handle.dump_by_poll(&limits);
            samples.add_to(&mut dump, Instant::now());
            let is_found = limits.only.is_none() || !dump.is_empty();
            is_found.then(|| text(&dump))
        }))
    }

    /// Returns a dump of all tasks, with the growth of their groups since the last one.
    fn dump(&self) -> Dump {
        let mut dump = self.handle.dump();
        let now = Instant::now();
        self.history.borrow_mut().record(&mut dump, now);
        self.samples.add_to(&mut dump, now);
        dump
    }

    /// Returns a dump of one task, or `None` if it is not live.
    fn task(&self, id: &str) -> Option<Dump> {
        let id = id.parse().ok()?;
        match &self.values {
            Some(reader) => reader.dump(&self.handle, id),
            None => self.handle.dump_task(id),
        }
    }

    /// Returns a dump of the tasks of one group, or `None` if it has none.
    fn group(&self, key: &str) -> Option<Dump> {
        let key = u64::from_str_radix(key, 16).ok()?;
        let mut dump = self.handle.dump();
        dump.retain_group(key);
        (!dump.is_empty()).then_some(dump)
    }
}
