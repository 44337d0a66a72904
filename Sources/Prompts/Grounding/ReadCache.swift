internal import Synchronization

/// What was read last, so that it is not read again: texts that the materials of a company's reports have in common, and
/// materials, which an answer and its repair and many cases of a prompt's tests share.
final class ReadCache<Content: Hashable & Sendable, Reading: Sendable>: Sendable {
    private struct State {
        var readings: [Content: (reading: Reading, usedAt: UInt64)] = [:]
        var size = 0
        var uses: UInt64 = 0
    }

    /// The bytes of all texts. What rules keep of them takes many times as much.
    private let capacity: Int
    private let size: @Sendable (Content) -> Int
    private let state = Mutex(State())

    init(capacity: Int, size: @escaping @Sendable (Content) -> Int) { (self.capacity, self.size) = (capacity, size) }

    /// The number of readings that are kept.
    var count: Int { state.withLock { $0.readings.count } }

    /// The reading of a content.
    func value(_ content: Content, _ read: (Content) -> Reading) -> Reading {
        let known = state.withLock { state -> Reading? in
            state.uses += 1
            state.readings[content]?.usedAt = state.uses
            return state.readings[content]?.reading
        }
        if let known { return known }
        let reading = read(content)
        let size = size(content)
        // A large one would take the place of all others.
        guard size <= capacity / 4 else { return reading }
        return state.withLock { state in
            if let other = state.readings[content]?.reading { return other }
            if state.size + size > capacity { makeRoom(for: size, in: &state) }
            state.uses += 1
            state.readings[content] = (reading, state.uses)
            state.size += size
            return reading
        }
    }

    /// Forgets the quarter that was used the longest time ago, so that it is not looked for at each new content.
    private func makeRoom(for size: Int, in state: inout State) {
        let oldest = state.readings.sorted { $0.value.usedAt < $1.value.usedAt }
        for (content, _) in oldest {
            guard state.size + size > capacity - capacity / 4 else { break }
            state.readings[content] = nil
            state.size -= self.size(content)
        }
    }
}
