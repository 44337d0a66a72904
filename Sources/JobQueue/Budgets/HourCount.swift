/// A count of the last hour, by twelve slots of five minutes.
struct HourCount: Hashable, Sendable {
    private static let slot: Int64 = 300_000
    private static let slots: Int64 = 12

    /// By the number of the slot since 1970.
    private(set) var counts: [Int64: Int64] = [:]

    init(counts: [Int64: Int64] = [:]) { self.counts = counts }

    mutating func add(_ count: Int64, at now: Timestamp) {
        let current = now.milliseconds / Self.slot
        counts = counts.filter { Self.isRecent($0.key, in: current) }
        counts[current, default: 0] += count
    }

    /// The count of the slots that began within the last hour.
    func total(at now: Timestamp) -> Int64 {
        let current = now.milliseconds / Self.slot
        return counts.reduce(0) { $0 + (Self.isRecent($1.key, in: current) ? $1.value : 0) }
    }

    private static func isRecent(_ slot: Int64, in current: Int64) -> Bool {
        slot <= current && slot > current - slots
    }
}
