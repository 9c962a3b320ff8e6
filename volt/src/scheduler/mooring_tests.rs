//! Moorings at something small; under loom, the races.

use crate::loom::sync::{Arc, Mutex};

use super::{Harbour, Moored, Moorings, Spares};

/// A harbour, with spares for everybody or for nobody.
struct Pier {
    moorings: Moorings,
    spares: Option<Mutex<Spares>>,
}

impl Pier {
    fn new(spares: bool) -> Arc<Self> {
        Arc::new(Self {
            moorings: Moorings::new(),
            spares: spares.then(|| Mutex::new(Spares::new())),
        })
    }
}

impl Harbour for Pier {
    fn moorings(&self) -> &Moorings {
        &self.moorings
    }

    fn with_spares<R>(&self, access: impl FnOnce(&mut Spares) -> R) -> Option<R> {
        let mut spares = self.spares.as_ref()?.lock();
        Some(access(&mut spares))
    }
}

#[cfg(not(loom))]
#[test]
fn moored_keeps_what_it_is_at() {
    let pier = Pier::new(false);
    let watch = Arc::downgrade(&pier);
    let (one, two) = (Moored::new(&pier), Moored::new(&pier));
    assert_eq!(Arc::strong_count(&pier), 2, "one count stands for both");
    drop((pier, one));
    assert!(watch.upgrade().is_some());
    drop(two);
    assert!(watch.upgrade().is_none());
}

#[cfg(not(loom))]
#[test]
fn moorings_after_the_last_keep_it_again() {
    let pier = Pier::new(false);
    for _ in 0..3 {
        drop(Moored::new(&pier));
        assert_eq!(Arc::strong_count(&pier), 1);
    }
}

#[cfg(not(loom))]
#[test]
fn spares_serve_many_and_are_given_back() {
    let pier = Pier::new(true);
    let many: Vec<_> = (0..1000).map(|_| Moored::new(&pier)).collect();
    drop(many);
    let spares = &mut *pier.spares.as_ref().unwrap().lock();
    assert!((1..=2 * super::BATCH).contains(&spares.0), "{spares:?}");
    assert_eq!(Arc::strong_count(&pier), 2);
    spares.clear(&pier);
    assert_eq!(Arc::strong_count(&pier), 1);
}

/// Somebody gives the last mooring back while another makes the next, and lets go of the pier.
///
/// Breaks when `make` never adds the strong count, or only the first time.
#[cfg(loom)]
#[test]
fn last_mooring_against_the_next() {
    loom::model(|| {
        let pier = Pier::new(false);
        let first = Moored::new(&pier);
        let other = loom::thread::spawn(move || drop(first));
        let second = Moored::new(&pier);
        drop(pier);
        assert!(second.spares.is_none());
        drop(second);
        other.join().unwrap();
    });
}

/// Two who have the pier make the first moorings, and let go of it.
#[cfg(loom)]
#[test]
fn first_moorings_of_two() {
    loom::model(|| {
        let pier = Pier::new(false);
        let same = Arc::clone(&pier);
        let other = loom::thread::spawn(move || {
            let moored = Moored::new(&same);
            drop(same);
            assert!(moored.spares.is_none());
        });
        let moored = Moored::new(&pier);
        drop(pier);
        assert!(moored.spares.is_none());
        drop(moored);
        other.join().unwrap();
    });
}
