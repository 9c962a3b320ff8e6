//! Tests of claims, of the count of sleepers, and of the limit of searchers.

use super::IdleSet;

const NO_WORKER: usize = usize::MAX;

#[test]
fn claim_takes_each_sleeper_once() {
    for workers in [1, 2, 63, 64, 65, 130, 5000] {
        let idle = IdleSet::new(workers);
        (0..workers).for_each(|worker| assert!(idle.announce(worker)));
        let mut claimed: Vec<_> = (0..workers)
            .map(|_| {
                let worker = idle.claim([NO_WORKER; 2]).expect("a worker sleeps");
                assert!(idle.stop_searching());
                worker
            })
            .collect();
        claimed.sort_unstable();
        assert_eq!(claimed, (0..workers).collect::<Vec<_>>());
        assert_eq!(
            (
                idle.claim([NO_WORKER; 2]),
                idle.sleepers(),
                idle.searchers()
            ),
            (None, 0, 0)
        );
    }
}

#[test]
fn claim_with_a_searcher_returns_none() {
    let idle = IdleSet::new(4);
    assert!(idle.announce(0));
    assert!(idle.try_search());
    assert_eq!(idle.claim([NO_WORKER; 2]), None);
    assert!(idle.stop_searching());
    assert_eq!(idle.claim([NO_WORKER; 2]), Some(0));
    assert!(!idle.is_asleep(0));
}

#[test]
fn claim_takes_avoided_worker_last() {
    let idle = IdleSet::new(70);
    for worker in [3, 69] {
        assert!(idle.announce(worker));
    }
    assert_eq!(idle.claim([NO_WORKER, 3]), Some(69));
    assert!(idle.stop_searching());
    assert_eq!(idle.claim([NO_WORKER, 3]), Some(3));
}

#[test]
fn withdraw_after_claim_leaves_one_searcher() {
    let idle = IdleSet::new(2);
    assert!(idle.announce(1));
    assert_eq!(idle.claim([NO_WORKER; 2]), Some(1));
    assert!(!idle.withdraw(1));
    assert_eq!((idle.sleepers(), idle.searchers()), (0, 1));
}

#[test]
fn withdraw_makes_sleeper_a_searcher() {
    let idle = IdleSet::new(2);
    assert!(idle.announce(1));
    assert!(idle.withdraw(1));
    assert_eq!((idle.sleepers(), idle.searchers()), (0, 1));
    assert!(idle.announce_searcher(1));
    assert_eq!((idle.sleepers(), idle.searchers()), (1, 0));
}

#[test]
fn sleeper_checks_queues_unless_a_worker_searches() {
    let idle = IdleSet::new(4);
    assert!(idle.try_search());
    assert!(!idle.announce(1));
    assert!(idle.try_search());
    assert!(!idle.announce_searcher(2));
    assert!(idle.announce_searcher(3));
}

#[test]
fn all_are_asleep_after_last_announcement() {
    for workers in [1, 2, 63, 64, 65, 128, 130] {
        let idle = IdleSet::new(workers);
        for worker in (0..workers).rev() {
            assert!(!idle.are_all_asleep(), "{worker} of {workers}");
            assert!(idle.announce(worker));
        }
        assert!(idle.are_all_asleep());
        assert!(idle.withdraw(workers / 2));
        assert!(!idle.are_all_asleep());
    }
}

#[test]
fn search_is_limited_to_half_of_workers() {
    for workers in [1, 2, 3, 64, 65] {
        let idle = IdleSet::new(workers);
        let admitted = (0..workers).filter(|_| idle.try_search()).count();
        assert_eq!(admitted, workers.div_ceil(2), "{workers}");
    }
}

#[test]
fn claim_before_count_keeps_sleepers_at_zero() {
    let idle = IdleSet::new(2);
    assert!(idle.announce(0));
    idle.set(1);
    assert_eq!(idle.claim([0, 0]), Some(1));
    assert!(idle.withdraw(0));
    assert_eq!((idle.sleepers(), idle.searchers()), (0, 2));
    assert_eq!(idle.claim([2, 2]), None);
    let summary = idle.count(super::SLEEPER);
    assert_eq!(summary, 2 * super::SEARCHER);
    assert_eq!((idle.sleepers(), idle.searchers()), (0, 2));
}
