//! The station as a task of embassy's executor: its memory is a static of the machine's own type.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[cfg(target_os = "none")]
mod chip {
    use core::sync::atomic::{AtomicU32, Ordering};

    use cortex_m::peripheral::SYST;
    use cortex_m::peripheral::syst::SystClkSource;
    use cortex_m_rt::{entry, exception};
    use embassy_executor::Executor;
    use embedded::{Pins, station};
    use panic_halt as _;
    use static_cell::StaticCell;

    /// Where the report would go, so that the compiler keeps it.
    static LINE: AtomicU32 = AtomicU32::new(1);
    static EXECUTOR: StaticCell<Executor> = StaticCell::new();

    fn set(level: bool) {
        LINE.store(u32::from(level), Ordering::Relaxed);
    }

    /// A sensor that the chip surely has: how far its timer has counted.
    fn sensor() -> u16 {
        SYST::get_current() as u16
    }

    static PINS: Pins = Pins { sensor, line: set };

    /// With a name for its type, a task needs no macro and no pool: a static holds it.
    #[cfg(not(feature = "plain"))]
    fn task() -> Result<embassy_executor::SpawnToken<impl Sized>, embassy_executor::SpawnError> {
        static STATION: embassy_executor::raw::TaskStorage<embedded::Station> =
            embassy_executor::raw::TaskStorage::new();
        STATION.spawn(|| station(&PINS, 10))
    }

    /// As it is without: the macro makes room for a future that has no name.
    #[cfg(feature = "plain")]
    #[embassy_executor::task]
    async fn task() {
        station(&PINS, 10).await;
    }

    #[entry]
    fn main() -> ! {
        if let Some(mut peripherals) = cortex_m::Peripherals::take() {
            let timer = &mut peripherals.SYST;
            timer.set_clock_source(SystClkSource::Core);
            timer.set_reload(15_999);
            timer.enable_interrupt();
            timer.enable_counter();
        }
        let executor = EXECUTOR.init(Executor::new());
        executor.run(|spawner| {
            if let Ok(token) = task() {
                spawner.spawn(token);
            }
        })
    }

    #[exception]
    fn SysTick() {
        embedded::tick();
    }
}

/// There is nothing to see on a computer: `by_hand` runs there.
#[cfg(not(target_os = "none"))]
fn main() {}
