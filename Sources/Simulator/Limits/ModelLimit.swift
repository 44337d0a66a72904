internal import Basics
internal import FoundationEssentials
internal import JSON

/// A quantity that a provider limits by the minute.
package enum LimitKind: String, Sendable, Hashable, CaseIterable {
    case requests
    /// Input tokens; for Claude without those read from a cache.
    case input
    /// Output tokens, counted as they are written. `max_tokens` is not counted.
    case output
    /// Input and output together, for providers with one limit.
    case tokens
}

/// The limits of a service's models, as token buckets that fill continuously.
package struct ModelLimit: Sendable, Hashable {
    package var service: SimulatedService
    /// A model's id, or a class of Claude's models such as `sonnet`; `nil` for each class of the service by itself.
    package var model: String?
    /// Amounts a minute; a quantity without one has no limit.
    package var perMinute: [LimitKind: Double]
    /// Requests a day, by UTC.
    package var requestsPerDay: Int?
    /// Seconds of its rate that a bucket holds: 60 lets a minute's amount in at once, and 1 enforces "60 a minute" as
    /// one a second.
    package var burst: Double
    /// The most by which the calls let in within ten seconds may exceed those of the ten seconds before, as a factor;
    /// `nil` for no such limit. Sixteen calls are always let in.
    package var acceleration: Double?

    package init(
        _ service: SimulatedService, model: String? = nil, perMinute: [LimitKind: Double], requestsPerDay: Int? = nil,
        burst: Double = 60, acceleration: Double? = nil
    ) {
        self.service = service
        self.model = model
        self.perMinute = perMinute
        self.requestsPerDay = requestsPerDay
        self.burst = burst
        self.acceleration = acceleration
    }

    /// Limits that tests and trials do not reach.
    package static let generous = [
        ModelLimit(.claude, perMinute: [.requests: 20_000, .input: 40_000_000, .output: 8_000_000]),
        ModelLimit(.gemini, perMinute: [.requests: 20_000, .input: 40_000_000]),
        ModelLimit(.openai, perMinute: [.requests: 20_000, .tokens: 48_000_000]),
    ]

    /// Reads limits separated by semicolons:
    /// `claude/sonnet: requests 1000, input 3000000, output 600000, burst 1; gemini: requests 10, per_day 250`.
    package static func list(_ text: String) throws(SettingSyntaxError) -> [ModelLimit] {
        var limits: [ModelLimit] = []
        for entry in text.split(separator: ";") where !String(entry).trimmed.isEmpty {
            let parts = entry.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
            guard parts.count == 2 else {
                throw SettingSyntaxError(
                    "'\(String(entry).trimmed)' must be a model and its limits, as claude/sonnet: requests 50")
            }
            let name = parts[0].split(separator: "/", maxSplits: 1).map { String($0) }
            var fields: JSON = ["service": JSON(name.first ?? "")]
            if name.count == 2 { fields["model"] = JSON(name[1]) }
            for (key, amount) in try SettingList.amounts(parts[1], example: "requests 50") { fields[key] = amount }
            limits.append(try ModelLimit(fields))
        }
        return limits
    }

    /// Reads `{"service": "claude", "model": "sonnet", "requests": 1000, "input": 3000000, "burst": 1}`.
    init(_ fields: JSON) throws(SettingSyntaxError) {
        guard let members = fields.object else { throw SettingSyntaxError("a limit must be an object") }
        let name = members["service"]?.string ?? ""
        guard let service = SimulatedService(rawValue: name), [.claude, .gemini, .openai].contains(service) else {
            throw SettingSyntaxError("'service' must be claude, gemini or openai, not '\(name)'")
        }
        self.init(service, perMinute: [:])
        for (key, value) in members where key != "service" {
            if key == "model" {
                model = value.string
                continue
            }
            guard let amount = value.double, amount > 0, amount <= 1e12 else {
                throw SettingSyntaxError("'\(key)' must be a number above 0")
            }
            switch key {
            case "per_day": requestsPerDay = Int(amount)
            case "burst": burst = amount
            case "acceleration": acceleration = amount
            default:
                guard let kind = LimitKind(rawValue: key) else {
                    throw SettingSyntaxError(
                        "a limit has no '\(key)'; it has requests, input, output, tokens, per_day, burst and acceleration"
                    )
                }
                perMinute[kind] = amount
            }
        }
    }

    var json: JSON {
        var fields: JSON = ["service": JSON(service.rawValue), "model": JSON(model), "burst": JSON(burst)]
        for (kind, amount) in perMinute { fields[kind.rawValue] = JSON(amount) }
        if let requestsPerDay { fields["per_day"] = JSON(requestsPerDay) }
        if let acceleration { fields["acceleration"] = JSON(acceleration) }
        return fields
    }
}
