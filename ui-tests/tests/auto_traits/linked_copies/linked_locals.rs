//! Functions that await each other through a local: a future, or a list of futures.

use futures::future::FutureExt as _;
use futures::stream::{FuturesUnordered, StreamExt as _};

use super::super::{Ask, AskSync, NotSend as _, NotSync as _, local_number};
use super::{heaped, join_all};

versions! { {
    pub(in super::super) struct Grove { pub(super) oaks: Vec<Oak> }

    pub(in super::super) struct Oak { pub(super) groves: Vec<Grove> }
}
    #[state_machine]
    impl Grove {
        pub(in super::super) async fn shade_unordered(&self) -> u32 {
            let mut all = FuturesUnordered::new();
            for oak in &self.oaks {
                all.push(oak.shade_unordered());
            }
            let mut sum = 1;
            while let Some(shade) = all.next().await {
                sum += shade;
            }
            sum
        }

        pub(in super::super) async fn shade_beside_rc(&self) -> u32 {
            let number = local_number(1);
            let mut all = FuturesUnordered::new();
            for oak in &self.oaks {
                all.push(oak.shade_beside_rc());
            }
            let mut sum = 0;
            while let Some(shade) = all.next().await {
                sum += shade;
            }
            sum + *number.0
        }

        pub(in super::super) async fn shade_list(&self, place: &str) -> u32 {
            let (mut sum, inner) = (1, format!("{place}+"));
            let mut all = Vec::new();
            for oak in &self.oaks {
                all.push(Box::pin(oak.shade_list(place)));
                all.push(Box::pin(oak.shade_list(&inner)));
            }
            for shade in all {
                sum += shade.await;
            }
            sum
        }

        pub(in super::super) async fn shade_held(&self) -> u32 {
            let mut sum = 1;
            for oak in &self.oaks {
                let shade = heaped(oak.shade_held());
                sum += shade.await;
            }
            sum
        }
    }

    #[state_machine]
    impl Oak {
        pub(in super::super) async fn shade_unordered(&self) -> u32 {
            let groves = self.groves.iter();
            let mut all: FuturesUnordered<_> = groves.map(Grove::shade_unordered).collect();
            let mut sum = 2;
            while let Some(shade) = all.next().await {
                sum += shade;
            }
            sum
        }

        pub(in super::super) async fn shade_beside_rc(&self) -> u32 {
            let shades: Vec<_> = self.groves.iter().map(|it| it.shade_beside_rc()).collect();
            join_all(shades).await.into_iter().sum::<u32>() + 2
        }

        pub(in super::super) async fn shade_list(&self, place: &str) -> u32 {
            let mut sum = place.len() as u32;
            for grove in &self.groves {
                let shade = Box::pin(grove.shade_list(place));
                sum += shade.await;
            }
            sum
        }

        pub(in super::super) async fn shade_held(&self) -> u32 {
            let mut sum = 2;
            for grove in &self.groves {
                let shade = grove.shade_held();
                sum += heaped(shade).await;
            }
            sum
        }
    }
}

#[test]
fn awaited_locals_in_a_cycle_are_as_plain() {
    assert_versions! { [
        let grove = Grove { oaks: vec![Oak { groves: vec![Grove { oaks: vec![] }] }] };
        let oak = Oak { groves: vec![] };
    ] {
        grove.shade_unordered() => ((true, true), 4);
        oak.shade_unordered() => ((true, true), 2);
        grove.shade_beside_rc() => ((false, false), 4);
        oak.shade_beside_rc() => ((false, false), 2);
        grove.shade_list("a") => ((true, true), 6);
        oak.shade_list("a") => ((true, true), 1);
        grove.shade_held() => ((true, true), 4);
        oak.shade_held() => ((true, true), 2);
    } }
}

/// The method `boxed` requires that the future is `Send`. The plain functions do not compile.
#[volt::state_machine]
async fn pushed_left(n: u32) -> usize {
    let all = FuturesUnordered::new();
    for n in 0..n {
        all.push(pushed_right(n).boxed());
    }
    all.len() + join_all(all).await.len()
}

#[volt::state_machine]
async fn pushed_right(n: u32) -> usize {
    heaped(pushed_left(n)).await
}

#[volt::state_machine]
async fn sent_left(n: u32) -> usize {
    join_all((0..n).map(|n| sent_right(n).boxed())).await.len()
}

#[volt::state_machine]
async fn sent_right(n: u32) -> usize {
    heaped(sent_left(n)).await
}

/// The type of the machine is written. The list has another element than a copy.
#[volt::state_machine]
async fn listed_left(n: u32) -> u32 {
    let mut all: Vec<ListedRight> = Vec::new();
    for n in 0..n {
        all.push(listed_right(n));
    }
    join_all(all).await.into_iter().sum()
}

#[volt::state_machine]
async fn listed_right(n: u32) -> u32 {
    let left = heaped(listed_left(n));
    left.await + 1
}

#[test]
fn locals_with_other_uses_stay_machines() {
    assert!(is_send!(pushed_left(3)) && is_send!(pushed_right(3)));
    assert_eq!(volt::block_on(pushed_left(3)), 6);
    assert!(is_send!(sent_left(3)) && is_send!(sent_right(3)));
    assert_eq!(volt::block_on(sent_left(3)), 3);
    assert!(is_send!(listed_left(3)) && is_send!(listed_right(3)));
    assert_eq!(volt::block_on(listed_left(3)), 7);
}
