internal import Basics

/// A call that marked prefixes of its prompt for its provider's cache.
package struct MarkedCall: Hashable, Sendable {
    package var id: String
    package var createdAt: Timestamp
    /// `provider/model`.
    package var model: String
    package var prompt: String?
    package var kind: String
    package var user: UserID
    package var job: JobID
    package var marks: [CallMark]
    /// What the tokens that it wrote cost beyond the price of input.
    package var writeMicroDollars: Int64
    /// The time for which the provider keeps them.
    package var life: Duration

    package init(
        id: String, createdAt: Timestamp, model: String, prompt: String?, kind: String, user: UserID, job: JobID,
        marks: [CallMark], writeMicroDollars: Int64, life: Duration
    ) {
        self.id = id
        self.createdAt = createdAt
        self.model = model
        self.prompt = prompt
        self.kind = kind
        self.user = user
        self.job = job
        self.marks = marks
        self.writeMicroDollars = writeMicroDollars
        self.life = life
    }

    /// The name of the call's group in the costs.
    package func group(by grouping: CostGrouping) -> String {
        switch grouping {
        case .day: createdAt.utcDay
        case .kind: kind
        case .model: model
        case .user, .plan: "\(user.rawValue)"
        // A call does not name the bundle of its job.
        case .bundle: ""
        case .job: job.description
        case .prompt: prompt ?? ""
        }
    }
}

/// Finds the marks that were written and that no later call read, from calls in the order of their times.
package struct UnreadMarks: Sendable {
    private struct Write {
        var group: String
        var microDollars: Int64
        var until: Timestamp
    }

    /// What such marks cost, by group.
    package private(set) var microDollars: [String: Int64] = [:]
    private let grouping: CostGrouping
    /// By the hash of the prefix.
    private var open: [String: Write] = [:]

    package init(by grouping: CostGrouping) { self.grouping = grouping }

    /// Takes the next call. What it wrote is divided among its marks by their tokens.
    package mutating func add(_ call: MarkedCall) {
        close(before: call.createdAt)
        for mark in call.marks where mark.wasRead { open[mark.hash] = nil }
        let read = call.marks.last(where: \.wasRead)?.tokens ?? 0
        let written = (call.marks.last?.tokens ?? 0) - read
        guard call.writeMicroDollars > 0, written > 0 else { return }
        var start = read
        for mark in call.marks where !mark.wasRead {
            let share = call.writeMicroDollars * (mark.tokens - start) / written
            start = mark.tokens
            if let lost = open.updateValue(
                Write(group: call.group(by: grouping), microDollars: share, until: call.createdAt + call.life),
                forKey: mark.hash)
            {
                microDollars[lost.group, default: 0] += lost.microDollars
            }
        }
    }

    /// Counts what no call can read any more.
    package mutating func close(before now: Timestamp) {
        for (hash, write) in open where write.until < now {
            microDollars[write.group, default: 0] += write.microDollars
            open[hash] = nil
        }
    }
}

extension Timestamp {
    /// `2026-11-21` in UTC.
    var utcDay: String { CalendarDate(secondsSinceEpoch: milliseconds / 1000).description }
}
