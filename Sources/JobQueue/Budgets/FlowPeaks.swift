/// The peaks of a bucket's flow during the last half minute: a pure value.
///
/// The head of an answer tells what its bucket held at a moment between the arrival of the call and that of the head.
/// What flowed in since is certain only from the highest peak on: from any other moment it was more.
struct FlowPeaks: Hashable, Sendable {
    /// The flow just before calls were let in, without the calls that may still have been on their way.
    struct Peak: Hashable, Sendable {
        var at: Timestamp
        /// The number of calls that had been let in.
        var call: Int64
        var flow: Int64
    }

    /// The time after which no head is read any more.
    static let longestAge: Duration = .seconds(30)
    private static let most = 16

    /// In the order of time; each is higher than all later ones.
    private(set) var peaks: [Peak] = []

    init(_ peaks: [Peak] = []) { self.peaks = peaks }

    mutating func add(_ peak: Peak) {
        peaks.removeAll { $0.flow &- peak.flow <= 0 || peak.at - $0.at > Self.longestAge }
        peaks.append(peak)
        guard peaks.count > Self.most else { return }
        // The two of nearly the same height count as one: as high as the first and as late as the second.
        let place = peaks.indices.dropLast().min { rise(after: $0) < rise(after: $1) } ?? 0
        peaks[place].at = peaks[place + 1].at
        peaks[place].call = peaks[place + 1].call
        peaks.remove(at: place + 1)
    }

    private func rise(after place: Int) -> Int64 { peaks[place].flow &- peaks[place + 1].flow }

    /// The highest flow since a call was let in; `nil` for none.
    func highest(since call: Int64) -> Int64? { peaks.first { $0.call >= call }?.flow }

    mutating func shift(by time: Duration) { for place in peaks.indices { peaks[place].at = peaks[place].at - time } }
}
