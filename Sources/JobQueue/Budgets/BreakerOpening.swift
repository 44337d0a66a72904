internal import JSON

/// The calls that a circuit breaker stops.
package enum BreakerScope: Hashable, Sendable {
    /// Calls of all models of the budget's provider.
    case provider
    /// Calls of one model of the catalogue.
    case model(String)

    /// The scope as text, for stores: no model is called `*`.
    var text: String {
        switch self {
        case .provider: "*"
        case .model(let id): id
        }
    }

    init(text: String) { self = text == "*" ? .provider : .model(text) }
}

/// A process's report on one of its circuit breakers.
package struct BreakerReport: Hashable, Sendable {
    package enum Event: Hashable, Sendable {
        case opened
        /// The time is over, and the process wants to make the one call that finds out whether the model is back.
        case wantsProbe
        case closed
    }

    package var scope: BreakerScope
    package var event: Event

    package init(_ scope: BreakerScope, _ event: Event) {
        self.scope = scope
        self.event = event
    }
}

/// An open circuit breaker, as all processes know it.
package struct SharedOpening: Hashable, Sendable {
    /// The length of the first opening; each further one is twice as long.
    package static let shortest: Duration = .seconds(30)
    package static let longest: Duration = .seconds(300)
    /// The time after which another process may probe, since the one that wanted to may be dead.
    package static let probeLifetime: Duration = .seconds(120)

    package var scope: BreakerScope
    /// The time until a probe may be made; zero when it is over.
    package var rest: Duration
    package var length: Duration

    package init(scope: BreakerScope, rest: Duration, length: Duration) {
        self.scope = scope
        self.rest = rest
        self.length = length
    }
}

/// The open circuit breakers of one budget: a pure value, part of `SharedBudget`.
struct OpenBreakers: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        var until: Timestamp
        var length: Duration
        var probeUntil: Timestamp?
    }

    /// The age at which an opening that no process probes is forgotten.
    private static let longestAge: Duration = .seconds(3600)

    private var entries: [String: Entry] = [:]

    init() {}

    var isEmpty: Bool { entries.isEmpty }

    /// Takes in a report.
    ///
    /// - Returns: Whether the process may probe.
    mutating func apply(_ report: BreakerReport, at now: Timestamp) -> Bool {
        let key = report.scope.text
        switch (report.event, entries[key]) {
        case (.closed, _): entries[key] = nil
        case (.opened, nil):
            entries[key] = Entry(until: now + SharedOpening.shortest, length: SharedOpening.shortest)
        // Another process has found the same just now.
        case (.opened, let entry?) where entry.until > now: break
        case (.opened, let entry?):
            let length = min(entry.length * 2, SharedOpening.longest)
            entries[key] = Entry(until: now + length, length: length)
        case (.wantsProbe, var entry?):
            guard entry.until <= now, entry.probeUntil.map({ $0 <= now }) ?? true else { return false }
            entry.probeUntil = now + SharedOpening.probeLifetime
            entries[key] = entry
            return true
        case (.wantsProbe, nil): break
        }
        return false
    }

    mutating func advance(to now: Timestamp, setBackBy shift: Duration) {
        guard !entries.isEmpty else { return }
        for key in entries.keys {
            guard var entry = entries[key] else { continue }
            entry.until = entry.until - shift
            entry.probeUntil = entry.probeUntil.map { $0 - shift }
            entries[key] = entry.until + Self.longestAge < now ? nil : entry
        }
    }

    func openings(at now: Timestamp) -> [SharedOpening] {
        entries.sorted { $0.key < $1.key }.map { key, entry in
            SharedOpening(
                scope: BreakerScope(text: key), rest: max(.zero, entry.until - now), length: entry.length)
        }
    }
}

// MARK: Encoding

extension OpenBreakers {
    /// `nil` for a value of another form.
    init?(_ value: JSON?) {
        for item in value?.array ?? [] {
            guard let scope = item[0]?.string, let until = item[1]?.integer, let length = item[2]?.integer else {
                return nil
            }
            entries[scope] = Entry(
                until: Timestamp(milliseconds: until), length: .milliseconds(length),
                probeUntil: item[3]?.integer.map(Timestamp.init(milliseconds:)))
        }
    }

    var json: JSON {
        .array(
            entries.sorted { $0.key < $1.key }.map { key, entry in
                [
                    JSON(key), JSON(entry.until.milliseconds), JSON(entry.length.wholeMilliseconds),
                    JSON(entry.probeUntil?.milliseconds),
                ]
            })
    }
}
