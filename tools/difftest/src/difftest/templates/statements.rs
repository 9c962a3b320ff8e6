//! Templates of statements, each with the locals that it declares: `u1` is a local of type `u` with
//! the name `@1`.

pub(super) type Table = &'static [(&'static str, &'static str)];

/// Statements for any place.
pub(super) const STATEMENTS: Table = &[
    // Locals.
    ("let mut @1 = @u;", "u1"),
    ("let mut @1: u32 = @u;", "u1"),
    ("let mut @1 = @d;", "d1"),
    ("let mut @1 = @d;", "d1"),
    ("let mut @1: DropLogger = step(@#, @d).await;", "d1"),
    ("let mut @1 = @s;", "s1"),
    ("let mut @1 = @o;", "o1"),
    ("let mut @1 = @w;", "w1"),
    ("let mut @1 = @v;", "v1"),
    ("let @1 = foreign_owner(@d);", "c1"),
    ("let (mut @1, mut @2) = @t;", "u1 d2"),
    ("let (mut @1, _) = @t;", "u1"),
    ("let (.., mut @1) = @t;", "d1"),
    ("let Pair { n: mut @1, d: mut @2 } = @p;", "u1 d2"),
    ("let Pair { n: mut @1, .. } = @p;", "u1"),
    ("let [mut @1, mut @2] = [@d, @d];", "d1 d2"),
    ("let ref @1 = @d;", "r1"),
    ("let @1 = &pass(@d);", "r1"),
    ("let @1 = &step(@#, @d).await;", "r1"),
    ("let @1 = &mut step(@#, @d).await;", "m1"),
    ("let @2 = @p; let Pair { d: ref @1, .. } = @2;", "r1"),
    (
        "let @1: Box<dyn Look> = Box::new(step(@#, @d).await); look(&*@1);",
        "",
    ),
    ("let mut @1; @1 = @u;", "u1"),
    (
        "let mut @1; if @b { @1 = @u; } else { @1 = step(@#, @u).await; }",
        "u1",
    ),
    ("let _ = @d;", ""),
    ("let _ = step(@#, @d).await;", ""),
    ("_ = step(@#, @d).await;", ""),
    ("_ = @d;", ""),
    ("let _kept = @d;", ""),
    ("let _kept = step(@#, @d).await;", ""),
    ("let mut @1 = @M;", "d1"),
    ("let (mut @1) = (@u);", "u1"),
    ("let &mut @1 = &mut { @u }; let mut @2 = @1;", "u2"),
    ("let @1 @@ (@2, _) = (@u, @u); look(&@1); look(&@2);", ""),
    // Places that change.
    ("@X = @u;", ""),
    ("@X = step(@#, @u).await;", ""),
    ("@X ^= @u;", ""),
    ("@X ^= step(@#, @u).await;", ""),
    ("(@X, _) = (step(@#, @u).await, @d);", ""),
    ("[@X, _] = [@u, @u];", ""),
    ("Pair { n: @X, .. } = @p;", ""),
    ("@D = @d;", ""),
    ("@D = step(@#, @d).await;", ""),
    ("*@Q = @d;", ""),
    ("touch(@Q);", ""),
    ("touch(&mut @D);", ""),
    ("look(&@D);", ""),
    ("look(@R);", ""),
    ("@W.push(@d);", ""),
    ("@W.push(step(@#, @d).await);", ""),
    ("@W.clear();", ""),
    ("@V.push(step(@#, @u).await);", ""),
    ("@O = @o;", ""),
    ("if let Some(it) = @O.as_mut() { lend(@#, it).await; }", ""),
    ("@O.take();", ""),
    ("@S.push_str(&@s);", ""),
    ("std::mem::swap(&mut @D, &mut @d);", ""),
    // Moves.
    ("drop(@M);", ""),
    ("consume(@M);", ""),
    ("consume(step(@#, @M).await);", ""),
    ("if @b { consume(@M); }", ""),
    ("if @b { consume(@M); tick(@#).await; } else @{}", ""),
    (
        "match @u { 0 => drop(@M), 1 => tick(@#).await, _ => {} }",
        "",
    ),
    (
        "let mut @1 = async move { let it = @M; tick(@#).await; it }.await;",
        "d1",
    ),
    ("let @1 = move || consume(@M); tick(@#).await; @1();", ""),
    ("let @1 = async move { look(&@M); tick(@#).await; };", ""),
    (
        "let @1 = async move { look(&@M); tick(@#).await; }; note(@#); @1.await;",
        "",
    ),
    // Awaits.
    ("tick(@#).await;", ""),
    ("tick(@#).await;", ""),
    ("step(@#, @u).await;", ""),
    ("note(@u);", ""),
    ("look(&seen(@#, &@D).await);", ""),
    ("let mut @1 = step(@#, @u).await;", "u1"),
    ("let mut @1 = seen(@#, &@D).await;", "u1"),
    (
        "let (mut @1, mut @2) = join!(step(@#, @u), step(@#, @d));",
        "u1 d2",
    ),
    (
        "let (mut @1, _) = join!(lend(@#, &mut @D), lend(@#, &mut @D));",
        "u1",
    ),
    ("join!(tick(@#), async { @[@{}@] });", ""),
    (
        "select! { @1 = step(@#, @d) => consume(@1), _ = tick(@#) => note(@#) };",
        "",
    ),
    (
        "select! { @1 = step(@#, @d) => { look(&@1); tick(@#).await; }, _ = tick(@#) => note(@#) }",
        "",
    ),
    ("assert_eq!(step(@#, 3).await, 3, \"{}\", @u);", ""),
    ("let _ = format!(\"{}{:?}\", step(@#, @u).await, @d);", ""),
    (
        "let @1 = step(@#, @d); note(@#); let mut @2 = @1.await;",
        "d2",
    ),
    (
        "let mut @1 = step(@#, @u); look(&(&mut @1).await); drop(@1);",
        "",
    ),
    (
        "let mut @2 = { let mut @1 = std::pin::pin!(seen(@#, &@D)); note(@#); let it = @1.as_mut().await; it };",
        "u2",
    ),
    (
        "let @1: Pin<Box<dyn Future<Output = u32> + '_>> = boxed(@#, &@D); let mut @2 = @1.await;",
        "u2",
    ),
    (
        "let @1 = async { @[@{} @u@] }; note(@#); let mut @2 = @1.await;",
        "u2",
    ),
    (
        "let mut @1 = async |x: u32| @[x ^ @u@]; let mut @2 = @1(1).await ^ @1(2).await;",
        "u2",
    ),
    (
        "let @1 = vec![step(@#, @u), step(@#, @u)]; for it in @1 { look(&it.await); }",
        "",
    ),
    ("@^ tick(@#).await;", ""),
    ("#[cfg(all())] tick(@#).await;", ""),
    ("#[cfg(any())] { gone().await; }", ""),
    ("#[cfg(any())] return gone();", ""),
    ("#[cfg(any())] let gone = gone().await;", ""),
    ("#[cfg(all())] let mut @1 = step(@#, @u).await;", "u1"),
    ("#[cfg_attr(all(), warn(unused))] let mut @1 = @d;", "d1"),
    ("#[cfg(any())] println!(\"{}\", gone().await);", ""),
    ("@^ { tick(@#).await; }", ""),
    ("@^ match @u { @~ _ => tick(@#).await }", ""),
    ("{ @~ tick(@#).await; look(&@d); }", ""),
    ("{ @^ (@u) };", ""),
    // Values that are live across an await.
    ("let @1 = &@D; tick(@#).await; look(@1);", ""),
    ("{ let @1 = &@D; @{r1} look(@1); }", ""),
    ("{ let @1 = &mut @D; @{m1} touch(@1); }", ""),
    ("{ let @1 = @C.open(); @{} look(&*@1); }", ""),
    ("{ let mut @1 = @C.open(); lend(@#, &mut @1).await; }", ""),
    (
        "{ let mut @1 = @W.iter(); while let Some(@2) = @1.next() @{r2} }",
        "",
    ),
    (
        "let @1 = @W.iter().map(|it| it.number()); for it in @1 { step(@#, it).await; }",
        "",
    ),
    (
        "let mut @1 = @V.drain(..); tick(@#).await; look(&@1.next()); drop(@1);",
        "",
    ),
    (
        "let mut @1 = |x: u32| @<x ^ @u@>; tick(@#).await; look(&@1(@u));",
        "",
    ),
    (
        "let mut @1 = || touch(&mut @D); @1(); tick(@#).await; @1();",
        "",
    ),
    (
        "let @1 = &raw const @U; tick(@#).await; look(unsafe { &*@1 });",
        "",
    ),
    (
        "let @1 = &raw mut @X; tick(@#).await; unsafe { *@1 ^= 1 };",
        "",
    ),
    (
        "let @2 = @d; let @1 = std::ptr::from_ref(&@2); tick(@#).await; assert!(std::ptr::eq(@1, &@2));",
        "",
    ),
    ("look(&two(@d, step(@#, @d).await));", ""),
    ("look(&[@d, step(@#, @d).await]);", ""),
    ("let @1 = [@d, step(@#, @d).await]; look(&@1);", ""),
    (
        "match @C.open().number() { 0 => tick(@#).await, _ => { tick(@#).await; } };",
        "",
    ),
    (
        "match &@O { Some(it) => { look(&seen(@#, it).await); } None => {} }",
        "",
    ),
    (
        "match @O { Some(ref it) if it.number() > 1 => { seen(@#, it).await; } Some(_) => {} None => tick(@#).await }",
        "",
    ),
    // Branches and loops.
    ("if @b @{}", ""),
    ("if @b @{} else @{}", ""),
    ("if step(@#, @b).await @{} else if @b @{} else @{}", ""),
    ("if let Some(mut @1) = @o @{d1}", ""),
    (
        "if let Some(mut @1) = step(@#, @o).await @{d1} else @{}",
        "",
    ),
    ("if let Some(ref @1) = @o && @b @{r1}", ""),
    ("match @o { Some(mut @1) => @{d1} None => @{} }", ""),
    (
        "match step(@#, @u).await { 0 => @{}, @1 if @1 > 3 => {} 1..=3 => @{} _ => {} }",
        "",
    ),
    ("match @r { Ok(mut @1) => @{u1} Err(_) => @{} }", ""),
    (
        "match (@b, @b) { (true, _) => @{} (_, true) => tick(@#).await, _ => (), }",
        "",
    ),
    ("while more(@#) @{}", ""),
    ("'@1: while more(@#) @{loop 1}", ""),
    ("'@1: loop { if done(@#) { break; } @{loop 1} }", ""),
    (
        "'@1: loop { if done(@#) { break '@1; } tick(@#).await; if @b { continue '@1; } @{loop 1} }",
        "",
    ),
    (
        "'@1: for @2 in 0..(@u) % 3 { let mut @3 = @2; @{loop 1 u3} }",
        "",
    ),
    ("for mut @1 in @w @{d1}", ""),
    ("for @1 in &@W @{r1}", ""),
    ("for @1 in @W.iter_mut() @{m1}", ""),
    (
        "for (@1, @2) in @v.into_iter().enumerate() { step(@2, @1).await; }",
        "",
    ),
    (
        "for @1 in @v.chunks(2) { match @1 { [a, b] => look(&(a ^ b)), [a] => tick(*a).await, _ => {} } }",
        "",
    ),
    ("while let Some(mut @1) = again(@#, || @<@d@>) @{d1}", ""),
    ("while step(@#, more(@#)).await @{}", ""),
    ("let Some(mut @1) = Some(@d) else { unreachable!() };", "d1"),
    (
        "let mut @1 = '@2: { if @b { break '@2 (@u); } @{} @u };",
        "u1",
    ),
    (
        "let mut @1 = loop { if done(@#) { break (@d); } tick(@#).await; };",
        "d1",
    ),
    ("unsafe @{}", ""),
    ("@{}", ""),
    // Items.
    ("fn @9(x: u32) -> u32 { x ^ 1 } note(@9(@u));", ""),
    (
        "async fn @9(x: u32) -> u32 { tick(@#).await; x } look(&@9(@u).await);",
        "",
    ),
    ("const @9: u32 = 3; note(@9);", ""),
    (
        "static @9: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0); tick(@#).await; note(@9.fetch_add(1, std::sync::atomic::Ordering::Relaxed) & 1);",
        "",
    ),
    (
        "thread_local! { static @9: std::cell::Cell<u32> = const { std::cell::Cell::new(@#) } } tick(@#).await; note(@9.get());",
        "",
    ),
    (
        "struct @9 { @^ n: u32 } impl @9 { const N: u32 = 3; #[inline] fn get(&self) -> u32 { self.n } } tick(@#).await; note(@9 { n: @u }.get() ^ @9::N);",
        "",
    ),
    (
        "#[derive(Clone, Copy, Debug, PartialEq)] enum @9 { One, @^ Other(u32) } let @1 = @9::One; tick(@#).await; note(u32::from(@1 == @9::One));",
        "",
    ),
    (
        "trait @9 { type It; const N: u32 = 2; @^ fn @8(&self) -> u32; } impl @9 for u32 { type It = u8; #[inline] fn @8(&self) -> u32 { self ^ <Self as @9>::N } } note((@u).@8());",
        "",
    ),
    (
        "mod @8 { @~ pub fn @7() -> u32 { 1 } } use @8::@7; note(@7());",
        "",
    ),
    (
        "use std::cell::Cell as @9; let @1 = @9::new(@u); tick(@#).await; note(@1.get());",
        "",
    ),
    ("type @9 = u32; let mut @1: @9 = @u;", "u1"),
    (
        "union @9 { a: u32, @^ b: i32 } let @1 = @9 { a: @u }; tick(@#).await; note(unsafe { @1.a });",
        "",
    ),
    (
        "macro_rules! @8 { ($x:ident) => { note($x); tick($x).await; }; } let @1 = @#; @8!(@1);",
        "",
    ),
    ("extern crate std as @8; note(@8::cmp::max(@u, @u));", ""),
    (
        "{ unsafe extern \"C\" { @^ safe fn abs(x: i32) -> i32; @^ static environ: *const u8; } note(abs(-3) as u32); }",
        "",
    ),
    ("#[cfg(any())] fn @9() { gone() }", ""),
    (
        "fn @9<#[cfg(all())] 'a, @^ T: Look, #[cfg(all())] const N: usize>(@^ it: &'a [T; N], #[cfg(any())] gone: u32) -> u32 { it.number() } note(@9(&[@u, @u]));",
        "",
    ),
];

