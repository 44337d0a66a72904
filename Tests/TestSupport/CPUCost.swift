import Glibc

/// The CPU time that work takes on this thread, so that other tests on the machine do not count.
package enum CPUCost {
    /// The least of three runs.
    package static func milliseconds(of work: () -> Void) -> Double {
        (0..<3).map { _ in
            let start = threadTime()
            work()
            return threadTime() - start
        }.min() ?? 0
    }

    /// How many times as much work costs with four times the input: about 4 when it is linear, 16 when it is quadratic.
    ///
    /// Costs below a millisecond count as one, since they are mostly fixed costs. A busy machine disturbs caches and clock
    /// rates, so a growth that is not linear is measured again, and the least of five counts.
    package static func growth<Input>(_ make: (_ size: Int) -> Input, from size: Int, _ work: (Input) -> Void) -> Double
    {
        let (small, large) = (make(size), make(size * 4))
        var least = Double.infinity
        for _ in 0..<5 where least >= linear {
            least = min(least, milliseconds { work(large) } / max(1, milliseconds { work(small) }))
        }
        return least
    }

    /// The growth that still counts as linear.
    package static let linear = 8.0

    private static func threadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
    }
}

/// Texts that are slow for code which compares, hashes or counts by more than bytes and scalars.
package struct HostileText: Sendable, CustomStringConvertible {
    package let description: String
    /// What is repeated.
    package let unit: String

    /// A text of about this many bytes.
    package func text(bytes: Int) -> String { "a" + String(repeating: unit, count: max(1, bytes / unit.utf8.count)) }

    package static let all = [
        HostileText(description: "marks of two classes", unit: "\u{301}\u{316}"),
        HostileText(description: "marks of one class", unit: "\u{301}"),
        HostileText(description: "Hebrew points in falling order", unit: "\u{5C2}\u{5C1}\u{5BC}\u{5B4}\u{5B0}"),
        HostileText(description: "marks of class 0 that decompose into others", unit: "\u{F73}\u{F75}\u{F81}"),
        HostileText(description: "marks beyond the basic plane", unit: "\u{1D165}\u{1D16D}\u{1E8D0}"),
        HostileText(
            description: "long runs with letters between", unit: "a" + String(repeating: "\u{316}\u{301}", count: 200)),
        HostileText(description: "marks divided by removed scalars", unit: "\u{301}\u{202E}\u{316}\u{7}"),
        HostileText(description: "emoji joined to one", unit: "👩\u{200D}"),
        HostileText(description: "regional indicators", unit: "\u{1F1E9}"),
        HostileText(description: "joiners", unit: "\u{200D}"),
        HostileText(description: "leading jamo", unit: "\u{1100}"),
        HostileText(description: "Hangul in jamo", unit: "\u{1112}\u{1161}\u{11AB}"),
        HostileText(description: "Indic conjuncts", unit: "\u{915}\u{94D}"),
        HostileText(description: "prepended marks", unit: "\u{600}"),
        HostileText(description: "tags", unit: "\u{E0061}"),
        HostileText(description: "Hangul that recomposes", unit: "\u{AC00}\u{11A8}\u{301}"),
        HostileText(description: "capitals that grow in lower case", unit: "\u{130}\u{307}"),
        HostileText(description: "white space", unit: " \u{2003}\n"),
    ]
}
