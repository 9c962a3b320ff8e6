//! Families whose workers crash at random saves.

use futures_lite::future::{block_on, or, yield_now};
use volt_durable::Client;
use volt_durable::store::{Crash, CrashingStore, MemoryStore};

use crate::families::{
    DAY, PassCancellationOn, alone, give_up, pass_cancellation_on, ship_many, ship_two, take_steps,
};
use crate::family_runs::{Ran, outcomes, ran, rows, worker};

/// A small generator of numbers, so that each run can be repeated.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Runs a worker until it crashes, and returns `true`, or until all machines have ended. The clock
/// cuts leases short.
async fn run_random_life(store: &MemoryStore, saves: u64, crash: Crash) -> bool {
    let crashing = CrashingStore::new(store, saves, crash);
    let crashed = crashing.crashed();
    let worker = worker(crashing).max_attempts(u32::MAX);
    let ended = async {
        worker.run_until(all_ended(store)).await;
        false
    };
    let crashed = async {
        crashed.await;
        true
    };
    or(crashed, ended).await
}

async fn all_ended(store: &MemoryStore) {
    while !rows(store).await.iter().all(|row| row.status.is_final()) {
        for _ in 0..20 {
            yield_now().await;
        }
        store.advance(DAY / 4);
    }
}

/// Two workers crash after random numbers of saves, until all families have ended.
async fn run_random(seed: u64) -> Ran {
    let mut numbers = Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let store = MemoryStore::paused();
    let client = Client::new(store.clone());
    client.start("a", ship_two()).await.expect("a machine");
    client.start("b", ship_many(4)).await.expect("a machine");
    client.start("c", give_up()).await.expect("a machine");
    client
        .start("d", pass_cancellation_on())
        .await
        .expect("a machine");
    client
        .cancel::<PassCancellationOn>("d")
        .await
        .expect("a request");
    for life in 0.. {
        assert!(life < 1_000, "seed {seed} does not end");
        let crashes = [(); 2].map(|()| {
            let crash = [Crash::Before, Crash::After][usize::from(numbers.below(2) == 0)];
            (numbers.below(12), crash)
        });
        let lives = crashes.map(|(saves, crash)| run_random_life(&store, saves, crash));
        let [one, other] = lives;
        if !or(one, other).await {
            break;
        }
    }
    ran(&store).await
}

#[test]
fn families_end_once_with_random_crashes() {
    let _alone = alone();
    let seeds: u64 = std::env::var("SEEDS").map_or(60, |seeds| seeds.parse().expect("a number"));
    for seed in 0..seeds {
        take_steps();
        let ran = block_on(run_random(seed));
        assert_eq!(outcomes(&ran, "ShipTwo"), ["1121"], "seed {seed}");
        assert_eq!(outcomes(&ran, "ShipMany"), ["[11,21,31,41]"], "seed {seed}");
        let shipped = ["11", "11", "21", "21", "31", "41"];
        assert_eq!(outcomes(&ran, "Ship"), shipped, "seed {seed}");
        assert_eq!(outcomes(&ran, "GiveUp"), ["true"], "seed {seed}");
        assert_eq!(
            outcomes(&ran, "PassCancellationOn"),
            ["true"],
            "seed {seed}"
        );
    }
}
