import Glibc

/// A reader of bytes from outside, which must survive any input within a bounded time.
package struct FuzzTarget: Sendable {
    /// The name in `make fuzz` and of the folder of its corpus.
    package let name: String
    /// Reads the input. A crash is a finding; an error that the reader throws is not.
    package let read: @Sendable ([UInt8]) -> Void
    /// The processor time for each KiB of input, in microseconds, above which an input is a finding.
    package let microsecondsPerKiB: Double

    package init(
        _ name: String, microsecondsPerKiB: Double = 400, _ read: @escaping @Sendable ([UInt8]) -> Void
    ) {
        (self.name, self.microsecondsPerKiB, self.read) = (name, microsecondsPerKiB, read)
    }

    package static let all: [FuzzTarget] = requests + contents + providers + templates
}

/// The processor time of reading one input.
package struct FuzzCost: Sendable, CustomStringConvertible {
    package let bytes: Int
    package let microseconds: Double
    package let limit: Double

    /// Work that does not depend on the length, such as a connection or a first use.
    private static let allowance = 20_000.0

    /// Reads an input and measures the processor time of the whole process: a reader may work on other threads. The
    /// limit is multiplied by a factor for builds that are slower than a release build.
    package init(of input: [UInt8], in target: FuzzTarget, factor: Double = 1) {
        let start = Self.now
        target.read(input)
        microseconds = Self.now - start
        bytes = input.count
        limit = factor * (Self.allowance + target.microsecondsPerKiB * Double(input.count) / 1024)
    }

    package var isWithinLimit: Bool { microseconds <= limit }

    package var description: String { "\(bytes) bytes took \(Int(microseconds)) µs, more than \(Int(limit)) µs" }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
}
