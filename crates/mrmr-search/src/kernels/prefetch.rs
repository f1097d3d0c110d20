//! Asking for memory before it is needed.

/// How many bytes come at once.
const LINE: usize = 64;

/// Starts to fetch some values; does nothing where there is no instruction for it.
#[inline(always)]
pub(crate) fn prefetch<T>(values: &[T]) {
    let start: *const u8 = values.as_ptr().cast();
    for offset in (0..size_of_val(values)).step_by(LINE) {
        prefetch_line(start.wrapping_add(offset));
    }
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn prefetch_line(address: *const u8) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: a hint reads nothing, whatever the address; every processor of 64 bits has it.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn prefetch_line(_: *const u8) {}
