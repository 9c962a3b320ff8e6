//! System calls of the subject: those that block, and those with a time.

use nix::libc::{self, c_long, user_regs_struct as Registers};

use super::process::Memory;

/// A system call that is about to be executed.
#[derive(Clone, Copy, Debug)]
pub(super) struct SystemCall {
    /// The thread may sleep in it.
    pub(super) blocks: bool,
    /// The registers were changed.
    pub(super) changed: bool,
}

/// Removes the timeout of a call, because the kernel would measure it in real time.
///
/// A measured region has less than a millisecond of simulated time, and no timeout of a runtime is
/// as short. A timer of the kernel is not set, for the same reason: the call becomes one that does
/// nothing.
pub(super) fn without_time(registers: &mut Registers, memory: &Memory) -> SystemCall {
    let (before, operation) = (registers.r10, registers.rsi as i32 & 0x7F);
    match registers.rax as c_long {
        libc::SYS_futex => {
            let blocks = matches!(operation, libc::FUTEX_WAIT | libc::FUTEX_WAIT_BITSET);
            if blocks {
                registers.r10 = 0;
            }
            SystemCall {
                blocks,
                changed: before != registers.r10,
            }
        }
        libc::SYS_epoll_wait | libc::SYS_epoll_pwait => {
            let blocks = before as i32 != 0;
            if blocks {
                registers.r10 = u64::from(u32::MAX);
            }
            SystemCall {
                blocks,
                changed: blocks,
            }
        }
        libc::SYS_epoll_pwait2 => {
            let blocks = before == 0 || memory.word(before) | memory.word(before + 8) != 0;
            if blocks {
                registers.r10 = 0;
            }
            SystemCall {
                blocks,
                changed: blocks,
            }
        }
        libc::SYS_ppoll => {
            let times_out = registers.rdx != 0;
            registers.rdx = 0;
            SystemCall {
                blocks: true,
                changed: times_out,
            }
        }
        libc::SYS_timerfd_settime => {
            registers.rax = libc::SYS_sched_yield as u64;
            SystemCall {
                blocks: false,
                changed: true,
            }
        }
        _ => SystemCall {
            blocks: false,
            changed: false,
        },
    }
}
