//! Work in phases: what one phase keeps, the next does not need.

use volt::task::yield_now;

use crate::world::{Account, Problem, Record, Request, Response, answer, checksum};

subject! {
    async fn three_phases(seed: u8) -> u64 {
        let first: u64 = {
            let page: [u8; 1024] = [seed; 1024];
            yield_now().await;
            u64::from(checksum(&page))
        };
        let second: u64 = {
            let page: [u8; 1024] = [seed ^ 1; 1024];
            yield_now().await;
            u64::from(checksum(&page))
        };
        let third: u64 = {
            let page: [u8; 1024] = [seed ^ 2; 1024];
            yield_now().await;
            u64::from(checksum(&page))
        };
        first + second + third
    }
}

subject! {
    async fn three_phases_without_blocks(seed: u8) -> u64 {
        let first: [u8; 1024] = [seed; 1024];
        yield_now().await;
        let one: u64 = u64::from(checksum(&first));
        let second: [u8; 1024] = [seed ^ 1; 1024];
        yield_now().await;
        let two: u64 = u64::from(checksum(&second));
        let third: [u8; 1024] = [seed ^ 2; 1024];
        yield_now().await;
        one + two + u64::from(checksum(&third))
    }
}

subject! {
    async fn handle_request(request: Request) -> Result<Response, Problem> {
        let header: [u8; 256] = answer::<[u8; 256]>(request.header()).await;
        let length: usize = checksum(&header) as usize % 512;
        let account: Account = answer::<Account>(request.account()).await;
        if account.is_locked() {
            return Err(Problem::Locked);
        }
        let body: [u8; 512] = answer::<[u8; 512]>(request.body()).await;
        let digest: u32 = checksum(&body[..length]);
        let record: Record = answer::<Record>(Record::new(u64::from(digest))).await;
        let page: [u8; 1024] = answer::<[u8; 1024]>(record.rendered()).await;
        let sum: u32 = checksum(&page);
        yield_now().await;
        Ok(Response { account, total: record.total(), sum })
    }
}

subject! {
    async fn read_then_write(id: u64) -> u64 {
        let input: [u8; 512] = answer::<[u8; 512]>([1; 512]).await;
        let sum: u32 = checksum(&input);
        let output: [u8; 512] = [sum as u8; 512];
        yield_now().await;
        id + u64::from(checksum(&output))
    }
}

subject! {
    async fn shake_hands(secret: [u8; 32]) -> [u8; 32] {
        let hello: [u8; 64] = answer::<[u8; 64]>([3; 64]).await;
        let mut shared: [u8; 32] = [0; 32];
        for (at, byte) in shared.iter_mut().enumerate() {
            *byte = hello[at] ^ secret[at];
        }
        let proof: [u8; 48] = answer::<[u8; 48]>([5; 48]).await;
        for (byte, other) in shared.iter_mut().zip(proof) {
            *byte ^= other;
        }
        yield_now().await;
        shared
    }
}

subject! {
    async fn sign_in(name: String, password: String) -> Result<Account, Problem> {
        let salt: [u8; 16] = answer::<[u8; 16]>([9; 16]).await;
        let hash: u32 = checksum(password.as_bytes()) ^ checksum(&salt);
        drop(password);
        let account: Account = answer::<Account>(Account::named(name)).await;
        if account.matches(hash) { Ok(account) } else { Err(Problem::Locked) }
    }
}

measure![
    three_phases(_),
    three_phases_without_blocks(_),
    handle_request(_),
    read_then_write(_),
    shake_hands(_),
    sign_in(_, _),
];
