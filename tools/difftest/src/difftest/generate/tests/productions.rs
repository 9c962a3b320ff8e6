//! Nothing of the dialect is left out: each production comes soon.

use super::super::{Switches, family};

/// In so many functions each production occurs.
const FUNCTIONS: usize = 2000;

/// Returns `true` if a function has the production.
type Detector = fn(&str) -> bool;

/// The productions, each with the test that detects it in a function.
const PRODUCTIONS: [(&str, Detector); 113] = [
    (
        "a local that a method may move, between two borrowed ones",
        |f| line(f, &["both(", ", &v", ").await"]),
    ),
    ("a method that moves a part and awaits", |f| {
        line(f, &[".d.closed(", ").await"])
    }),
    ("such a method next to another part", |f| {
        line(f, &[".d.closed_beside(", ", &", ".list).await"])
    }),
    ("a text that a borrow replaces", |f| {
        f.contains("= \"none\"; if flip(")
    }),
    ("a list that gets borrows by an entry", |f| {
        f.contains(".or_insert_with(Vec::new); e.push(w);")
    }),
    ("a borrow that a break gives", |f| {
        f.contains("break by(&d(")
    }),
    ("a branch whose value is coerced", |f| {
        f.contains(": Option<Box<dyn Look>> = if")
    }),
    ("an operator behind a question", |f| f.contains("? & 7 }")),
    ("a last expression beside a value without a name", |f| {
        any_line(f, |it| it.starts_with("by(&d("))
    }),
    ("a temporary that a function borrows", |f| {
        f.contains(", &of(")
    }),
    ("a value without a name that a method moves", |f| {
        line(f, &["(chained(", ").ended(", ".await"])
    }),
    ("a value without a name that a method borrows", |f| {
        line(f, &["(chained(", ").marked(", ").copied(", ".await"])
    }),
    ("a value without a name that is looked at", |f| {
        f.contains("matches!(maybe(") || f.contains("].iter().copied().max()")
    }),
    ("a value without a name that is taken", |f| {
        f.contains(").map_or(0u32, |it| {")
    }),
    ("a call with clones of two locals", |f| {
        any_line(f, |it| {
            it.contains(".await") && it.matches(".clone()").count() > 1
        })
    }),
    ("an assertion that waits in debug builds", |f| {
        any_line(f, |it| {
            it.starts_with("debug_assert") && it.contains(".await")
        })
    }),
    ("a typed local of an await", |f| {
        line(f, &["let ", ": ", " = ", ".await;"])
    }),
    ("an untyped local of an await", |f| {
        any_line(f, |it| {
            it.starts_with("let v") && !it.contains(": ") && it.ends_with(".await;")
        })
    }),
    ("numbers that every state keeps", |f| {
        line(f, &["let mut ", ": usize = 0;"])
    }),
    ("`impl Trait` behind a pattern", |f| {
        let signature = signature(f);
        let pattern = signature.find("): ").or(signature.find("}: "));
        pattern.is_some_and(|at| signature[at..].contains("impl Fresh"))
    }),
    ("a closure that takes a local", |f| {
        f.contains("(move || consume(")
    }),
    ("a closure that takes a local in a loop", |f| {
        f.contains("(move || loop { look(")
    }),
    ("a closure that takes a local in a branch", |f| {
        f.contains("(move || if flip(")
    }),
    ("a closure with a loop of its own", |f| {
        f.contains("(|| loop { ") && f.contains("{ break; } })();")
    }),
    ("an `if let` at the end", |f| {
        let last = f
            .lines()
            .rfind(|it| it.starts_with("    ") && !it.starts_with("     "));
        let begin = f.lines().rfind(|it| {
            it.starts_with("    ") && !it.starts_with("     ") && !it.starts_with("    }")
        });
        last == Some("    }") && begin.is_some_and(|it| it.starts_with("    if let "))
    }),
    ("a closure that is called once, with an await", |f| {
        any_line(f, |it| it.contains("= once") && it.contains(".await)"))
    }),
    ("a constant before an await", |f| f.contains(" = (None, ")),
    ("a closure that takes a part", |f| {
        any_line(f, |it| {
            it.starts_with("(move || look(&v") && it.contains(".n)")
        })
    }),
    ("a closure that hides a local", |f| {
        f.contains("(move || { let ") && f.contains("(move |")
    }),
    ("an await alone", |f| {
        any_line(f, |it| it.starts_with("tick(") && it.ends_with(".await;"))
    }),
    ("an await before `?`", |f| f.contains(".await?")),
    ("`?` on an Option", |f| {
        f.contains("-> Option<") && f.contains(".await?")
    }),
    ("`?` on a Result", |f| {
        f.contains("-> Result<") && f.contains(".await?")
    }),
    ("`?` that converts the error", |f| {
        f.contains(", ErrorB> ") && f.contains(", ErrorA>>(")
    }),
    ("`?` within an expression", |f| {
        f.contains(".await?)") || line(f, &[" = ", ".await?;"])
    }),
    ("a returned await", |f| line(f, &["return ", ".await;"])),
    ("an await at the end", |f| {
        f.trim_end_matches(['}', ' ', '\n']).ends_with(".await")
    }),
    ("a match on an await", |f| line(f, &["match ", ".await {"])),
    ("a match arm with a guard", |f| line(f, &[") if ", "=> {"])),
    ("an if that awaits", |f| line(f, &["if ", ".await {"])),
    ("an if let that awaits", |f| {
        line(f, &["if let ", ".await {"])
    }),
    ("a while that awaits", |f| line(f, &["while ", ".await {"])),
    ("a while let that awaits", |f| {
        line(f, &["while let ", ".await {"])
    }),
    ("a let else that awaits", |f| {
        line(f, &["let ", ".await else {"])
    }),
    ("an await in the else of a let", |f| {
        after(f, " else {", |it| it.contains("tick("))
    }),
    ("a chain that awaits before a let", |f| {
        line(f, &["if ", ".await && let "])
    }),
    ("an else if", |f| f.contains("} else if ")),
    ("a loop with a value", |f| {
        line(f, &["let ", " = ", "loop {"])
    }),
    ("a block with a label and a value", |f| {
        line(f, &["let ", " = 'b"])
    }),
    ("a break with a label and a value", |f| {
        any_line(f, |it| {
            it.starts_with("break '") && it.contains(' ') && it.split(' ').count() > 2
        })
    }),
    ("a break with an awaited value", |f| {
        line(f, &["break ", ".await;"])
    }),
    ("a continue with a label", |f| f.contains("continue 'l")),
    ("a return in a loop", |f| {
        f.contains("loop {") && line(f, &["return"])
    }),
    ("a for over a range", |f| line(f, &["for ", "..", "u32"])),
    ("a for over a local", |f| line(f, &["for ", " in v", " {"])),
    ("a for over an await", |f| line(f, &["for ", ".await {"])),
    ("a nested block", |f| {
        any_line(f, |it| it == "{" || it.ends_with("= {"))
    }),
    ("an unsafe block that awaits", |f| {
        after(f, "unsafe {", |it| it.contains(".await"))
    }),
    ("a name that hides itself", |f| any_line(f, hides_itself)),
    ("a local that is given a value later", |f| {
        any_line(f, |it| {
            it.starts_with("let ") && !it.contains('=') && it.ends_with(';')
        })
    }),
    ("a move on one way only", |f| {
        after(f, "if ", |it| {
            it.contains("drop(") || it.contains("consume(")
        })
    }),
    ("a loop that gives back what it moved", |f| {
        f.contains("loop {") && line(f, &["v", " = d("])
    }),
    ("a tuple taken apart", |f| {
        any_line(f, |it| it.starts_with("let (v"))
    }),
    ("a type parameter", |f| f.contains("<T: Fresh")),
    ("a constant parameter", |f| f.contains("const N: usize")),
    ("a where clause", |f| {
        f.contains(" where ") || f.contains("\nwhere ")
    }),
    ("an impl Trait argument", |f| f.contains(": impl Fresh")),
    ("a named lifetime", |f| f.contains("&'a DropLogger")),
    ("a borrowed argument", |f| signature(f).contains(": &")),
    ("a borrowed argument that is changed", |f| {
        signature(f).contains("&mut DropLogger") && f.contains("touch(")
    }),
    ("a reborrowed argument", |f| {
        signature(f).contains("a: &mut ") && line(f, &["(a", ".await"])
    }),
    ("a method by value", |f| {
        signature(f).contains("(self") || signature(f).contains("(mut self")
    }),
    ("a method that looks", |f| signature(f).contains("(&self")),
    ("a method that changes", |f| {
        signature(f).contains("(&mut self")
    }),
    ("a call by the dot", |f| {
        any_line(f, |it| (0..4).any(|n| it.contains(&format!(".f{n}("))))
    }),
    ("a call that moves its receiver", |f| {
        any_line(f, |it| it.contains("}.f"))
    }),
    ("a method of a trait", |f| f.contains("impl Way")),
    ("a method of a trait that names its future", |f| {
        f.contains("    type Future")
    }),
    ("a method of a generic type", |f| f.contains("OtherImpl<T>")),
    ("an associated function", |f| {
        f.contains("impl Host") && !signature(f).contains("self")
    }),
    ("a future of a trait's method", |f| {
        line(f, &["let ", ": T::Later = T::later("])
    }),
    ("an await of a trait's future", |f| {
        any_line(f, |it| it.contains(": T::Later =")) && line(f, &["v", ".await"])
    }),
    ("an argument that is a tuple", |f| {
        signature(f).contains("(a1, a2): (") || signature(f).contains("(mut a1")
    }),
    ("an argument that is a struct", |f| {
        signature(f).contains("Pair { n: ")
    }),
    ("an argument behind a reference", |f| {
        signature(f).contains(": &u32") && signature(f).contains("&a: ")
    }),
    ("an argument with mut", |f| signature(f).contains("mut a: ")),
    ("a struct taken apart", |f| {
        line(f, &["let Pair { n: v", " = "])
    }),
    ("a tuple taken apart by name", |f| {
        any_line(f, |it| {
            it.starts_with("let (v") && it.ends_with(';') && it.contains("_1")
        })
    }),
    ("an arm for all others", |f| {
        any_line(f, |it| it == "_ => {")
    }),
    ("a pattern on one way only", |f| {
        line(f, &["if ", " && let ", " = v"])
    }),
    ("a call that a loop or block is left with", |f| {
        any_line(f, |it| it.starts_with("break") && it.contains("note("))
    }),
    ("a value of a block that is dropped at its end", |f| {
        any_line(f, |it| it == "};")
    }),
    ("a boxed await", |f| line(f, &["= Box::pin(step", ".await"])),
    ("a future in a local", |f| line(f, &["let ", ": Step<"])),
    ("a boxed future in a local", |f| {
        line(f, &["let ", ": Pin<Box<dyn Future"])
    }),
    ("a local that is awaited by reference", |f| {
        any_line(f, |it| it.contains("(&mut v") && it.contains(".await"))
    }),
    ("an unsafe function", |f| f.contains("async unsafe fn")),
    ("a recursion", |f| {
        (0..4).any(|n| {
            f.contains(&format!("fn f{n}")) && {
                f.contains(&format!("Box::pin(f{n}("))
                    || f.contains(&format!("Box::pin(Host::f{n}("))
            }
        })
    }),
    ("a large array", |f| line(f, &["let ", ": [u8; 256] ="])),
    ("a local without a type", |f| {
        any_line(f, |it| {
            it.starts_with("let v") && it.contains("step::<") && !it.contains(": ")
        })
    }),
    ("a foreign future that borrows", |f| {
        f.contains("lend(") && f.contains("seen(")
    }),
    ("two parts in an operand", |f| {
        line(f, &["both(", "&mut ", ".d, &", ".list"])
    }),
    ("an element of a slice", |f| {
        line(f, &["if let [held, ..] ="])
    }),
    ("an array taken apart", |f| {
        any_line(f, |it| it.starts_with("let [v"))
    }),
    ("a guard", |f| line(f, &["let ", ": CopyWithDrop ="])),
    ("a closure that borrows several", |f| {
        any_line(f, |it| {
            it.split("poll_fn(|cx|")
                .skip(1)
                .any(|it| it.matches("look(").count() + it.matches("touch(").count() > 1)
        })
    }),
    ("two futures joined", |f| {
        f.contains("volt::future::join(") && f.contains(".await")
    }),
    ("a race", |f| f.contains("volt::future::race(")),
    ("two outcomes joined", |f| {
        f.contains("volt::future::try_join(")
    }),
    ("a race of three", |f| line(f, &["(", ", ", ").race()"])),
    ("a combinator whose future borrows a local", |f| {
        any_line(f, |it| {
            it.split("volt::future::")
                .skip(1)
                .any(|it| it.contains("(&"))
        })
    }),
    ("a combinator in a combinator", |f| {
        line(f, &["volt::future::", "volt::future::"])
            || line(f, &["volt::task::shielded(", "volt::future::"])
    }),
    ("several awaits in an expression", |f| {
        any_line(f, |it| it.matches(".await").count() > 1)
    }),
];

