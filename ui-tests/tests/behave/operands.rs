//! Cases of awaits within larger expressions; `subject!` decides what they become.

use super::log::*;

/// Returns a pair, and logs the call.
fn pair(a: D, b: D) -> (D, D) {
    note(format!("pair-{}-{}", a.0, b.0));
    (a, b)
}

/// Returns the sum, and logs the call.
fn add(a: u32, b: u32) -> u32 {
    note(format!("add-{a}-{b}"));
    a + b
}

/// Returns the number, and logs the call.
fn made(n: u32) -> u32 {
    note(format!("made-{n}"));
    n
}

/// Fields in an order of their own.
#[derive(Debug)]
struct Fields {
    a: D,
    b: u32,
    c: D,
}

impl Fields {
    fn change(&mut self, n: u32) -> &mut Self {
        note(format!("change-{n}"));
        self.b += n;
        self
    }

    fn twice(&self, n: u32) -> u32 {
        note(format!("twice-{n}"));
        self.b * n
    }
}

subject! {
    async fn call_with_two(a: D) -> (D, D) {
        let _last: D = D("last");
        pair(a, step::<D>("b", 1, D("b")).await)
    }
}

subject! {
    async fn call_with_two_awaits(n: u32) -> u32 {
        let out: D = D("out");
        let both: (D, D) = pair(step::<D>("a", 1, D("a")).await, step::<D>("b", 1, D("b")).await);
        let sum: u32 = add(step::<u32>("x", 1, n).await, add(n, step::<u32>("y", 1, n).await));
        look(&both.1);
        look(&out);
        sum
    }
}

subject! {
    async fn values(n: u32, d: D) -> u32 {
        let mut m: u32 = n;
        let a: (u32, u32) = (m, step::<u32>("m", 1, n).await);
        m += 1;
        let b: [u32; 3] = [m, step::<u32>("b", 1, made(2)).await, made(3)];
        let c: Fields = Fields { c: d, a: step::<D>("a", 1, D("a")).await, b: made(b[1]) };
        let e: u32 = m * step::<u32>("e", 1, c.b).await - 1;
        c.b + e + a.0 + b[2]
    }
}

subject! {
    async fn changed_meanwhile(n: u32) -> u32 {
        let mut m: u32 = n;
        let sum: u32 = add(m, { m += 10; step::<u32>("m", 1, m).await });
        tick("end").await;
        sum + m
    }
}

subject! {
    async fn fails(ok: bool, d: D) -> Result<(D, D), String> {
        let given: Result<D, String> = if ok { Ok(D("ok")) } else { Err(String::from("no")) };
        let both: (D, D) = pair(d, step::<Result<D, String>>("given", 1, given).await?);
        tick("end").await;
        Ok(both)
    }
}

subject! {
    async fn receivers(n: u32) -> usize {
        let mut list: Vec<D> = vec![];
        let _last: D = D("last");
        list.push(step::<D>("first", 1, D("first")).await);
        list.push(step::<D>("second", 1, D("second")).await);
        let mut fields: Fields = Fields { a: D("a"), b: n, c: D("c") };
        let changed: u32 = fields.change(step::<u32>("change", 1, 2).await).change(3).b;
        let twice: u32 = fields.twice(step::<u32>("twice", 1, changed).await);
        look(&fields.a);
        look(&fields.c);
        list.len() + twice as usize
    }
}

subject! {
    async fn number_that_changes(n: u32) -> u32 {
        let mut m: u32 = made(n);
        m = m.wrapping_add(step::<u32>("m", 1, m ^ 1).await);
        let next: u32 = m.max({
            m += 1;
            step::<u32>("next", 1, m).await
        });
        next + m
    }
}

subject! {
    async fn looked_at_meanwhile(n: u32) -> u32 {
        n.wrapping_add(step::<u32>("n", 1, n.wrapping_mul(2)).await)
    }
}

subject! {
    async fn lent_receiver(list: &mut Vec<u32>, text: &String) -> usize {
        list.push(step::<u32>("push", 1, 3).await);
        list.insert(0, step::<u32>("insert", 1, 4).await);
        text.len().max(step::<usize>("len", 1, list.len()).await)
    }
}

subject! {
    async fn lends_receiver() -> usize {
        let mut list: Vec<u32> = vec![1];
        let text: String = String::from("text");
        lent_receiver(&mut list, &text).await + list[0] as usize
    }
}

subject! {
    async fn places(n: usize) -> u32 {
        let mut list: Vec<u32> = vec![1, 2, 3];
        let mut fields: Fields = Fields { a: D("old"), b: 1, c: D("c") };
        list[n] = step::<u32>("set", 1, 7).await;
        fields.a = step::<D>("new", 1, D("new")).await;
        fields.b += step::<u32>("b", 1, list[n]).await;
        let boxed: Box<u32> = Box::new(step::<u32>("boxed", 1, 1).await);
        let mut boxed: Box<u32> = boxed;
        *boxed = step::<u32>("unboxed", 1, 4).await;
        let picked: u32 = list[step::<usize>("index", 1, n).await];
        fields.b + *boxed + picked
    }
}

subject! {
    async fn compares() -> u32 {
        let text: String = String::from("one");
        let same: bool = text == step::<String>("text", 1, String::from("one")).await;
        let both: bool = step::<u32>("a", 1, 1).await == step::<u32>("b", 1, 1).await;
        if text.len() < step::<usize>("less", 1, 4).await && same && both {
            return 1;
        }
        2
    }
}

