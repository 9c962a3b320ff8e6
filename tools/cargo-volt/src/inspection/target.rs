//! The target of a command: an address, a socket, a process, or a file with a dump.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::Value;

use super::http::{Method, ServerPlace, send};
use super::process::places;
use crate::context::{Context, Outcome};

/// A running program, or a dump that it has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Server(ServerPlace),
    /// A process by its id.
    Process(u32),
    /// A file with a dump as JSON.
    File(PathBuf),
}

/// The options of each request.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ServerArgs {
    /// Token of the server
    #[arg(
        long,
        value_name = "TOKEN",
        env = "VOLT_INSPECT_TOKEN",
        hide_env_values = true
    )]
    token: Option<String>,
}

/// Reads a target of the command line.
pub(super) fn target(text: &str) -> Result<Target, String> {
    if let Ok(pid) = text.parse() {
        return Ok(Target::Process(pid));
    }
    let path = Path::new(text);
    if path.is_file() {
        return Ok(Target::File(path.to_owned()));
    }
    if text.contains('/') {
        return Ok(Target::Server(ServerPlace::Unix(path.to_owned())));
    }
    let port = text
        .rsplit_once(':')
        .and_then(|(_, port)| port.parse::<u16>().ok());
    match port {
        Some(_) if text.starts_with(':') => {
            Ok(Target::Server(ServerPlace::Tcp(format!("127.0.0.1{text}"))))
        }
        Some(_) => Ok(Target::Server(ServerPlace::Tcp(text.to_owned()))),
        None => Err(
            "write an address such as 127.0.0.1:6680 or :6680, the path of a socket or of \
                     a JSON file, or the id of a process"
                .to_owned(),
        ),
    }
}

impl Target {
    /// Finds the server of a process. Another target stays as it is.
    pub(super) fn resolved(self, options: &ServerArgs) -> Outcome<Self> {
        let Self::Process(pid) = self else {
            return Ok(self);
        };
        let mut errors = Vec::new();
        for place in places(pid) {
            let found = Self::Server(place);
            match found.value("/groups.json", options) {
                Ok(value) if value["pid"] == pid => return Ok(found),
                Ok(value) => errors.push(format!("  the process {} answers", value["pid"])),
                Err(error) => errors.push(format!("  {error}")),
            }
        }
        let advice = "start it with VOLT_INSPECT=127.0.0.1:6680 or VOLT_INSPECT=unix, and build \
                      volt with the feature `inspect`";
        let errors = errors.join("\n");
        Err(format!(
            "no inspection server of the process {pid} was found: {advice}\n{errors}"
        ))
    }

    /// Returns the text at a path of the server. A file has only its dump.
    pub(super) fn text(&self, path: &str, options: &ServerArgs) -> Outcome<String> {
        match self {
            Self::Server(place) => {
                // These paths poll the tasks of the program.
                let method = if path.starts_with("/by-poll.") {
                    Method::Post
                } else {
                    Method::Get
                };
                send(place, method, path, options.token.as_deref())
            }
            Self::Process(_) => self.clone().resolved(options)?.text(path, options),
            Self::File(file) => {
                fs::read_to_string(file).context(|| format!("reading {}", file.display()))
            }
        }
    }

    /// Returns the JSON at a path of the server, of a known schema.
    pub(super) fn value(&self, path: &str, options: &ServerArgs) -> Outcome<Value> {
        let text = self.text(path, options)?;
        let value: Value =
            serde_json::from_str(&text).context(|| "reading a dump as JSON".to_owned())?;
        match &value["schema"] {
            schema if *schema == 1 => Ok(value),
            Value::Null => Err("the JSON is not that of a dump".to_owned()),
            schema => Err(format!(
                "the dump has schema {schema}, and this version of `cargo volt` reads schema 1"
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ServerPlace, Target, target};

    #[test]
    fn targets_differ_by_their_form() {
        let tcp = |address: &str| Ok(Target::Server(ServerPlace::Tcp(address.to_owned())));
        assert_eq!(target("4711"), Ok(Target::Process(4711)));
        assert_eq!(target(":6680"), tcp("127.0.0.1:6680"));
        assert_eq!(target("localhost:6680"), tcp("localhost:6680"));
        let socket = ServerPlace::Unix("/run/volt/1.sock".into());
        assert_eq!(target("/run/volt/1.sock"), Ok(Target::Server(socket)));
        let own = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert_eq!(target(own), Ok(Target::File(own.into())));
        assert!(target("server").is_err());
    }
}
