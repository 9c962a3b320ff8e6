//! `InspectAddress`: the socket of an inspection server, and the token that its clients must send.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process;

/// The minimum length of a token. A token of random letters and digits has at least 95 bits then.
const MIN_TOKEN: usize = 16;

/// The environment variable with the address of the server; see [`InspectAddress`].
const VARIABLE: &str = "VOLT_INSPECT";
/// The environment variable with the token of the server.
const TOKEN_VARIABLE: &str = "VOLT_INSPECT_TOKEN";

/// The address of the inspection server of a runtime; see
/// [`Builder::inspect`](crate::runtime::Builder::inspect).
///
/// | from | address |
/// | --- | --- |
/// | `6680` | this port of `127.0.0.1` |
/// | `"127.0.0.1:6680"`, `"[::1]:6680"`, `"localhost:6680"` | this port of the loopback interface |
/// | `"/run/service.sock"`, `"./volt.sock"` | a Unix socket at this path |
/// | `"unix"` | the Unix socket `$XDG_RUNTIME_DIR/volt/PID.sock` |
///
/// Port 0 selects a free port; see [`Handle::inspect_endpoint`]. Only the user of the process can
/// connect to the Unix socket. All users of the machine can connect to a port of the loopback
/// interface, unless the server requires a [token](Self::token).
///
/// [`Handle::inspect_endpoint`]: crate::runtime::Handle::inspect_endpoint
///
/// # Examples
///
/// ```
/// use volt::runtime::InspectAddress;
///
/// let runtime = volt::Builder::new().inspect(InspectAddress::from(0)).build()?;
/// let endpoint = runtime.handle().inspect_endpoint().expect("the server runs");
/// assert!(endpoint.to_string().starts_with("http://127.0.0.1:"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone)]
pub struct InspectAddress {
    place: AddressPlace,
    token: Option<String>,
    exposure: Exposure,
    shows_values: bool,
}

#[derive(Clone, Debug)]
enum AddressPlace {
    Tcp(SocketAddr),
    Unix(PathBuf),
    /// The socket of this process in the directory of the user's session.
    UnixDefault,
    /// A text that is no address.
    Invalid(String),
}

/// The interfaces that the server may listen on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exposure {
    Loopback,
    Any,
}

/// The part of a valid address that the listener binds.
#[derive(Debug)]
pub(super) enum BindTarget {
    Tcp(SocketAddr),
    #[cfg(unix)]
    Unix(PathBuf),
}

impl InspectAddress {
    /// Returns the address of a Unix socket. The server creates the file with mode 0600, and
    /// removes it at its end.
    pub fn unix(path: impl Into<PathBuf>) -> Self {
        Self::at(AddressPlace::Unix(path.into()))
    }

    /// Returns an address on any interface, for a server that other machines can reach.
    ///
    /// Clients must send the token, which has at least 16 bytes. The connection is not encrypted,
    /// so use it only inside of a trusted network. An SSH tunnel to a loopback address is safer.
    pub fn exposed(address: SocketAddr, token: impl Into<String>) -> Self {
        let mut exposed = Self::at(AddressPlace::Tcp(address)).token(token);
        exposed.exposure = Exposure::Any;
        exposed
    }

    /// Sets a token of at least 16 bytes that clients must send, none by default.
    ///
    /// Clients send it in the header `Authorization: Bearer TOKEN`. The inspection page reads it
    /// from the fragment of its URL: `http://127.0.0.1:6680/#token=TOKEN`. Browsers send no
    /// fragment to servers, so the token is in no log.
    #[must_use]
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// Sets whether the data of one task contains the values that its futures store, `false` by
    /// default.
    ///
    /// Values can be confidential. The thread of the server formats them with
    /// [`Debug`](std::fmt::Debug), while no thread can poll the task; see
    /// [`Handle::dump_task_with_values`](crate::Handle::dump_task_with_values).
    #[must_use]
    pub fn show_values(mut self, shown: bool) -> Self {
        self.shows_values = shown;
        self
    }

