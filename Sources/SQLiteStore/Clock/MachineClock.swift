import SQLSupport
internal import Glibc

/// What a machine knows of the time: a wall clock, which somebody may set, and a clock that only runs.
struct MachineClock: Sendable {
    /// One look at both.
    struct Reading: Sendable, Equatable {
        /// Milliseconds since 1970.
        var wall: Int64
        /// Milliseconds since the start of the machine, its sleep included; the same for all processes.
        var sinceBoot: Int64
    }

    /// Differs from one start of the machine to the next.
    var boot: String
    var read: @Sendable () -> Reading

    /// This machine's.
    static let system = MachineClock(boot: bootID()) {
        Reading(wall: milliseconds(CLOCK_REALTIME), sinceBoot: milliseconds(CLOCK_BOOTTIME))
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func bootID() -> String {
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = Glibc.read(file, &bytes, bytes.count)
        return String(decoding: bytes[..<max(count, 0)].prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
    }
}
