//! Values without a name on which awaited methods are called.
//!
//! `subject!` decides what the cases become.

use super::log::*;

subject! {
    async fn built_by_value(a: D) -> usize {
        let n = Request::new("made").with(a).with(D("b")).send("one").await;
        tick("two").await;
        n
    }
}

subject! {
    async fn built_by_reference(a: D) -> usize {
        let n = Command::new("made").arg(a).arg(D("b")).run("one").await;
        tick("two").await;
        n
    }
}

subject! {
    async fn built_by_reference_beside_what_is_lent() -> usize {
        let cell = Cell(D("a"));
        let mut seen = cell.all("one").await;
        let n = Script::new("made").key("key").arg("b").invoke(&mut seen).await;
        n + seen.len()
    }
}

subject! {
    async fn guard_of_a_local(a: D) -> usize {
        let cell = Cell(a);
        let n = cell.lock("outer").weigh("one").await;
        tick("two").await;
        n
    }
}

subject! {
    async fn guard_of_an_argument(cell: &Cell) -> usize {
        let mut sum = 0;
        sum += cell.lock("first").weigh("one").await;
        cell.lock("second").weigh("two").await;
        tick("three").await;
        sum
    }
}

subject! {
    async fn errors_within(a: D, failing: bool) -> Result<usize, String> {
        let list = vec![a];
        let n = open("opened", failing)?.send("one").await;
        let m = open("again", n == 2)?.check("two").await?;
        tick("three").await;
        Ok(n + m + list.len())
    }
}

subject! {
    async fn value_of_the_function(cell: &Cell) -> usize {
        cell.lock("tail").weigh("one").await
    }
}

subject! {
    async fn values_of_arms(a: D, way: u8) -> usize {
        let cell = Cell(a);
        let n: usize = match way {
            0 => cell.lock("arm").weigh("one").await,
            1 => Request::new("arm").send("two").await,
            _ => {
                tick("other").await;
                3
            }
        };
        tick("end").await;
        look(&cell.0);
        n
    }
}

subject! {
    async fn output_without_a_name(a: D) {
        let cell = Cell(a);
        cell.lock("statement").found("one").await;
        let _ = cell.lock("let").found("two").await;
        let _: D = cell.lock("typed").found("three").await;
        let _ = cell.lock("asked").checked("four").await.ok();
        tick("five").await;
    }
}

subject! {
    async fn condition_ends_its_own(a: D) -> usize {
        let cell = Cell(a);
        let mut n = 0;
        if cell.lock("condition").weigh("one").await > 0 {
            tick("within").await;
            n += 1;
        }
        while cell.lock("while").weigh("two").await > n {
            n += 1;
            tick("turn").await;
        }
        n
    }
}

subject! {
    async fn scrutinee_lives_in_the_arms(a: D) -> usize {
        let cell = Cell(a);
        let mut n = 0;
        match cell.lock("matched").weigh("one").await {
            0 => tick("none").await,
            some => {
                tick("some").await;
                n += some;
            }
        }
        tick("end").await;
        n
    }
}

subject! {
    async fn output_of_an_await(a: D) -> usize {
        let n = find(a, "one").await.send("two").await;
        let m = find(D("b"), "three").await.check("four").await.unwrap_or(0);
        tick("five").await;
        n + m
    }
}

subject! {
    async fn beside_what_is_lent(a: D) -> usize {
        let mut list = vec![a];
        let n = Command::new("made").arg(D("b")).run_with(&mut list).await;
        let m = Request::new("made").send_with(&mut list).await;
        tick("two").await;
        n + m + list.len()
    }
}

subject! {
    async fn returned_early(a: D, away: bool) -> usize {
        let cell = Cell(a);
        let other = D("other");
        if away {
            return cell.lock("returned").weigh("one").await;
        }
        tick("two").await;
        look(&other);
        look(&cell.0);
        0
    }
}

#[derive(Debug)]
pub(crate) struct Request {
    parts: Vec<D>,
}

impl Request {
    fn new(name: &'static str) -> Self {
        Self { parts: vec![D(name)] }
    }

    fn with(mut self, d: D) -> Self {
        self.parts.push(d);
        self
    }

    async fn send(self, name: &'static str) -> usize {
        tick(name).await;
        self.parts.len()
    }

    async fn send_with(mut self, list: &mut Vec<D>) -> usize {
        tick("with").await;
        list.append(&mut self.parts);
        list.len()
    }

