//! A client of rust-analyzer: the language server protocol over its standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A line and a column, from zero.
pub(crate) type Place = (usize, usize);

/// A running server with one open file.
pub(crate) struct Client {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    sent: u64,
    uri: String,
}

impl Drop for Client {
    fn drop(&mut self) {
        _ = self.server.kill();
        _ = self.server.wait();
    }
}

/// The folder of a toolchain's library sources.
const SOURCES: &str = "lib/rustlib/src/rust/library";

/// A toolchain with rust-analyzer, and the sources of the standard library.
#[derive(Debug)]
pub(crate) struct Toolchain {
    root: PathBuf,
    sources: PathBuf,
}

/// Returns the toolchain, if it has rust-analyzer, and if it or another installed one has the
/// sources. Sources in the pinned toolchain would change messages that other tests compare.
pub(crate) fn toolchain() -> Option<Toolchain> {
    let rustc = Command::new("rustc").args(["--print", "sysroot"]).output();
    let root = PathBuf::from(String::from_utf8(rustc.ok()?.stdout).ok()?.trim());
    let others = root.parent()?.read_dir().ok()?;
    let others = others.filter_map(|other| Some(other.ok()?.path()));
    let mut all = std::iter::once(root.clone()).chain(others);
    let sources = all.find_map(|root| Some(root.join(SOURCES)).filter(|path| path.exists()))?;
    let has_server = root.join("bin/rust-analyzer").exists();
    has_server.then_some(Toolchain { root, sources })
}

/// The library of the macro, which is beside the tests.
fn macro_library() -> PathBuf {
    let test = std::env::current_exe().expect("the test");
    let folder = test.parent().expect("a folder").read_dir().expect("files");
    let libraries = folder
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            let is_macro = |name: &str| name.contains("volt_macros-");
            name.is_some_and(is_macro)
                && path
                    .extension()
                    .is_some_and(|end| end == std::env::consts::DLL_EXTENSION)
        });
    let changed = |path: &PathBuf| path.metadata().and_then(|data| data.modified()).ok();
    libraries
        .max_by_key(changed)
        .expect("the library of the macro")
}

/// The description of a crate that has `file` as its root and knows volt.
fn project(toolchain: &Toolchain, file: &Path) -> Value {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = |path: &str| workspace.join(path).display().to_string();
    json!({
        "sysroot": toolchain.root,
        "sysroot_src": toolchain.sources,
        "crates": [
            {
                "display_name": "volt_macros", "root_module": root("volt-macros/src/lib.rs"),
                "edition": "2024", "deps": [], "cfg": [], "env": {},
                "is_proc_macro": true, "proc_macro_dylib_path": macro_library(),
            },
            {
                "display_name": "volt", "root_module": root("volt/src/lib.rs"),
                "edition": "2024", "deps": [{ "crate": 0, "name": "volt_macros" }],
                "cfg": ["feature=\"rt\"", "unix"], "env": {},
            },
            {
                "display_name": "case", "root_module": file, "edition": "2024",
                "deps": [{ "crate": 1, "name": "volt" }], "cfg": [], "env": {},
                "is_workspace_member": true,
            },
        ],
    })
}

