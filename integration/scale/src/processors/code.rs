//! Decoded instructions of the subject, and the memory that they access.

use std::collections::HashMap;

use iced_x86::{
    Decoder, DecoderOptions, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, Register,
    UsedMemory,
};
use nix::libc::user_regs_struct as Registers;

use super::process::Memory;

/// The longest instruction of the architecture.
const LONGEST: usize = 15;

/// An instruction, as the simulation needs it.
#[derive(Debug)]
pub(super) struct Decoded {
    /// Reads and writes memory in one atomic operation.
    pub(super) atomic: bool,
    pub(super) system_call: bool,
    memory: Vec<UsedMemory>,
}

/// An access to one byte of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub(super) address: u64,
    pub(super) writes: bool,
}

impl Decoded {
    fn new(instruction: &Instruction) -> Self {
        let memory = InstructionInfoFactory::new()
            .info(instruction)
            .used_memory()
            .to_vec();
        let exchanges = instruction.mnemonic() == Mnemonic::Xchg && !memory.is_empty();
        Self {
            atomic: instruction.has_lock_prefix() || exchanges,
            system_call: instruction.mnemonic() == Mnemonic::Syscall,
            memory,
        }
    }

    /// Returns the accesses: the first and, if it is in another line, the last byte of each.
    pub(super) fn accesses(&self, registers: &Registers) -> impl Iterator<Item = Access> {
        self.memory
            .iter()
            .flat_map(move |used| accesses(used, registers))
    }
}

fn accesses(used: &UsedMemory, registers: &Registers) -> impl Iterator<Item = Access> + use<> {
    let writes = matches!(
        used.access(),
        OpAccess::Write | OpAccess::ReadWrite | OpAccess::CondWrite | OpAccess::ReadCondWrite
    );
    let touches = used.access() != OpAccess::NoMemAccess;
    let first = touches
        .then(|| used.virtual_address(0, |register, _, _| value(registers, register)))
        .flatten();
    let size = used.memory_size().size().max(1) as u64;
    let last = first.map(|address| address + size - 1);
    let last = last.filter(|last| first.is_some_and(|first| first >> 6 != last >> 6));
    first
        .into_iter()
        .chain(last)
        .map(move |address| Access { address, writes })
}

fn value(registers: &Registers, register: Register) -> Option<u64> {
    Some(match register {
        Register::RAX => registers.rax,
        Register::RBX => registers.rbx,
        Register::RCX => registers.rcx,
        Register::RDX => registers.rdx,
        Register::RSI => registers.rsi,
        Register::RDI => registers.rdi,
        Register::RBP => registers.rbp,
        Register::RSP => registers.rsp,
        Register::R8 => registers.r8,
        Register::R9 => registers.r9,
        Register::R10 => registers.r10,
        Register::R11 => registers.r11,
        Register::R12 => registers.r12,
        Register::R13 => registers.r13,
        Register::R14 => registers.r14,
        Register::R15 => registers.r15,
        Register::FS => registers.fs_base,
        Register::GS => registers.gs_base,
        Register::CS | Register::DS | Register::ES | Register::SS => 0,
        Register::EAX => registers.rax & u64::from(u32::MAX),
        Register::EDI => registers.rdi & u64::from(u32::MAX),
        _ => return None,
    })
}

/// All instructions that were executed, by address.
#[derive(Debug, Default)]
pub(super) struct Code {
    decoded: HashMap<u64, Decoded>,
}

impl Code {
    /// Returns the instruction at an address.
    pub(super) fn at(&mut self, address: u64, memory: &Memory) -> &Decoded {
        self.decoded.entry(address).or_insert_with(|| {
            let mut bytes = [0; LONGEST];
            let read = memory.read(address, &mut bytes);
            let mut decoder = Decoder::with_ip(64, &bytes[..read], address, DecoderOptions::NONE);
            Decoded::new(&decoder.decode())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Decoded;
    use iced_x86::{Decoder, DecoderOptions};

    fn decode(bytes: &[u8]) -> Decoded {
        Decoded::new(&Decoder::new(64, bytes, DecoderOptions::NONE).decode())
    }

    #[test]
    fn locked_and_exchanging_instructions_are_atomic() {
        assert!(decode(&[0xF0, 0x48, 0xFF, 0x07]).atomic, "lock inc [rdi]");
        assert!(decode(&[0x87, 0x07]).atomic, "xchg [rdi], eax");
        assert!(!decode(&[0x87, 0xC3]).atomic, "xchg ebx, eax");
        assert!(!decode(&[0x48, 0xFF, 0x07]).atomic, "inc [rdi]");
    }

    #[test]
    fn system_call_is_recognised() {
        assert!(decode(&[0x0F, 0x05]).system_call);
    }
}
