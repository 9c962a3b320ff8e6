//! The memory of the microcontroller: half a megabyte of flash and 128 KiB of RAM, as many have.

use std::path::PathBuf;

const MEMORY: &str = "MEMORY { FLASH : ORIGIN = 0x08000000, LENGTH = 512K RAM : ORIGIN = 0x20000000, LENGTH = 128K }";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "none") {
        let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
        std::fs::write(out.join("memory.x"), MEMORY).expect("it is ours");
        println!("cargo:rustc-link-search={}", out.display());
        println!("cargo:rustc-link-arg-bins=-Tlink.x");
    }
}