    pub(super) fn shows_values(&self) -> bool {
        self.shows_values
    }

    fn at(place: AddressPlace) -> Self {
        Self {
            place,
            token: None,
            exposure: Exposure::Loopback,
            shows_values: false,
        }
    }

    /// Returns the address that the variable `VOLT_INSPECT` sets, and the token that
    /// `VOLT_INSPECT_TOKEN` sets. With a token, the address can be on any interface.
    pub(crate) fn from_environment() -> Option<Self> {
        let read = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let text = read(VARIABLE)?;
        let mut address = Self::from(&*text.to_string_lossy());
        if let Some(token) = read(TOKEN_VARIABLE) {
            address = address.token(token.to_string_lossy());
            address.exposure = Exposure::Any;
        }
        Some(address)
    }

    /// Returns the text of the address, for errors.
    pub(super) fn display(&self) -> String {
        self.place.to_string()
    }

    /// Checks the address. Returns the socket to bind, and the token.
    pub(super) fn into_target(self) -> io::Result<(BindTarget, Option<String>)> {
        if self.token.as_ref().is_some_and(|token| !is_token(token)) {
            return Err(invalid(
                "the token of the inspection server must have at least 16 bytes, \
                 and only visible ASCII characters"
                    .to_owned(),
            ));
        }
        let target = match self.place {
            AddressPlace::Tcp(address) => {
                check_interface(address, self.exposure)?;
                BindTarget::Tcp(address)
            }
            AddressPlace::Unix(path) => unix_target(path)?,
            AddressPlace::UnixDefault => unix_target(default_socket()?)?,
            AddressPlace::Invalid(text) => {
                return Err(invalid(format!(
                    "`{text}` is not an address of an inspection server: expected a port, \
                     `127.0.0.1:PORT`, the path of a Unix socket, or `unix`"
                )));
            }
        };
        Ok((target, self.token))
    }
}

/// Returns `true` if the token can be sent in a header and is long enough.
fn is_token(token: &str) -> bool {
    token.len() >= MIN_TOKEN && token.bytes().all(|byte| byte.is_ascii_graphic())
}

fn check_interface(address: SocketAddr, exposure: Exposure) -> io::Result<()> {
    if address.ip().is_loopback() || exposure == Exposure::Any {
        return Ok(());
    }
    Err(invalid(format!(
        "other machines can reach the inspection server at {address}: use a loopback address, \
         or `InspectAddress::exposed` with a token"
    )))
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "it is an error on other systems")]
fn unix_target(path: PathBuf) -> io::Result<BindTarget> {
    Ok(BindTarget::Unix(path))
}

#[cfg(not(unix))]
fn unix_target(path: PathBuf) -> io::Result<BindTarget> {
    let text = format!(
        "this system has no Unix socket for the inspection server at `{}`",
        path.display()
    );
    Err(io::Error::new(io::ErrorKind::Unsupported, text))
}

/// Returns the path of this process's socket, and creates its folder.
fn default_socket() -> io::Result<PathBuf> {
    let Some(folder) = std::env::var_os("XDG_RUNTIME_DIR") else {
        return Err(invalid(
            "the inspection address `unix` needs the variable XDG_RUNTIME_DIR".to_owned(),
        ));
    };
    let folder = Path::new(&folder).join("volt");
    std::fs::create_dir_all(&folder)?;
    Ok(folder.join(format!("{}.sock", process::id())))
}

pub(super) fn invalid(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, text)
}

impl From<u16> for InspectAddress {
    fn from(port: u16) -> Self {
        Self::from(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))
    }
}

impl From<SocketAddr> for InspectAddress {
    fn from(address: SocketAddr) -> Self {
        Self::at(AddressPlace::Tcp(address))
    }
}

impl From<(IpAddr, u16)> for InspectAddress {
    fn from(address: (IpAddr, u16)) -> Self {
        Self::from(SocketAddr::from(address))
    }
}

