//! Operations on files that never wait for the disk.
//!
//! `preadv2` with `RWF_NOWAIT` reads only what is in the page cache, and fails with `EAGAIN` if it
//! would have to wait. File systems that cannot promise this, such as those over a network, refuse
//! the flag.

#[cfg(target_os = "linux")]
pub(super) use self::linux::{is_supported, read};
#[cfg(not(target_os = "linux"))]
pub(super) use self::other::{is_supported, read};

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::File;
    use std::io::IoSliceMut;

    use rustix::io::{Errno, ReadWriteFlags, preadv2};

    /// The offset by which `preadv2` reads at the position of the file, and advances it.
    const AT_POSITION: u64 = u64::MAX;

    /// Returns `true` for a regular file whose file system has reads without waiting.
    ///
    /// This may wait for the disk, so only a job calls it.
    pub(in crate::fs) fn is_supported(file: &File) -> bool {
        file.metadata().is_ok_and(|metadata| metadata.is_file())
            && matches!(read_at(file, &mut [0], 0), Ok(_) | Err(Errno::AGAIN))
    }

    /// Reads at the position of the file. Returns `None` if it would have to wait, if it fails, and
    /// at the end of the file. The caller then reads by a job, which returns the proper result:
    /// some kernels reported an end although pages were only being loaded.
    pub(in crate::fs) fn read(file: &File, into: &mut [u8]) -> Option<usize> {
        read_at(file, into, AT_POSITION)
            .ok()
            .filter(|&count| count > 0)
    }

    fn read_at(file: &File, into: &mut [u8], offset: u64) -> rustix::io::Result<usize> {
        preadv2(
            file,
            &mut [IoSliceMut::new(into)],
            offset,
            ReadWriteFlags::NOWAIT,
        )
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use std::fs::File;

    pub(in crate::fs) fn is_supported(_: &File) -> bool {
        false
    }

    pub(in crate::fs) fn read(_: &File, _: &mut [u8]) -> Option<usize> {
        None
    }
}
