//! Locations of panics of calls outside a runtime: they name the line of the caller.

use std::cell::RefCell;
use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::time::Duration;

use volt::net::{TcpListener, TcpStream, UdpSocket, connect, lookup_host};
use volt::time::{interval, sleep, sleep_until, timeout};

const LONG: Duration = Duration::from_secs(60);

thread_local! {
    static LAST_PANIC: RefCell<Option<PanicReport>> = const { RefCell::new(None) };
}

/// The location and the message of a panic.
#[derive(Debug)]
struct PanicReport {
    file: String,
    line: u32,
    message: String,
}

fn panic_of(call: impl FnOnce()) -> PanicReport {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        std::panic::set_hook(Box::new(|info| {
            let (at, message) = (info.location().unwrap(), info.payload_as_str());
            let report = PanicReport {
                file: at.file().to_owned(),
                line: at.line(),
                message: message.unwrap_or_default().to_owned(),
            };
            eprintln!("{report:?}");
            LAST_PANIC.set(Some(report));
        }));
    });
    assert!(catch_unwind(AssertUnwindSafe(call)).is_err());
    LAST_PANIC.take().unwrap()
}

/// Asserts that an await outside a runtime panics at this line, and that the message names the
/// place of the creation.
macro_rules! assert_await_panics_here {
    ($future:expr) => {
        let report = panic_of(|| futures_lite::future::block_on(async { _ = $future.await }));
        assert!(
            report.file == file!() && report.line == line!(),
            "{report:?}"
        );
        assert_created_here!(report, line!());
    };
}

macro_rules! assert_created_here {
    ($report:expr, $line:expr) => {
        let place = format!("created at {}:{}:", file!(), $line);
        assert!($report.message.contains(&place), "{:?}", $report);
    };
}

macro_rules! assert_panics_here {
    ($call:expr) => {
        let report = panic_of(|| _ = $call);
        assert!(
            report.file == file!() && report.line == line!(),
            "{report:?}"
        );
    };
}

#[test]
fn await_outside_a_runtime_panics_at_its_line() {
    assert_await_panics_here!(sleep(LONG));
    assert_await_panics_here!(sleep_until(std::time::Instant::now() + LONG));
    assert_await_panics_here!(timeout(LONG, std::future::pending::<()>()));
    assert_await_panics_here!(lookup_host("localhost:80"));
    assert_await_panics_here!(connect("127.0.0.1:80"));
    assert_await_panics_here!(connect("localhost:80"));
    assert_await_panics_here!(TcpStream::connect("127.0.0.1:80"));
    #[cfg(unix)]
    assert_await_panics_here!(volt::net::connect_unix("/dev/null"));
    #[cfg(unix)]
    assert_await_panics_here!(volt::net::UnixStream::connect("/dev/null"));
}

/// The future is created in one place, and polled by a library.
#[test]
fn panic_of_a_moved_future_names_its_creation() {
    fn lasts<F: Future>(future: F) -> impl FnOnce() {
        move || _ = futures_lite::future::block_on(future)
    }
    let report = panic_of(lasts(sleep(LONG)));
    assert_created_here!(report, line!() - 1);
    let report = panic_of(lasts(timeout(LONG, std::future::pending::<()>())));
    assert_created_here!(report, line!() - 1);
    let report = panic_of(lasts(connect("localhost:80")));
    assert_created_here!(report, line!() - 1);
}

#[test]
fn machine_outside_a_runtime_panics_at_its_await() {
    const LINE: u32 = line!() + 3;
    #[volt::state_machine]
    async fn naps() {
        sleep(LONG).await;
    }
    let report = panic_of(|| futures_lite::future::block_on(naps()));
    assert_created_here!(report, LINE);
}

#[test]
fn interval_outside_a_runtime_names_its_creation() {
    let mut ticks = interval(LONG);
    let made = line!() - 1;
    // The first tick is due at once.
    let report = panic_of(|| {
        futures_lite::future::block_on(async {
            ticks.tick().await;
            ticks.reset();
            ticks.tick().await;
        });
    });
    assert!(
        report.message.contains(file!()) && report.line > made,
        "{report:?}"
    );
}

#[test]
fn call_outside_a_runtime_panics_at_its_line() {
    assert_panics_here!(UdpSocket::bind("127.0.0.1:0"));
    assert_panics_here!(TcpListener::bind("127.0.0.1:0"));
    let bind = || std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    assert_panics_here!(TcpListener::from_std(bind()));
    let address = bind().local_addr().unwrap();
    let bound = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    assert_panics_here!(UdpSocket::from_std(bound));
    let listener = std::net::TcpListener::bind(address).unwrap();
    let stream = std::net::TcpStream::connect(address).unwrap();
    assert_panics_here!(TcpStream::from_std(stream));
    drop(listener);
    assert_panics_here!(volt::spawn(async {}));
    assert_panics_here!(volt::spawn_blocking(|| ()));
    assert_panics_here!(volt::time::pause());
    assert_panics_here!(volt::time::resume());
    assert_panics_here!(volt::Handle::current());
}

#[test]
#[cfg(unix)]
fn unix_call_outside_a_runtime_panics_at_its_line() {
    use volt::io::Registered;
    use volt::net::{UnixDatagram, UnixListener, UnixStream};

    let path = std::env::temp_dir().join("volt-is-never-bound");
    assert_panics_here!(UnixListener::bind(&path));
    assert_panics_here!(UnixDatagram::bind(&path));
    assert_panics_here!(UnixDatagram::unbound());
    assert_panics_here!(UnixDatagram::pair());
    assert_panics_here!(UnixStream::pair());
    let (one, other) = std::os::unix::net::UnixStream::pair().unwrap();
    assert_panics_here!(UnixStream::from_std(one));
    assert_panics_here!(Registered::new(other));
    assert!(!path.exists());
}
