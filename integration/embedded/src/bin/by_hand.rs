//! The station stepped by hand: a loop polls it at each tick and sleeps in between, without an
//! executor.
#![cfg_attr(target_os = "none", no_std, no_main)]

use core::pin::pin;
use core::sync::atomic::{AtomicU32, Ordering};
use core::task::{Context, Poll, Waker};

use embedded::{Pins, station};
#[cfg(target_os = "none")]
use panic_halt as _;

/// Where the report would go, so that the compiler keeps it.
static LINE: AtomicU32 = AtomicU32::new(1);

fn set(level: bool) {
    LINE.store(u32::from(level), Ordering::Relaxed);
}

/// Steps the station to its end; between two steps it rests until a tick has passed.
fn run(pins: &'static Pins, rounds: u32, rest: impl Fn()) -> u32 {
    let mut station = pin!(station(pins, rounds));
    let mut cx = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(sum) = station.as_mut().poll(&mut cx) {
            return sum;
        }
        rest();
    }
}

#[cfg(target_os = "none")]
mod chip {
    use cortex_m::peripheral::SYST;
    use cortex_m::peripheral::syst::SystClkSource;
    use cortex_m_rt::{entry, exception};
    use embedded::Pins;

    /// A sensor that the chip surely has: how far its timer has counted.
    fn sensor() -> u16 {
        SYST::get_current() as u16
    }

    static PINS: Pins = Pins {
        sensor,
        line: super::set,
    };

    #[entry]
    fn main() -> ! {
        if let Some(mut peripherals) = cortex_m::Peripherals::take() {
            let timer = &mut peripherals.SYST;
            timer.set_clock_source(SystClkSource::Core);
            timer.set_reload(15_999);
            timer.enable_interrupt();
            timer.enable_counter();
        }
        loop {
            super::run(&PINS, 10, cortex_m::asm::wfi);
        }
    }

    #[exception]
    fn SysTick() {
        embedded::tick();
    }
}

/// On a computer each rest is a tick.
#[cfg(not(target_os = "none"))]
fn main() {
    static PINS: Pins = Pins {
        sensor: || 7,
        line: set,
    };
    println!("{}", run(&PINS, 10, embedded::tick));
}
