//! Templates of code that a decision by the spelling of a word would misread.
//!
//! Public bug reports describe such functions. `own_name` is the name of the function itself.

/// Statements in which a word has another meaning than its most frequent one.
pub(super) const STATEMENTS: super::statements::Table = &[
    // The awaited function has the name of the function, and is another one.
    (
        "{ let own_name = |x: u32| step(@#, x); look(&own_name(@u).await); }",
        "",
    ),
    (
        "{ async fn own_name(x: u32) -> u32 { tick(@#).await; x } look(&own_name(@u).await); }",
        "",
    ),
    (
        "{ mod @8 { pub async fn own_name(x: u32) -> u32 { super::tick(@#).await; x } } use @8::*; look(&own_name(@u).await); }",
        "",
    ),
    (
        // By value, so that no method of the prelude, such as `into`, is found first.
        "{ struct @9; impl @9 { async fn own_name(self) -> u32 { tick(@#).await; @# } } look(&@9.own_name().await); }",
        "",
    ),
    // Methods with the names of methods that own their result, or borrow for a moment.
    ("{ let @1 = @C.clone(); @{} look(&*@1); }", ""),
    (
        "{ let @1 = @C.len(); tick(@#).await; look(&@1.await); }",
        "",
    ),
    ("look(&@C.len().await);", ""),
    (
        "{ let @1 = @C.to_owned(); note(@#); look(&step(@#, @1).await.number()); }",
        "",
    ),
    // Lifetimes with the names of locals.
    (
        "{ let @1 = @u; let @2: for<'@1> fn(&'@1 u32) -> &'@1 u32 = |x| x; tick(@#).await; note(*@2(&@1)); }",
        "",
    ),
    // Methods that move a part of a local, which the call does not show.
    ("{ let @1 = @p; look(&@1.d.closed(@#).await); }", ""),
    (
        "{ let @1 = @p; look(&@1.d.closed_beside(@#, &@1.n).await); }",
        "",
    ),
    (
        "{ let @1 = Box::new(@p); tick(@#).await; look(&@1.d.closed_beside(@#, &@1.n).await); }",
        "",
    ),
    // A name in a pattern is that of a constant of another crate.
    (
        "if let Some(boundary) = maybe(@#, (@u) & 3) { tick(@#).await; note(boundary); }",
        "",
    ),
    (
        "match step(@#, ((@u) & 3, @b)).await { (boundary, true) => tick(@#).await, (boundary, _) => note(boundary), (n, _) => note(n) }",
        "",
    ),
    // Names of functions, as snapshot tests find them.
    (
        "{ fn @9() {} tick(@#).await; note(last_name(&@9).len() as u32); }",
        "",
    ),
];

/// Statements of a function with a receiver.
pub(super) const RECEIVING: &[&str] = &[
    "note(said!(\"{self:?}\")); tick(@#).await;",
    "tick(@#).await; note(said!(\"{} {self:?}\", @#));",
    "note(said_text!(\"{self:?}\")); tick(@#).await;",
    "note(said_text!(\"{:?}\", step(@#, self.n).await));",
    "look(&bound!(self, |x| x.number())); tick(@#).await;",
    "macro_rules! @8 { () => { self.n } } tick(@#).await; note(@8!());",
    "macro_rules! @8 { ($x:expr) => { <Self as Look>::number(&$x) } } tick(@#).await; note(@8!(self));",
    "let @1 = fields!(self, n); tick(@#).await; note(@1);",
];

/// Statements of a function that owns its receiver. Each moves a part of it.
pub(super) const CONSUMING: &[&str] = &[
    "look(&self.d.closed(@#).await);",
    "let mut @1 = self.d.closed_beside(@#, &self.n).await; touch(&mut @1);",
];

/// The names of methods whose output types are inferred, each with calls of such a method of
/// another type. Some methods have these names.
pub(super) const INFERRED: [(&str, &[&str]); 4] = [
    (
        "collect",
        &[
            "let @1: Vec<u32> = vec![@u, @u].into_iter().map(|x| x ^ 1).collect(); tick(@#).await; note(@1.len() as u32);",
            "look(&step(@#, Some(vec![@u].into_iter().collect::<Vec<u32>>().len() as u32)).await);",
            "let @1 = Some([@u, @u].iter().collect()).map_or(0, |it: Vec<&u32>| it.len()); tick(@#).await; note(@1 as u32);",
        ],
    ),
    (
        "into",
        &[
            "let @1: u64 = (@u).into(); tick(@#).await; note(@1 as u32);",
            "look(&Pair { n: b'a'.into(), d: step(@#, @d).await });",
            "let @1 = maybe(@#, @d).map(|it| (it.number() as u8).into()).unwrap_or(1u32); tick(@#).await; note(@1);",
        ],
    ),
    (
        "sum",
        &[
            "let @1: u32 = [@u, @u].iter().map(|x| x & 7).sum(); tick(@#).await; note(@1);",
            "note(vec![1u32, 2].into_iter().sum::<u32>() ^ step(@#, @u).await);",
            "let @1 = [1u32, 2].iter().sum(); tick(@#).await; note(u32::wrapping_add(@1, 1));",
        ],
    ),
    (
        "get",
        &[
            "let @1 = [@u, @u]; tick(@#).await; note(*@1.get(0).unwrap_or(&1));",
            "let @1 = vec![@u].get(0).copied(); tick(@#).await; note(@1.unwrap_or(2));",
            "let @1 = [[1u32, 2], [3, 4]]; note(@1.iter().filter_map(|row| row.get(1)).count() as u32); tick(@#).await;",
        ],
    ),
];

/// Awaits of the function by itself, with the call in place of `CALL`.
pub(super) const RECURSIONS: &[&str] = &[
    "if more(@#) { heap(CALL).await; }",
    "if more(@#) { erased(CALL).await; }",
    "if more(@#) { all(vec![CALL]).await; }",
    "if more(@#) { all((0..2).map(|_| CALL)).await; }",
    "let heaped = if more(@#) { Some(heap(CALL)) } else { None }; tick(@#).await; if let Some(it) = heaped { it.await; }",
];

/// Awaits of another function that awaits this one. The functions are those of another package.
pub(super) const CYCLES: &[&str] = &[
    "if more(@#) { Box::pin(CALL).await; }",
    "if more(@#) { heap(CALL).await; }",
    "if more(@#) { erased(CALL).await; }",
    "if more(@#) { all(vec![CALL]).await; }",
    "let heaped = if more(@#) { Some(heap(CALL)) } else { None }; tick(@#).await; if let Some(it) = heaped { it.await; }",
    "let heaped = if more(@#) { heap(CALL) } else { heap(CALL) }; tick(@#).await; if more(@#) { heaped.await; }",
];
