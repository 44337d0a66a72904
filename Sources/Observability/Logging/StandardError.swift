internal import Glibc

extension Logger {
    /// A logger to standard error; each line is one write, so lines of several threads and processes do not mix.
    package static func standardError(threshold: LogLevel = .info) -> Logger {
        Logger(threshold: threshold, now: systemMilliseconds) { line in
            let bytes = Array((line + "\n").utf8)
            _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        }
    }

    /// The system's wall clock in milliseconds since 1970.
    @Sendable package static func systemMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