fn any_line(function: &str, is: impl Fn(&str) -> bool) -> bool {
    function.lines().any(|line| is(line.trim()))
}

/// Returns `true` if a line contains the parts, in this order.
fn line(function: &str, parts: &[&str]) -> bool {
    any_line(function, |line| {
        let rest = parts.iter().try_fold(line, |rest, part| {
            rest.split_once(part).map(|(_, behind)| behind)
        });
        rest.is_some()
    })
}

/// Returns `true` if the line after one with `opening` satisfies the condition.
fn after(function: &str, opening: &str, is: impl Fn(&str) -> bool) -> bool {
    let behind = function.lines().skip(1);
    function
        .lines()
        .zip(behind)
        .any(|(line, next)| line.contains(opening) && line.ends_with('{') && is(next))
}

fn signature(function: &str) -> &str {
    let from = function.find("fn f").unwrap_or(0);
    function[from..].split(" {\n").next().unwrap_or_default()
}

/// `let x: T = x;`
fn hides_itself(line: &str) -> bool {
    let parts = line.strip_prefix("let ").and_then(|it| it.split_once(": "));
    let value = line
        .rsplit(" = ")
        .next()
        .and_then(|it| it.strip_suffix(';'));
    parts.is_some_and(|(name, _)| Some(name.trim_start_matches("mut ")) == value)
}

#[test]
fn each_production_comes_soon() {
    let families = (0..).map(|index| family(1, index, &Switches::default()));
    let functions = families.flatten().take(FUNCTIONS);
    let sources: Vec<String> = functions.map(|it| it.items(true, "")).collect();
    let missing = PRODUCTIONS
        .iter()
        .filter(|(_, is)| !sources.iter().any(|source| is(source)));
    let missing: Vec<&str> = missing.map(|(name, _)| *name).collect();
    assert!(missing.is_empty(), "not written: {missing:?}");
}
