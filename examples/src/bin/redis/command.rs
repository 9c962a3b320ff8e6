//! The commands.

use std::time::Duration;

use crate::reply::Reply;
use crate::session::Client;
use crate::store::Store;

/// Executes a request, and writes the replies.
pub(crate) fn execute(client: &mut Client, request: &[Vec<u8>], output: &mut Vec<u8>) {
    let Some((name, arguments)) = request.split_first() else {
        return; // An empty line.
    };
    let name = name.to_ascii_uppercase();
    let words: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
    match (&name[..], &words[..]) {
        (b"SUBSCRIBE", [_, ..]) => {
            for channel in words {
                client.subscribe(channel).write(output);
            }
        }
        (b"UNSUBSCRIBE", _) => {
            for reply in client.unsubscribe(&words) {
                reply.write(output);
            }
        }
        (b"PUBLISH", [channel, message]) => {
            let heard = client.shared.channels.publish(channel, message);
            Reply::Integer(heard as i64).write(output);
        }
        (b"QUIT", []) => {
            client.leaves = true;
            Reply::Simple("OK").write(output);
        }
        (_, words) => answer(&client.shared.store, &name, words).write(output),
    }
}

/// The commands that have to do with nothing but the keys.
fn answer(store: &Store, name: &[u8], words: &[&[u8]]) -> Reply {
    match (name, words) {
        (b"PING", []) => Reply::Simple("PONG"),
        (b"PING" | b"ECHO", [text]) => Reply::bulk(*text),
        (b"GET", [key]) => store.get(key).map_or(Reply::Nothing, Reply::Bulk),
        (b"SET", [key, value, options @ ..]) => match lasting(options) {
            Ok(lasts) => {
                store.set(key, value, lasts);
                Reply::Simple("OK")
            }
            Err(refusal) => Reply::Error(refusal.into()),
        },
        (b"DEL", [_, ..]) => count(words, |key| store.remove(key)),
        (b"EXISTS", [_, ..]) => count(words, |key| store.get(key).is_some()),
        (b"INCR", [key]) => match store.increment(key) {
            Some(number) => Reply::Integer(number),
            None => Reply::Error("ERR value is not an integer or out of range".into()),
        },
        (b"TTL", [key]) => rest(store, key, |rest| rest.as_millis().div_ceil(1000)),
        (b"PTTL", [key]) => rest(store, key, |rest| rest.as_millis()),
        (b"DBSIZE", []) => Reply::Integer(store.len() as i64),
        _ => unknown(name),
    }
}

fn count(keys: &[&[u8]], mut counts: impl FnMut(&[u8]) -> bool) -> Reply {
    Reply::Integer(keys.iter().filter(|key| counts(key)).count() as i64)
}

fn rest(store: &Store, key: &[u8], unit: impl FnOnce(Duration) -> u128) -> Reply {
    match store.rest(key) {
        None => Reply::Integer(-2),
        Some(None) => Reply::Integer(-1),
        Some(Some(rest)) => Reply::Integer(unit(rest).try_into().unwrap_or(i64::MAX)),
    }
}

/// Returns the lifetime of a value from the options that follow it in a `SET`.
fn lasting(options: &[&[u8]]) -> Result<Option<Duration>, &'static str> {
    let [unit, count] = options else {
        return match options {
            [] => Ok(None),
            _ => Err("ERR syntax error"),
        };
    };
    let unit: fn(u64) -> Duration = match unit.to_ascii_uppercase().as_slice() {
        b"EX" => Duration::from_secs,
        b"PX" => Duration::from_millis,
        _ => return Err("ERR syntax error"),
    };
    let digits = std::str::from_utf8(count).ok();
    match digits.and_then(|digits| digits.parse().ok()) {
        None => Err("ERR value is not an integer or out of range"),
        Some(0) => Err("ERR invalid expire time in 'set' command"),
        Some(count) => Ok(Some(unit(count))),
    }
}

const KNOWN: &[&[u8]] = &[
    b"PING",
    b"ECHO",
    b"GET",
    b"SET",
    b"DEL",
    b"EXISTS",
    b"INCR",
    b"TTL",
    b"PTTL",
    b"DBSIZE",
    b"PUBLISH",
    b"SUBSCRIBE",
    b"QUIT",
];

fn unknown(name: &[u8]) -> Reply {
    let shown = name.escape_ascii().to_string().to_lowercase();
    Reply::Error(if KNOWN.contains(&name) {
        format!("ERR wrong number of arguments for '{shown}' command")
    } else {
        format!("ERR unknown command '{shown}'")
    })
}
