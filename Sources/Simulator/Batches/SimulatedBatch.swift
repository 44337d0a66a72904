internal import FoundationEssentials
internal import JSON

/// A batch at any provider: calls that are answered later, at half the price.
struct SimulatedBatch: Sendable {
    /// One call of a batch.
    struct Line: Sendable {
        /// The client's own id; empty where the provider has none.
        var id: String
        /// What the client gave with the line, to get it back.
        var metadata: JSON = .null
        /// The call, or the answer that refuses it.
        var call: Result<SimulatedCall, Refusal>
    }

    enum Outcome: Sendable {
        /// The body of a message of its own.
        case succeeded(JSON)
        /// The provider's error.
        case errored(status: Int, JSON)
        case canceled
        case expired
    }

    /// How many lines ended in which way.
    struct Counts: Sendable, Equatable {
        var processing = 0
        var succeeded = 0
        var errored = 0
        var canceled = 0
        var expired = 0
    }

    let id: String
    let service: SimulatedService
    /// The number of the request that made it.
    let sequence: Int
    /// What the client said about it: a display name, metadata, the name of a file.
    let details: JSON
    let lines: [Line]
    /// The order in which lines are answered: the providers promise none.
    let order: [Int]
    /// Milliseconds since 1970, as all times here.
    let createdAt: Int64
    let duration: Int64
    var random: SeededRandom
    var cancelledAt: Int64?
    var endedAt: Int64?
    /// In the order of `order`, as far as they have ended.
    var outcomes: [Outcome] = []

    var expiresAt: Int64 { createdAt + BatchSettings.longest }

    /// The time at which the line at a place in the order is answered.
    func answerTime(of place: Int) -> Int64 { createdAt + duration * Int64(place + 1) / Int64(max(1, lines.count)) }

    var counts: Counts {
        var counts = Counts(processing: lines.count - outcomes.count)
        for outcome in outcomes {
            switch outcome {
            case .succeeded: counts.succeeded += 1
            case .errored: counts.errored += 1
            case .canceled: counts.canceled += 1
            case .expired: counts.expired += 1
            }
        }
        return counts
    }

    /// Lines with their outcomes, in the order in which they ended.
    var results: [(line: Line, outcome: Outcome)] {
        zip(order, outcomes).map { (lines[$0], $1) }
    }

    static func time(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds / 1_000)).formatted(.iso8601)
    }

    /// As `GET /simulator/batches` lists it.
    var json: JSON {
        let counts = counts
        return [
            "id": JSON(id), "service": JSON(service.rawValue), "lines": JSON(lines.count), "details": details,
            "created_at": JSON(createdAt), "ended_at": JSON(endedAt), "cancelled_at": JSON(cancelledAt),
            "processing": JSON(counts.processing), "succeeded": JSON(counts.succeeded),
            "errored": JSON(counts.errored), "canceled": JSON(counts.canceled), "expired": JSON(counts.expired),
        ]
    }
}
