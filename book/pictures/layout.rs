//! The bytes of a machine and of the compiler's future, state by state.

use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::path::Path;
use std::pin::pin;
use std::process::Command;
use std::task::{Context, Waker};

use crate::fields::{Field, Strip, Strips};
use crate::stored::{Check, Key, Page, Place, Store, store};

/// Name, address and size of a value.
type Found = (&'static str, usize, usize);

thread_local! {
    static FOUND: RefCell<Vec<Found>> = const { RefCell::new(Vec::new()) };
}

/// Notes where a value is.
pub(crate) fn record<T>(name: &'static str, value: &T) {
    let found = (name, std::ptr::from_ref(value).addr(), size_of::<T>());
    FOUND.with_borrow_mut(|all| all.push(found));
}

/// `Debug` of a machine visits its locals in place, so these implementations record their
/// addresses.
macro_rules! recorded {
    ($($type:ident: $name:literal;)*) => {
        $(impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                record($name, self);
                f.write_str($name)
            }
        })*
    };
}

recorded! {
    Page: "page";
    Key: "key";
    Check: "check";
    Place: "place";
}

const NAMES: [&str; 6] = ["page", "awaited future", "key", "check", "place", "tag"];

fn colour(name: &str) -> usize {
    NAMES
        .iter()
        .position(|known| *known == name)
        .unwrap_or(NAMES.len() - 1)
}

/// The machine: each poll records the awaited future, and `Debug` after it the locals.
fn machine() -> Vec<Strip> {
    let mut machine = pin!(store(Page([1; 64])));
    let start = std::ptr::from_ref(&*machine).addr();
    let mut strips = Vec::new();
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        let is_ready = machine.as_mut().poll(&mut cx).is_ready();
        if is_ready {
            return strips;
        }
        // The last poll is that of the future that is awaited now.
        let mut found: Vec<Found> = FOUND.take().pop().into_iter().collect();
        _ = format!("{:?}", &*machine);
        found.extend(FOUND.take());
        let fields = found.iter().filter_map(|&(name, address, size)| {
            let from = u32::try_from(address.checked_sub(start)?).ok()?;
            let to = from + u32::try_from(size).ok()?;
            Some(Field {
                name: name.to_owned(),
                from,
                to,
                colour: colour(name),
            })
        });
        let title = format!("machine, suspended at await {}", strips.len() + 1);
        strips.push(Strip {
            title,
            fields: fields.collect(),
        });
    }
}

/// The compiler's future, as `-Zprint-type-sizes` of rustc describes it.
fn compiler(source: &Path) -> Result<(Vec<Strip>, u32), Box<dyn Error>> {
    let output = Command::new("rustc")
        .env("RUSTC_BOOTSTRAP", "1")
        .args([
            "-Zprint-type-sizes",
            "--cfg=feature=\"plain\"",
            "--crate-type=lib",
            "--edition=2024",
        ])
        .args(["--emit=mir", "-o", "/dev/null"])
        .arg(source)
        .output()?;
    let text = String::from_utf8(output.stdout)?;
    let head = "print-type-size type: `{async fn body of store()}`: ";
    let (_, body) = text
        .split_once(head)
        .ok_or("rustc prints no layout of `store`")?;
    let mut lines = body.lines();
    let size = lines.next().and_then(|line| line.split(' ').next());
    let size: u32 = size.ok_or("no size")?.parse()?;
    let mut strips: Vec<Strip> = Vec::new();
    let mut at = 0;
    for line in lines.take_while(|line| !line.contains(" type: `")) {
        let line = line.trim_start_matches("print-type-size").trim();
        if let Some(rest) = line.strip_prefix("variant `Suspend") {
            let number = rest.split('`').next().unwrap_or_default();
            let number = number.parse::<u32>()? + 1;
            let title = format!("compiler's future, suspended at await {number}");
            strips.push(Strip {
                title,
                fields: Vec::new(),
            });
            at = 0;
        } else if line.starts_with("variant") {
            strips.push(Strip {
                title: String::new(),
                fields: Vec::new(),
            });
            at = 0;
        } else if let Some(strip) = strips.last_mut() {
            at = field(line, at, strip);
        }
    }
    strips.retain(|strip| !strip.title.is_empty());
    Ok((strips, size))
}

/// Adds the field or skips the padding of a line, and returns the offset after it.
fn field(line: &str, at: u32, strip: &mut Strip) -> u32 {
    let number =
        |text: &str, end: &str| -> Option<u32> { text.split(end).next()?.trim().parse().ok() };
    if let Some(rest) = line.strip_prefix("padding: ") {
        return at + number(rest, " bytes").unwrap_or(0);
    }
    let is_field =
        line.starts_with("upvar") || line.starts_with("local") || line.starts_with("field");
    let (Some(name), true) = (line.split('`').nth(1), is_field) else {
        return at;
    };
    let size = line
        .split("`: ")
        .nth(1)
        .and_then(|rest| number(rest, " bytes"));
    let offset = line
        .split("offset: ")
        .nth(1)
        .and_then(|rest| number(rest, " bytes"));
    let (size, from) = (size.unwrap_or(0), offset.unwrap_or(at));
    let name = match name.trim_start_matches('.') {
        "__awaitee" => "awaited future",
        name => name,
    };
    let to = from + size;
    strip.fields.push(Field {
        name: name.to_owned(),
        from,
        to,
        colour: colour(name),
    });
    to
}

/// The machine above the compiler's future, on one scale of bytes.
pub(crate) fn draw(source: &Path) -> Result<String, Box<dyn Error>> {
    let mut strips = machine();
    let (compiled, size) = compiler(source)?;
    strips.extend(compiled);
    let ours = u32::try_from(size_of::<Store>())?;
    println!("machine {ours} bytes, compiler's future {size} bytes");
    let strips = Strips {
        units: size.max(ours),
        mark: 32,
        unit: "bytes",
        strips,
        is_reversed: false,
    };
    Ok(strips.draw())
}
