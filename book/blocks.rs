//! Every code block of the README and of the book, compiled and run as a doc test.
#![cfg_attr(not(doctest), no_std)]

#[cfg(doctest)]
mod chapters {
    #[doc = include_str!("../README.md")]
    mod readme {}
    #[doc = include_str!("src/why.md")]
    mod why {}
    #[doc = include_str!("src/first-machine.md")]
    mod first_machine {}
    #[doc = include_str!("src/methods.md")]
    mod methods {}
    #[doc = include_str!("src/rules.md")]
    mod rules {}
    #[doc = include_str!("src/refusals.md")]
    mod refusals {}
    #[doc = include_str!("src/errors.md")]
    mod errors {}
    #[doc = include_str!("src/streams.md")]
    mod streams {}
    #[doc = include_str!("src/hyper.md")]
    mod hyper {}
    #[doc = include_str!("src/channels.md")]
    mod channels {}
    #[doc = include_str!("src/system.md")]
    mod system {}
    #[doc = include_str!("src/tokio.md")]
    mod tokio {}
    #[doc = include_str!("src/checks.md")]
    mod checks {}
    #[doc = include_str!("src/expansions.md")]
    mod expansions {}
    #[doc = include_str!("src/running.md")]
    mod running {}
    #[doc = include_str!("src/hangs.md")]
    mod hangs {}
    #[doc = include_str!("src/sizes.md")]
    mod sizes {}
    #[doc = include_str!("src/benchmarks.md")]
    mod benchmarks {}
    #[doc = include_str!("src/proof.md")]
    mod proof {}
    #[doc = include_str!("src/faults.md")]
    mod faults {}
    #[doc = include_str!("src/combinators.md")]
    mod combinators {}
    #[doc = include_str!("src/joins.md")]
    mod joins {}
    #[doc = include_str!("src/races.md")]
    mod races {}
    #[doc = include_str!("src/groups.md")]
    mod groups {}
    #[doc = include_str!("src/chat.md")]
    mod chat {}
    #[doc = include_str!("src/middleware.md")]
    mod middleware {}
}