impl From<String> for InspectAddress {
    fn from(text: String) -> Self {
        Self::from(&*text)
    }
}

impl From<&str> for InspectAddress {
    fn from(text: &str) -> Self {
        if text == "unix" {
            return Self::at(AddressPlace::UnixDefault);
        }
        if text.contains('/') {
            return Self::unix(text.strip_prefix("unix:").unwrap_or(text));
        }
        let port = text.strip_prefix("localhost:").unwrap_or(text);
        if let Ok(port) = port.parse::<u16>() {
            return Self::from(port);
        }
        match text.parse::<SocketAddr>() {
            Ok(address) => Self::from(address),
            Err(_) => Self::at(AddressPlace::Invalid(text.to_owned())),
        }
    }
}

impl fmt::Display for AddressPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(f),
            Self::Unix(path) => path.display().fmt(f),
            Self::UnixDefault => f.write_str("unix"),
            Self::Invalid(text) => text.fmt(f),
        }
    }
}

impl fmt::Debug for InspectAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The token is a secret.
        f.debug_struct("InspectAddress")
            .field("place", &self.place)
            .field("exposure", &self.exposure)
            .finish_non_exhaustive()
    }
}

/// The socket that an inspection server listens on. As text, it is a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InspectEndpoint {
    /// A TCP socket. Its text is `http://127.0.0.1:6680/`.
    Tcp(SocketAddr),
    /// A Unix socket. Its text is `unix:` and the path.
    Unix(PathBuf),
}

impl fmt::Display for InspectEndpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => write!(f, "http://{address}/"),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BindTarget, InspectAddress};
    use std::io::ErrorKind;
    use std::net::SocketAddr;

    fn target(address: impl Into<InspectAddress>) -> Result<String, ErrorKind> {
        match address.into().into_target() {
            Ok((BindTarget::Tcp(address), _)) => Ok(address.to_string()),
            #[cfg(unix)]
            Ok((BindTarget::Unix(path), _)) => Ok(path.display().to_string()),
            Err(error) => Err(error.kind()),
        }
    }

    #[test]
    fn texts_parse_to_addresses() {
        assert_eq!(target(6680), Ok("127.0.0.1:6680".to_owned()));
        assert_eq!(target("6680"), Ok("127.0.0.1:6680".to_owned()));
        assert_eq!(target("localhost:1"), Ok("127.0.0.1:1".to_owned()));
        assert_eq!(target("[::1]:9"), Ok("[::1]:9".to_owned()));
        #[cfg(unix)]
        assert_eq!(target("unix:/run/a.sock"), Ok("/run/a.sock".to_owned()));
        #[cfg(unix)]
        assert_eq!(target("./a.sock"), Ok("./a.sock".to_owned()));
        for text in ["", "all", "127.0.0.1", "localhost:", "70000", "host:80"] {
            assert_eq!(target(text), Err(ErrorKind::InvalidInput), "{text:?}");
        }
    }

    #[test]
    fn other_interface_requires_exposed() {
        let any = SocketAddr::from(([0, 0, 0, 0], 6680));
        let token = "0123456789abcdef";
        assert_eq!(target(any), Err(ErrorKind::InvalidInput));
        let with_token = InspectAddress::from(any).token(token);
        assert_eq!(target(with_token), Err(ErrorKind::InvalidInput));
        let exposed = InspectAddress::exposed(any, token);
        assert_eq!(target(exposed), Ok("0.0.0.0:6680".to_owned()));
    }

    #[test]
    fn weak_token_is_an_error() {
        for token in [
            "",
            "0123456789abcde",
            "with a space in it",
            "tökentökentöken",
        ] {
            let address = InspectAddress::from(0).token(token);
            assert_eq!(target(address), Err(ErrorKind::InvalidInput), "{token:?}");
        }
    }

    #[test]
    fn debug_hides_the_token() {
        let address = InspectAddress::from(0).token("0123456789abcdef");
        assert!(!format!("{address:?}").contains("0123456789abcdef"));
    }
}