impl Client {
    /// Starts the server, opens the file with the text, and waits until all is loaded.
    pub(crate) fn start(toolchain: &Toolchain, file: &Path, text: &str) -> Self {
        std::fs::write(file, text).expect("the file");
        let mut server = Command::new(toolchain.root.join("bin/rust-analyzer"))
            .current_dir(file.parent().expect("a folder"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("rust-analyzer");
        let input = server.stdin.take().expect("its input");
        let output = BufReader::new(server.stdout.take().expect("its output"));
        let uri = format!("file://{}", file.display());
        let mut client = Self {
            server,
            input,
            output,
            sent: 0,
            uri,
        };
        client.initialize(&project(toolchain, file));
        client.notify("initialized", json!({}));
        let uri = &client.uri;
        let document = json!({ "uri": uri, "languageId": "rust", "version": 1, "text": text });
        client.notify("textDocument/didOpen", json!({ "textDocument": document }));
        client.await_quiescence();
        client
    }

    fn initialize(&mut self, project: &Value) {
        self.request(
            "initialize",
            json!({
                "processId": std::process::id(),
                "rootUri": null,
                "capabilities": {
                    "experimental": { "serverStatusNotification": true },
                    "textDocument": { "hover": { "contentFormat": ["plaintext"] } },
                },
                "initializationOptions": {
                    "linkedProjects": [project],
                    "checkOnSave": false,
                    "cachePriming": { "enable": false },
                    "completion": { "limit": null },
                },
            }),
        );
    }

    fn await_quiescence(&mut self) {
        loop {
            let message = self.receive();
            let is_quiescent = message["params"]["quiescent"] == true;
            if message["method"] == "experimental/serverStatus" && is_quiescent {
                return;
            }
        }
    }

    /// The labels of what completion offers at a place, in order.
    pub(crate) fn completions(&mut self, place: Place) -> Vec<String> {
        let found = self.at("textDocument/completion", place);
        let items = found.get("items").unwrap_or(&found);
        let items = items.as_array().cloned().unwrap_or_default();
        let labels = items.iter().filter_map(|item| item["label"].as_str());
        let mut labels: Vec<_> = labels.map(str::to_owned).collect();
        labels.sort();
        labels
    }

    /// The text that is shown at a place.
    pub(crate) fn hover(&mut self, place: Place) -> Value {
        self.at("textDocument/hover", place)["contents"]["value"].take()
    }

    /// The lines and columns at which a name is defined.
    pub(crate) fn definition(&mut self, place: Place) -> Value {
        self.at("textDocument/definition", place)
    }

    /// The changes that rename the local at a place.
    pub(crate) fn renaming(&mut self, (line, character): Place) -> Value {
        let position = json!({ "line": line, "character": character });
        let document = json!({ "uri": self.uri });
        let params = json!({ "textDocument": document, "position": position, "newName": "new" });
        self.request("textDocument/rename", params)
    }

    /// The parameters of the call at a place.
    pub(crate) fn parameters(&mut self, place: Place) -> Value {
        self.at("textDocument/signatureHelp", place)
    }

    /// The types and names that are shown in some lines.
    pub(crate) fn hints(&mut self, lines: Range<usize>) -> Value {
        let place = |line| json!({ "line": line, "character": 0 });
        let range = json!({ "start": place(lines.start), "end": place(lines.end) });
        let params = json!({ "textDocument": { "uri": self.uri }, "range": range });
        self.request("textDocument/inlayHint", params)
    }

    /// Replaces the text of the file.
    pub(crate) fn change(&mut self, version: u32, text: &str) {
        let document = json!({ "uri": self.uri, "version": version });
        let changes = json!([{ "text": text }]);
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    fn at(&mut self, method: &str, (line, character): Place) -> Value {
        let place = json!({ "line": line, "character": character });
        let document = json!({ "uri": self.uri });
        self.request(
            method,
            json!({ "textDocument": document, "position": place }),
        )
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.sent += 1;
        let id = self.sent;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id && message.get("method").is_none() {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
        }
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it reads");
        self.input.flush().expect("it reads");
    }

    /// Returns the next message. Requests of the server get an empty response.
    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            let read = self.output.read_line(&mut line).expect("it writes");
            assert!(read > 0, "the server ended");
            match line.trim().split_once(": ") {
                Some((_, number)) => length = number.parse().unwrap_or(length),
                None => break,
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).expect("it writes");
        let message: Value = serde_json::from_slice(&text).expect("a message");
        if message.get("method").is_some()
            && let Some(id) = message.get("id")
        {
            self.send(&json!({ "jsonrpc": "2.0", "id": id, "result": null }));
        }
        message
    }
}