/// Statements for a place with a loop around it.
pub(super) const BY_LOOP: Table = &[
    ("if @b { break '@!; }", ""),
    ("if @b { continue '@!; }", ""),
    ("if step(@#, @b).await { break '@!; }", ""),
    ("let Some(mut @1) = @o else { break '@!; };", "d1"),
    (
        "let Some(mut @1) = step(@#, @o).await else { tick(@#).await; continue '@!; };",
        "d1",
    ),
    (
        "match @o { Some(it) => consume(it), None => break '@! }",
        "",
    ),
];

/// Statements that leave the function.
pub(super) const LEAVING: Table = &[
    ("if @b { return @=; }", ""),
    ("if step(@#, @b).await { tick(@#).await; return @=; }", ""),
    ("let Some(mut @1) = @o else { return @=; };", "d1"),
    (
        "let Some(mut @1) = step(@#, @o).await else { tick(@#).await; return @=; };",
        "d1",
    ),
    ("if @b { throw!(@=); }", ""),
    ("if @b { panic!(\"{}\", @u); }", ""),
    (
        "let mut @1 = match @o { Some(it) => it, None => return @= };",
        "d1",
    ),
];

/// Statements of a function that returns a `Result`.
pub(super) const BY_RESULT: Table = &[
    ("let mut @1 = outcome(@#, @u)?;", "u1"),
    ("let mut @1 = step(@#, @r).await?;", "u1"),
    ("let mut @1 = outcome(@#, step(@#, @d).await)?;", "d1"),
    ("outcome(@#, tick(@#).await)?;", ""),
    ("look(&(@d, step(@#, @r).await?));", ""),
    (
        "let @1: Result<u32, ErrorA> = async { Ok(step(@#, @r).await? ^ 1) }.await; note(@1?);",
        "",
    ),
];

