//! The processor time of this thread: what other processes do does not count.

use std::time::Duration;

/// The processor time that the calling thread has used, since some moment.
#[cfg(unix)]
pub fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The time since some moment: elsewhere the processor time of a thread is not read.
#[cfg(not(unix))]
pub fn cpu_time() -> Duration {
    use std::sync::LazyLock;
    static BEGIN: LazyLock<std::time::Instant> = LazyLock::new(std::time::Instant::now);
    BEGIN.elapsed()
}
