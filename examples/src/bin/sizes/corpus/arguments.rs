//! Arguments: stored once, stored while needed, borrowed, passed on.

use volt::task::yield_now;

use crate::world::{Config, checksum};

subject! {
    async fn argument_across_an_await(page: [u8; 1024]) -> u32 {
        yield_now().await;
        checksum(&page)
    }
}

subject! {
    async fn sixth(page: [u8; 1024]) -> u32 {
        yield_now().await;
        checksum(&page)
    }
}

subject! {
    async fn fifth(page: [u8; 1024]) -> u32 {
        sixth(page).await
    }
}

subject! {
    async fn fourth(page: [u8; 1024]) -> u32 {
        fifth(page).await
    }
}

subject! {
    async fn third(page: [u8; 1024]) -> u32 {
        fourth(page).await
    }
}

subject! {
    async fn second(page: [u8; 1024]) -> u32 {
        third(page).await
    }
}

subject! {
    async fn six_nested_calls(page: [u8; 1024]) -> u32 {
        second(page).await
    }
}

subject! {
    async fn wrap<F: Future<Output = u32>>(future: F) -> u32 {
        future.await
    }
}

subject! {
    async fn argument_used_before(page: [u8; 512], id: u64) -> u64 {
        let sum: u32 = checksum(&page);
        yield_now().await;
        id + u64::from(sum)
    }
}

subject! {
    async fn argument_never_used(_page: [u8; 512], id: u64) -> u64 {
        yield_now().await;
        id
    }
}

subject! {
    async fn argument_rebound(page: [u8; 512]) -> u32 {
        let mut copy: [u8; 512] = page;
        copy[0] = 1;
        yield_now().await;
        checksum(&copy)
    }
}

subject! {
    async fn argument_taken_apart(config: Config) -> usize {
        let retries: u32 = config.retries;
        let host: String = {config}.host;
        yield_now().await;
        host.len() + retries as usize
    }
}

subject! {
    async fn argument_moved_out(text: String) -> usize {
        let length: usize = text.len();
        drop(text);
        yield_now().await;
        length
    }
}

subject! {
    async fn two_arguments_in_turn(left: [u8; 256], right: [u8; 256]) -> u32 {
        yield_now().await;
        let sum: u32 = checksum(&left);
        yield_now().await;
        sum + checksum(&right)
    }
}

subject! {
    async fn generic_pair<A: Send, B: Send>(first: A, second: B) -> (B, A) {
        yield_now().await;
        (second, first)
    }
}

subject! {
    async fn lent_slice(data: &[u8]) -> u32 {
        let mut sum: u32 = 0;
        let mut at: usize = 0;
        while at < data.len() {
            sum += u32::from(data[at]);
            at += 1;
            yield_now().await;
        }
        sum
    }
}

subject! {
    async fn lent_on(data: &[u8], times: u32) -> u32 {
        let first: u32 = lent_slice(data).await;
        first * times
    }
}

subject! {
    async fn lent_local(seed: u8) -> u32 {
        let page: [u8; 128] = [seed; 128];
        lent_slice(&page).await
    }
}

subject! {
    async fn borrowed_for_long<'a>(text: &'a str, from: usize) -> &'a str {
        yield_now().await;
        &text[from..]
    }
}

measure![
    argument_across_an_await(_),
    six_nested_calls(_),
    six_wrappers = wrap(wrap(wrap(wrap(wrap(wrap(argument_across_an_await(
        [0; 1024]
    ))))))),
    argument_used_before(_, _),
    argument_never_used(_, _),
    argument_rebound(_),
    argument_taken_apart(_),
    argument_moved_out(_),
    two_arguments_in_turn(_, _),
    generic_pair = generic_pair(String::new(), 0_u64),
    lent_slice(_),
    lent_on(_, _),
    lent_local(_),
    borrowed_for_long(_, _),
];
