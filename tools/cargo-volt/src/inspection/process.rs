//! The inspection servers of a process, found from the outside.
//!
//! The server of a process listens, by convention, at `$XDG_RUNTIME_DIR/volt/PID.sock`. Otherwise,
//! on Linux, the sockets on which the process listens are candidates, and its variable
//! `VOLT_INSPECT` is the first of them.

use std::fs;
use std::path::{Path, PathBuf};

use super::http::ServerPlace;

/// Returns the places at which the process may have a server, the likely ones first.
pub(super) fn places(pid: u32) -> Vec<ServerPlace> {
    let mut places = Vec::new();
    let folder = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let socket = folder.map(|folder| folder.join(format!("volt/{pid}.sock")));
    places.extend(
        socket
            .filter(|socket| socket.exists())
            .map(ServerPlace::Unix),
    );
    let process = PathBuf::from(format!("/proc/{pid}"));
    places.extend(of_environment(&process));
    for place in listening(&process) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// Returns the place that the variable of the process names.
fn of_environment(process: &Path) -> Option<ServerPlace> {
    let variables = fs::read(process.join("environ")).ok()?;
    let variables = String::from_utf8_lossy(&variables).into_owned();
    let mut variables = variables.split('\0');
    let value = variables.find_map(|variable| variable.strip_prefix("VOLT_INSPECT="))?;
    named_place(value)
}

/// Returns the place of an address as `VOLT_INSPECT` has it, if the address names one.
fn named_place(value: &str) -> Option<ServerPlace> {
    if value.contains('/') {
        return Some(ServerPlace::Unix(PathBuf::from(value)));
    }
    let port: u16 = value.rsplit(':').next()?.parse().ok()?;
    (port != 0).then(|| ServerPlace::Tcp(format!("127.0.0.1:{port}")))
}

/// Returns the loopback addresses on which the process listens.
fn listening(process: &Path) -> Vec<ServerPlace> {
    let inodes = socket_inodes(process);
    let table = fs::read_to_string(process.join("net/tcp")).unwrap_or_default();
    let ports = listening_ports(&table, &inodes);
    let places = ports.into_iter();
    let places = places.map(|port| ServerPlace::Tcp(format!("127.0.0.1:{port}")));
    places.collect()
}

/// Returns the inodes of the open sockets of the process.
fn socket_inodes(process: &Path) -> Vec<String> {
    let entries = fs::read_dir(process.join("fd")).into_iter().flatten();
    let links = entries
        .flatten()
        .filter_map(|entry| fs::read_link(entry.path()).ok());
    let inodes = links.filter_map(|link| {
        let inode = link.to_str()?.strip_prefix("socket:[")?.strip_suffix(']')?;
        Some(inode.to_owned())
    });
    inodes.collect()
}

/// Reads the table `net/tcp`: the ports of listening sockets on 127.0.0.1 or on all addresses.
fn listening_ports(table: &str, inodes: &[String]) -> Vec<u16> {
    let port = |line: &str| {
        let fields: Vec<_> = line.split_whitespace().collect();
        let (address, state, inode) = (fields.get(1)?, fields.get(3)?, fields.get(9)?);
        let (address, port) = address.split_once(':')?;
        let is_local = address == "0100007F" || address == "00000000";
        let is_own = inodes.iter().any(|own| own == inode);
        let port = u16::from_str_radix(port, 16).ok()?;
        (is_local && is_own && *state == "0A").then_some(port)
    };
    table.lines().skip(1).filter_map(port).collect()
}

#[cfg(test)]
mod tests {
    use super::{ServerPlace, listening_ports, named_place, places};

    #[test]
    fn listening_socket_of_the_process_is_found() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
            0: 0100007F:1A18 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1\n\
            1: 0100007F:1A19 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 12 1\n\
            2: 0100007F:1A1A 0100007F:1A18 01 00000000:00000000 00:00000000 00000000  1000        0 13 1\n";
        let inodes = ["11", "13"].map(str::to_owned);
        assert_eq!(listening_ports(table, &inodes), [6680]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn own_listener_is_found() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        assert!(places(std::process::id()).contains(&ServerPlace::Tcp(address)));
    }

    #[test]
    fn address_of_the_variable_is_read() {
        let tcp = |port: u16| Some(ServerPlace::Tcp(format!("127.0.0.1:{port}")));
        assert_eq!(named_place("6680"), tcp(6680));
        assert_eq!(named_place("localhost:6681"), tcp(6681));
        assert_eq!(
            named_place("/run/a.sock"),
            Some(ServerPlace::Unix("/run/a.sock".into()))
        );
        assert_eq!(named_place("127.0.0.1:0"), None);
        assert_eq!(named_place("unix"), None);
    }
}
