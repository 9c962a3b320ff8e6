//! Cases of calls that take their receiver; `subject!` decides what they become.

use super::log::*;

subject! {
    async fn mapped(checked: Result<D, D>, early: bool) -> Result<u32, &'static str> {
        let good: D = checked.map_err(|bad| bad.0)?;
        tick("kept").await;
        if early {
            return Ok(1);
        }
        look(&good);
        tick("end").await;
        Ok(2)
    }
}

subject! {
    async fn on_some_paths(found: Option<D>, guard: D, takes: bool) -> u32 {
        if takes {
            let inner: D = found.expect("some");
            tick("inner").await;
            look(&inner);
        }
        tick("behind").await;
        look(&guard);
        3
    }
}

subject! {
    async fn converted(list: Vec<D>, text: String) -> usize {
        let mut names: Vec<&'static str> = Vec::new();
        for item in list.into_iter().rev() {
            look(&item);
            names.push(item.0);
        }
        tick("names").await;
        let bytes: Vec<u8> = text.into_bytes();
        tick("bytes").await;
        let boxed: Box<[u8]> = bytes.into();
        tick("boxed").await;
        boxed.len() + names.len()
    }
}

subject! {
    async fn called<F: FnOnce(D) -> u32>(action: F, later: Box<dyn FnOnce() -> D>, arg: D) -> u32 {
        let number: u32 = action(arg);
        tick("called").await;
        let d: D = later();
        tick("later").await;
        look(&d);
        number
    }
}

doubted! {
    async fn in_the_tokens_of_a_macro(byte: u8, text: String, d: D) -> usize {
        macro_rules! pair {
            ($left:expr => $right:expr) => {
                ($left, $right)
            };
        }
        let bytes: Vec<u8> = vec![byte; 3];
        tick("bytes").await;
        let (found, length): (D, usize) = pair!(d => text.len());
        look(&found);
        bytes.len() + length + usize::from(bytes[2])
    }
}

subject! {
    async fn copied(number: Option<u32>) -> u32 {
        let first: u32 = number.unwrap_or(1);
        tick("copied").await;
        first + number.map_or(7, |number| number)
    }
}

// The macro cannot be looked into, so it is the binding of the pattern that gets another name.
doubted! {
    async fn named_again(found: Result<D, D>) -> u32 {
        macro_rules! both {
            ($left:expr => $right:expr) => {
                (look($left), $right)
            };
        }
        match found {
            Ok(value) => {
                if let Some(value) = Some(value) {
                    let value: D = value;
                    let ((), number): ((), u32) = both!(&value => 1);
                    tick("ok").await;
                    return number;
                }
                2
            }
            Err(error) => {
                look(&error);
                let error: D = error;
                let ((), number): ((), u32) = both!(&error => 3);
                tick("err").await;
                look(&error);
                number
            }
        }
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list = Vec::new();
    case!(list, "mapped ok", mapped(Ok(D("ok")), false));
    case!(list, "mapped early", mapped(Ok(D("ok")), true));
    case!(list, "mapped err", mapped(Err(D("err")), false));
    case!(list, "taken", on_some_paths(Some(D("some")), D("guard"), true));
    case!(list, "left", on_some_paths(Some(D("some")), D("guard"), false));
    case!(list, "converted", converted(vec![D("a"), D("b")], "text".into()));
    case!(
        list,
        "called",
        called(
            |d| {
                look(&d);
                4
            },
            Box::new(|| D("made")),
            D("arg")
        )
    );
    case!(
        list,
        "in tokens",
        in_the_tokens_of_a_macro(7, "text".into(), D("d"))
    );
    case!(list, "copied", copied(Some(5)));
    case!(list, "named_again ok", named_again(Ok(D("ok"))));
    case!(list, "named_again err", named_again(Err(D("err"))));
    list
}