/// Statements of a function that returns an `Option`.
pub(super) const BY_OPTION: Table = &[
    ("let mut @1 = @o?;", "d1"),
    ("let mut @1 = step(@#, @o).await?;", "d1"),
    ("consume(step(@#, @o).await?);", ""),
];

/// Statements of a function in a `macro_rules!` macro.
pub(super) const FRAGMENTS: Table = &[
    (
        "if let Some(circle_own_name) = maybe(@#, square_own_name) { tick(@#).await; note(@#); } match step(@#, (@u & 3, circle_own_name)).await { (limit_own_name, circle_own_name) => tick(@#).await, (n, _) => note(n) }",
        "",
    ),
    ("$s;", ""),
    ("let mut @1 = 100 - $e;", "u1"),
    ("let mut @1 = step(@#, 100 - $e).await;", "u1"),
    (
        "let @1: $t = Default::default(); tick(@#).await; note(@1.len() as u32);",
        "",
    ),
    ("if let $p = maybe(@#, @u) @{}", ""),
    ("match maybe(@#, @u) { $p => tick(@#).await, _ => {} }", ""),
    ("#[$m] let mut @1 = @d;", "d1"),
    ("{ $f note(frag()); }", ""),
    ("let $i = @u; tick(@#).await; note($i);", ""),
    (
        "fn @9<$life>(x: &$life u32) -> &$life u32 { x } note(*@9(&$e));",
        "",
    ),
    ("$b;", ""),
];
