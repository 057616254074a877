//! Looks at memory of this process that may not be there.
//!
//! eglGetDisplay takes a pointer without saying of what, and a wrong guess must not crash. The kernel does
//! the reading, so a bad address is an error instead of a fault.
#![allow(unsafe_code)]

use std::fs::File;
use std::os::unix::fs::FileExt;

/// Reads bytes at an address of this process; none when they aren't mapped or the system doesn't let us look.
pub fn read<const N: usize>(address: usize) -> Option<[u8; N]> {
    let memory = File::open("/proc/self/mem").ok()?;
    let mut bytes = [0; N];
    memory.read_exact_at(&mut bytes, address as u64).ok()?;
    Some(bytes)
}

/// Reads bytes at an address that an interface promises to be readable. A null or unmapped address still is no fault where
/// the kernel lets us look.
///
/// # Safety
/// `address` is readable for `N` bytes, or [`is_available`].
pub unsafe fn read_promised<const N: usize>(address: usize) -> Option<[u8; N]> {
    if address == 0 || is_available() {
        return read(address);
    }
    // SAFETY: not null, and by the contract readable.
    Some(unsafe { (address as *const [u8; N]).read_unaligned() })
}

/// Whether [`read`] can work at all here.
pub fn is_available() -> bool {
    let probe = [0x5au8];
    read::<1>(probe.as_ptr() as usize) == Some(probe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_addresses_are_no_fault() {
        assert!(is_available());
        assert_eq!(read::<8>(0), None);
        assert_eq!(read::<8>(0x1000), None);
        assert_eq!(read::<8>(usize::MAX - 3), None);
    }
}
