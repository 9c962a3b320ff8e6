//! The station, stepped by hand on a computer: the bits that it sends, and its position meanwhile.

use std::cell::RefCell;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use embedded::{Pins, station, tick};

thread_local! {
    static SAMPLES: RefCell<Vec<u16>> = const { RefCell::new(Vec::new()) };
    static LINE: RefCell<(bool, Vec<bool>)> = const { RefCell::new((true, Vec::new())) };
}

fn sensor() -> u16 {
    SAMPLES.with_borrow_mut(|samples| samples.pop().expect("there are enough"))
}

fn set(level: bool) {
    LINE.with_borrow_mut(|line| line.0 = level);
}

static PINS: Pins = Pins { sensor, line: set };

/// The bytes on the line, which is high when nothing is sent.
fn received(levels: &[bool]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = levels;
    while let Some(begin) = rest.iter().position(|high| !high) {
        let frame = &rest[begin..begin + 10];
        assert!(frame[9], "a byte ends high");
        let bits = frame[1..9].iter().rev();
        bytes.push(bits.fold(0, |byte, &bit| byte << 1 | u8::from(bit)));
        rest = &rest[begin + 10..];
    }
    bytes
}

#[test]
fn medians_are_sent_bit_by_bit() {
    let samples = [
        9, 1, 8, 2, 0xABCD, 3, 0xFFFF, 0xABCE, 0xABCF, 5, 5, 5, 5, 5, 4, 4, 4, 4,
    ];
    SAMPLES.with_borrow_mut(|left| left.extend(samples.iter().rev()));
    let mut station = pin!(station(&PINS, 2));
    let mut cx = Context::from_waker(Waker::noop());
    #[cfg(not(feature = "plain"))]
    let mut states = Vec::new();
    let mut steps = 0;
    let sum = loop {
        if let Poll::Ready(sum) = station.as_mut().poll(&mut cx) {
            break sum;
        }
        #[cfg(not(feature = "plain"))]
        {
            use volt::machine::StateMachine;
            let line = station.state().line;
            if states.last() != Some(&line) {
                states.push(line);
            }
        }
        LINE.with_borrow_mut(|(level, levels)| levels.push(*level));
        tick();
        steps += 1;
        assert!(steps < 1000);
    };
    assert_eq!(sum, 9 + 5);
    LINE.with_borrow(|(_, levels)| assert_eq!(received(levels), [0, 9, 0, 5]));
    // Fifty ticks to warm up, two a sample, ten a byte.
    assert_eq!(steps, 2 * (50 + 9 * 2 + 2 * 10));
    #[cfg(not(feature = "plain"))]
    assert_eq!(states.len(), 2 * 4, "{states:?}");
}