subject! {
    async fn ranges(n: u32) -> u32 {
        let mut sum: u32 = 0;
        for i in n..step::<u32>("end", 1, n + 2).await {
            sum += i;
        }
        for i in step::<u32>("start", 1, 0).await..step::<u32>("stop", 1, 2).await {
            tick("turn").await;
            sum += i;
        }
        sum
    }
}

subject! {
    async fn in_turn(n: u32) -> Result<u32, String> {
        let d: D = step::<D>("outer", 1, step::<D>("inner", 1, D("given")).await).await;
        look(&d);
        let given: Result<u32, String> = if n == 0 { Err(String::from("zero")) } else { Ok(n) };
        let m: u32 = step::<u32>("second", 1, step::<Result<u32, String>>("first", 1, given).await?).await;
        let sum: u32 = step::<u32>("sum", 1, add(m, step::<u32>("n", 1, n).await)).await;
        Ok(sum)
    }
}

subject! {
    async fn borrows() -> usize {
        let mut buf: Vec<u32> = vec![];
        fill(&mut buf, step::<u32>("count", 1, 3).await);
        let length: usize = measure(&step::<Vec<u32>>("list", 1, vec![1, 2]).await);
        length + buf.len()
    }
}

fn fill(buf: &mut Vec<u32>, count: u32) {
    note("fill");
    buf.extend(0..count);
}

fn measure(list: &[u32]) -> usize {
    list.len()
}

subject! {
    async fn wraps(d: D) -> Option<(u32, D)> {
        let inner: Option<D> = Some(step::<D>("some", 1, d).await);
        Some((7, step::<Option<D>>("inner", 1, inner).await?))
    }
}

subject! {
    async fn sums(n: u32) -> u32 {
        let a: u32 = 2 * step::<u32>("a", 1, n).await + 3 * step::<u32>("b", 1, n).await;
        let b: u32 = step::<u32>("c", 1, a).await + step::<u32>("d", 1, n).await + step::<u32>("e", 1, a).await;
        let text: String = step::<String>("f", 1, String::from("f")).await + &step::<String>("g", 1, String::from("g")).await + "h";
        a + b + made(text.len() as u32)
    }
}

/// A value with a destructor that operators take.
#[derive(Debug)]
struct Weight(D, u32);

impl std::ops::Add for Weight {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        note(format!("weigh-{}-{}", self.0.0, other.0.0));
        Self(self.0, self.1 + other.1)
    }
}

fn weight(name: &'static str) -> Weight {
    note(format!("weight-{name}"));
    Weight(D(name), 1)
}

subject! {
    async fn operators(first: Weight, n: u32) -> u32 {
        let last: D = D("last");
        let both = first + step::<Weight>("b", 1, weight("b")).await;
        let more = n;
        let sum = more + step::<u32>("x", 1, n).await;
        let all = weight("c") + both + step::<Weight>("d", 1, weight("d")).await + weight("e");
        let fields: Fields = Fields { a: D("a"), b: n, c: D("c") };
        let twice = fields.twice(2) + fields.b * step::<u32>("y", 2, sum).await + made(more);
        look(&last);
        all.1 + twice + more
    }
}

subject! {
    async fn operator_that_fails(first: Weight, ok: bool) -> Result<u32, D> {
        let out: D = D("out");
        let given: Result<Weight, D> = if ok { Ok(weight("b")) } else { Err(D("error")) };
        let both = first + step::<Result<Weight, D>>("given", 1, given).await?;
        look(&out);
        Ok(both.1)
    }
}

subject! {
    async fn operators_in_a_loop(times: u32) -> u32 {
        let mut sum = 0;
        for n in 0..times {
            sum = sum + step::<u32>("n", 1, n).await;
            let text = String::from("t") + &step::<String>("s", 1, String::from("s")).await;
            sum += made(text.len() as u32);
        }
        sum
    }
}

/// All cases, by name.
pub(crate) fn cases() -> Vec<(&'static str, Case)> {
    let mut list: Vec<(&'static str, Case)> = Vec::new();
    case!(list, "number_that_changes", number_that_changes(3));
    case!(list, "call_with_two", call_with_two(D("a")));
    case!(list, "call_with_two_awaits", call_with_two_awaits(3));
    case!(list, "values", values(3, D("d")));
    case!(list, "changed_meanwhile", changed_meanwhile(3));
    case!(list, "fails ok", fails(true, D("d")));
    case!(list, "fails err", fails(false, D("d")));
    case!(list, "receivers", receivers(3));
    case!(list, "lends_receiver", lends_receiver());
    case!(list, "looked_at_meanwhile", looked_at_meanwhile(3));
    case!(list, "places", places(1));
    case!(list, "compares", compares());
    case!(list, "ranges", ranges(1));
    case!(list, "in_turn", in_turn(2));
    case!(list, "in_turn err", in_turn(0));
    case!(list, "borrows", borrows());
    case!(list, "wraps", wraps(D("d")));
    case!(list, "sums", sums(3));
    case!(list, "operators", operators(weight("a"), 3));
    case!(list, "operator_that_fails ok", operator_that_fails(weight("a"), true));
    case!(list, "operator_that_fails err", operator_that_fails(weight("a"), false));
    case!(list, "operators_in_a_loop", operators_in_a_loop(2));
    list
}
