package import JobQueue

/// The calls of one process that wait for a budget: a pure value that decides on their order.
///
/// Interactive calls come first. Within a lane users take turns, the one served longest ago first, and the calls of a
/// user begin in the order of their jobs' age.
struct CallQueue<Waiter> {
    struct Entry {
        var id: UInt64
        var place: CallPlace
        /// With the whole prompt.
        var need: CallNeed
        var expectedRead: ExpectedRead?
        /// Uptime.
        var since: Duration
        var longestWait: Duration
        var waiter: Waiter
    }

    private var entries: [UInt64: Entry] = [:]
    /// The last turn of each user.
    private var turns: [UserID?: UInt64] = [:]
    private var turn: UInt64 = 0
    private var lastID: UInt64 = 0

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }
    var backgroundCount: Int { entries.values.count { !$0.need.isInteractive } }
    var all: [Entry] { Array(entries.values) }

    /// Makes an id for a call. Calls with lower ids are earlier.
    mutating func makeID() -> UInt64 {
        lastID += 1
        return lastID
    }

    mutating func add(_ entry: Entry) { entries[entry.id] = entry }

    mutating func remove(_ id: UInt64) -> Entry? { entries.removeValue(forKey: id) }

    /// Removes a call that begins, which is a turn of its user.
    mutating func begin(_ id: UInt64) -> Entry? {
        guard let entry = entries.removeValue(forKey: id) else { return nil }
        turn += 1
        turns[entry.place.user] = turn
        if turns.count > Self.mostUsers, let oldest = turns.min(by: { $0.value < $1.value }) {
            turns[oldest.key] = nil
        }
        return entry
    }

    /// The users whose turns are remembered.
    private static var mostUsers: Int { 1000 }

    /// The calls in the order in which they shall begin.
    func ordered() -> [Entry] {
        let (interactive, background) = (
            entries.values.filter(\.need.isInteractive), entries.values.filter { !$0.need.isInteractive }
        )
        return inTurn(interactive) + inTurn(background)
    }

    private func inTurn(_ entries: [Entry]) -> [Entry] {
        var ofUsers = Dictionary(grouping: entries, by: \.place.user).mapValues { calls in
            calls.sorted { ($0.place.createdAt, $0.id) < ($1.place.createdAt, $1.id) }
        }
        // A user who was never served comes first, the earliest of them before the others.
        let users = ofUsers.keys.sorted { left, right in
            let (first, second) = (ofUsers[left]?.first, ofUsers[right]?.first)
            let turn = (turns[left] ?? 0, first?.place.createdAt ?? .zero, first?.id ?? 0)
            let other = (turns[right] ?? 0, second?.place.createdAt ?? .zero, second?.id ?? 0)
            return turn < other
        }
        var ordered: [Entry] = []
        var round = 0
        while !ofUsers.isEmpty {
            for user in users {
                guard let calls = ofUsers[user] else { continue }
                if round < calls.count { ordered.append(calls[round]) } else { ofUsers[user] = nil }
            }
            round += 1
        }
        return ordered
    }
}

/// The part of a prompt that a model's provider is expected to read from its cache.
struct ExpectedRead: Hashable, Sendable {
    /// The id in the catalogue.
    var model: String
    var tokens: Int64
}

/// The place of a call among others of its lane.
package struct CallPlace: Hashable, Sendable {
    /// `nil` outside of jobs.
    package var user: UserID?
    /// When the job was submitted.
    package var createdAt: Timestamp

    package init(user: UserID? = nil, createdAt: Timestamp = Timestamp(milliseconds: 0)) {
        self.user = user
        self.createdAt = createdAt
    }
}

extension Timestamp {
    fileprivate static let zero = Timestamp(milliseconds: 0)
}