    async fn check(&self, name: &'static str) -> Result<usize, String> {
        tick(name).await;
        match self.parts.len() {
            0 => Err("empty".to_owned()),
            n => Ok(n),
        }
    }
}

fn open(name: &'static str, failing: bool) -> Result<Request, String> {
    match failing {
        true => Err(name.to_owned()),
        false => Ok(Request::new(name)),
    }
}

async fn find(d: D, name: &'static str) -> Request {
    tick(name).await;
    Request { parts: vec![d] }
}

#[derive(Debug)]
pub(crate) struct Command {
    parts: Vec<D>,
}

impl Command {
    fn new(name: &'static str) -> Self {
        Self { parts: vec![D(name)] }
    }

    fn arg(&mut self, d: D) -> &mut Self {
        self.parts.push(d);
        self
    }

    async fn run(&self, name: &'static str) -> usize {
        tick(name).await;
        self.parts.len()
    }

    async fn run_with(&mut self, list: &mut Vec<D>) -> usize {
        tick("with").await;
        list.extend(self.parts.pop());
        self.parts.len()
    }
}

#[derive(Debug)]
pub(crate) struct Cell(D);

impl Cell {
    fn lock(&self, name: &'static str) -> Locked<'_> {
        note(format!("lock-{name}"));
        Locked { of: &self.0, name }
    }
}

#[derive(Debug)]
pub(crate) struct Locked<'a> {
    of: &'a D,
    name: &'static str,
}

impl Locked<'_> {
    async fn weigh(&self, name: &'static str) -> usize {
        tick(name).await;
        self.of.0.len()
    }
}

impl Locked<'_> {
    async fn found(&self, name: &'static str) -> D {
        tick(name).await;
        D(name)
    }

    async fn checked(&self, name: &'static str) -> Result<D, String> {
        Ok(self.found(name).await)
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        note(format!("unlock-{}", self.name));
        look(self.of);
    }
}

pub(crate) struct Script {
    name: D,
    text: String,
}

impl Script {
    fn new(name: &'static str) -> Self {
        let (name, text) = (D(name), name.to_owned());
        Self { name, text }
    }

    fn key(&self, key: &'static str) -> Invocation<'_> {
        let (script, keys) = (self, vec![D(key)]);
        let args = Vec::new();
        Invocation { script, keys, args }
    }
}

pub(crate) struct Invocation<'a> {
    script: &'a Script,
    keys: Vec<D>,
    args: Vec<D>,
}

impl<'a> Invocation<'a> {
    fn arg<'b>(&'b mut self, arg: &'static str) -> &'b mut Self
    where
        'a: 'b,
    {
        self.args.push(D(arg));
        self
    }

    async fn invoke(&self, into: &mut Vec<usize>) -> usize {
        tick("invoked").await;
        into.push(self.script.text.len() + self.script.name.0.len());
        let large = [0u8; 500];
        tick("again").await;
        large.len() + self.keys.len() + self.args.len()
    }
}

impl Cell {
    async fn all(&self, name: &'static str) -> Vec<usize> {
        tick(name).await;
        vec![self.0.0.len()]
    }
}

pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "built_by_value", built_by_value(D("a")));
    case!(list, "built_by_reference", built_by_reference(D("a")));
    case!(
        list,
        "built_by_reference_beside_what_is_lent",
        built_by_reference_beside_what_is_lent()
    );
    case!(list, "guard_of_a_local", guard_of_a_local(D("a")));
    case!(list, "guard_of_an_argument", async { guard_of_an_argument(&Cell(D("a"))).await });
    case!(list, "errors_within yes", errors_within(D("a"), true));
    case!(list, "errors_within no", errors_within(D("a"), false));
    case!(list, "value_of_the_function", async { value_of_the_function(&Cell(D("a"))).await });
    case!(list, "values_of_arms 0", values_of_arms(D("a"), 0));
    case!(list, "values_of_arms 1", values_of_arms(D("a"), 1));
    case!(list, "values_of_arms 2", values_of_arms(D("a"), 2));
    case!(list, "output_without_a_name", output_without_a_name(D("a")));
    case!(list, "condition_ends_its_own", condition_ends_its_own(D("a")));
    case!(list, "scrutinee_lives_in_the_arms", scrutinee_lives_in_the_arms(D("a")));
    case!(list, "output_of_an_await", output_of_an_await(D("a")));
    case!(list, "beside_what_is_lent", beside_what_is_lent(D("a")));
    case!(list, "returned_early yes", returned_early(D("a"), true));
    case!(list, "returned_early no", returned_early(D("a"), false));
    list
}
