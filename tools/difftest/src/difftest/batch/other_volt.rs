//! The library of the programs, for the volt of another checkout.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The features that the workspace selects for the library, too.
const MANIFEST: &str = r#"[workspace]

[package]
name = "difftest-runtime"
edition = "2024"

[lib]
name = "runtime"
path = 'LIBRARY/src/runtime/mod.rs'

[dependencies]
volt = { package = "volt-async", path = 'VOLT/volt', features = ["serde", "std"] }
postcard = { version = "1", default-features = false, features = ["alloc"] }
serde = { version = "1", features = ["derive"] }
serde_json = "1"
"#;

/// Writes the manifest of a package with the library, and returns its path. The versions are those
/// of the workspace.
///
/// # Errors
///
/// When the folder cannot be written.
pub(super) fn package(volt: &Path, folder: &Path) -> io::Result<PathBuf> {
    let (folder, library) = (
        folder.join("runtime"),
        Path::new(env!("CARGO_MANIFEST_DIR")),
    );
    let volt = fs::canonicalize(volt)?;
    let text = MANIFEST
        .replace("LIBRARY", &library.display().to_string())
        .replace("VOLT", &volt.display().to_string());
    fs::create_dir_all(&folder)?;
    fs::copy(library.join("../../Cargo.lock"), folder.join("Cargo.lock"))?;
    let manifest = folder.join("Cargo.toml");
    fs::write(&manifest, text)?;
    Ok(manifest)
}
