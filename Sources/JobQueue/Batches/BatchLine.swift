internal import Basics

/// Identifies a model call of a job that goes by batch: the same in every run of the job.
package struct BatchLineKey: Hashable, Sendable {
    package var job: JobID
    /// The name of the journalled step with its occurrence.
    package var step: String
    package var inputHash: String

    package init(job: JobID, step: String, occurrence: Int, inputHash: String) {
        self.init(job: job, step: "\(step)/\(occurrence)", inputHash: inputHash)
    }

    package init(job: JobID, step: String, inputHash: String) {
        self.job = job
        self.step = step
        self.inputHash = inputHash
    }

    /// The id of the line in the store.
    package var id: String { String(SHA256.hex("\(job)\n\(step)\n\(inputHash)").prefix(40)) }

    /// The id of the booking of a line that began with a try. Later tries share it: at most one of them is billed.
    package func callID(try number: Int) -> String { "\(job)/batch/\(customID(try: number))" }

    /// The id by which the provider tells the line's result; another one for each try.
    package func customID(try number: Int) -> String {
        "d-" + SHA256.hex("\(job)\n\(step)\n\(inputHash)\n\(number)").prefix(40)
    }
}

/// The times of a job that may wait for a batch.
package enum BatchTimes {
    /// The shortest and the longest time within which a caller may ask for a result.
    package static let within: ClosedRange<Duration> = .seconds(3600) ... .seconds(86_400)

    /// The time at which a line without an answer is asked at the full price: before the deadline by a quarter of the
    /// job's time, and by half an hour at least.
    package static func lastChance(deadline: Timestamp, within: Duration) -> Timestamp {
        deadline - max(.seconds(1800), within / 4)
    }

    /// The expected time from a line's first wait to its answer: the 0.9 quantile of recent batches.
    package static func estimate(recent: [Duration]) -> Duration {
        guard !recent.isEmpty else { return .seconds(3600) }
        return recent.sorted()[min(recent.count - 1, recent.count * 9 / 10)]
    }
}

/// A model call that a job wants to make by batch.
package struct BatchQuestion: Sendable {
    package var key: BatchLineKey
    package var provider: String
    /// The id of the model in the catalogue.
    package var model: String
    /// The request as JSON.
    package var request: String
    /// The expected use, at the price of a batch. The store gives it the id of the line's booking.
    package var estimate: ModelCall
    package var within: Duration
    package var lastChance: Timestamp

    package init(
        key: BatchLineKey, provider: String, model: String, request: String, estimate: ModelCall, within: Duration,
        lastChance: Timestamp
    ) {
        self.key = key
        self.provider = provider
        self.model = model
        self.request = request
        self.estimate = estimate
        self.within = within
        self.lastChance = lastChance
    }

    /// Whether the job has so little time that its batch is sealed soon.
    package var isHurried: Bool { within < .seconds(4 * 3600) }
}

/// The reply to a job that asks by batch.
package enum BatchReply: Hashable, Sendable {
    /// The line waits, and with it the job: the lease of the run is void, and the job is claimable when the line has an
    /// outcome, or at its last chance.
    case waiting(until: Timestamp)
    /// The provider's answer to the line, as it came. It is booked.
    case answered(String)
    /// The call is to be made at the full price: the last chance has come, or no batch takes the line.
    case fullPrice
    /// The estimate would exceed a limit of the day's spend.
    case refused(SpendLimit, Spend)
}

/// A line that gathers or is in a batch.
package struct BatchLine: Hashable, Sendable {
    package var key: BatchLineKey
    package var customID: String
    /// The id of its booking among the model calls.
    package var callID: String
    /// The request as JSON.
    package var request: String
    package var addedAt: Timestamp
    /// The number of the try, from 1.
    package var number: Int
    /// Whether it has a batch of its own, after a batch of several lines was refused.
    package var isAlone: Bool

    package init(
        key: BatchLineKey, customID: String, callID: String, request: String, addedAt: Timestamp, number: Int,
        isAlone: Bool
    ) {
        self.key = key
        self.customID = customID
        self.callID = callID
        self.request = request
        self.addedAt = addedAt
        self.number = number
        self.isAlone = isAlone
    }

    /// After so many tries a line is asked at the full price.
    package static let highestTries = 5
}

/// The outcome of a line in a batch that has ended.
package struct BatchLineOutcome: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The provider's answer as it came, and the use of it as it is booked.
        case answered(String, ModelCall)
        /// The line gathers again under the id of its next try; alone when others may be at fault.
        case again(customID: String, isAlone: Bool)
        /// No batch takes the line, and its job makes the call at the full price.
        case failed
    }

    package var customID: String
    package var kind: Kind

    package init(_ customID: String, _ kind: Kind) {
        self.customID = customID
        self.kind = kind
    }
}

/// The lines for one model that are in no batch yet.
package struct Gathering: Hashable, Sendable {
    package var provider: String
    package var model: String
    package var lines: Int
    package var bytes: Int
    package var firstAt: Timestamp
    package var lastAt: Timestamp
    /// Whether the job of a line has little time.
    package var isHurried: Bool
    /// Whether a line gets a batch of its own.
    package var hasAlone: Bool

    package init(
        provider: String, model: String, lines: Int, bytes: Int, firstAt: Timestamp, lastAt: Timestamp,
        isHurried: Bool = false, hasAlone: Bool = false
    ) {
        self.provider = provider
        self.model = model
        self.lines = lines
        self.bytes = bytes
        self.firstAt = firstAt
        self.lastAt = lastAt
        self.isHurried = isHurried
        self.hasAlone = hasAlone
    }

    /// The time at which the lines become a batch.
    package func sealsAt(by bounds: BatchBounds = BatchBounds()) -> Timestamp {
        if hasAlone || lines >= bounds.lines || bytes >= bounds.bytes { return firstAt }
        let latest = firstAt + bounds.gather
        return isHurried ? min(latest, lastAt + bounds.gatherHurried) : latest
    }
}
