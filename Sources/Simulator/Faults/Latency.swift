internal import Glibc
internal import JSON
internal import Synchronization

/// A distribution of the time to the first byte and of the speed of answers, with a heavy tail.
///
/// Both are lognormal around their medians. A share of the answers, the tail, waits longer by a factor of Pareto's
/// distribution, which is at least 3 and has no mean to speak of; waits end at ten minutes.
package struct Latency: Sendable, Hashable {
    /// The median of seconds before the first byte.
    package var firstByte: Double
    /// The standard deviation of the logarithm, of both.
    package var spread: Double
    /// The share of answers in the tail.
    package var tail: Double
    /// The median of tokens a second; `nil` for as fast as possible.
    package var tokensPerSecond: Double?
    package var seed: UInt64

    private static let longestWait = 600.0
    private static let leastTailFactor = 3.0
    private static let tailExponent = 1.2

    package init(
        firstByte: Double, spread: Double = 0.4, tail: Double = 0, tokensPerSecond: Double? = nil, seed: UInt64 = 1
    ) {
        self.firstByte = firstByte
        self.spread = spread
        self.tail = tail
        self.tokensPerSecond = tokensPerSecond
        self.seed = seed
    }

    /// Reads `first_byte 0.8, spread 0.4, tail 0.02, speed 80, seed 7`.
    package init(parsing text: String) throws(SettingSyntaxError) {
        try self.init(.object(SettingList.amounts(text, example: "first_byte 0.8")))
    }

    init(_ fields: JSON) throws(SettingSyntaxError) {
        guard let members = fields.object else { throw SettingSyntaxError("a latency must be an object") }
        self.init(firstByte: 0)
        for (name, value) in members {
            guard let amount = value.double, amount >= 0, amount <= 1e9 else {
                throw SettingSyntaxError("'\(name)' must be a number from 0")
            }
            switch name {
            case "first_byte": firstByte = amount
            case "spread": spread = amount
            case "tail" where amount <= 1: tail = amount
            case "tail": throw SettingSyntaxError("'tail' must be from 0 to 1")
            case "speed": tokensPerSecond = amount > 0 ? amount : nil
            case "seed": seed = UInt64(amount)
            default:
                throw SettingSyntaxError(
                    "a latency has no '\(name)'; it has first_byte, spread, tail, speed and seed")
            }
        }
    }

    var json: JSON {
        [
            "first_byte": JSON(firstByte), "spread": JSON(spread), "tail": JSON(tail), "speed": JSON(tokensPerSecond),
            "seed": JSON(Int64(bitPattern: seed)),
        ]
    }

    /// The pacing of one answer.
    func draw(from random: inout SeededRandom, deltaLength: Int) -> Pacing {
        var wait = firstByte * exp(spread * Self.normal(&random))
        if random.fraction() < tail {
            wait *= Self.leastTailFactor * pow(1 - random.fraction(), -1 / Self.tailExponent)
        }
        let speed = tokensPerSecond.map { $0 * exp(spread * Self.normal(&random)) }
        return Pacing(
            firstByte: .milliseconds(Int64(min(wait, Self.longestWait) * 1_000)), tokensPerSecond: speed,
            deltaLength: deltaLength)
    }

    private static func normal(_ random: inout SeededRandom) -> Double {
        let radius = (-2 * log(1 - random.fraction())).squareRoot()
        return radius * cos(2 * Double.pi * random.fraction())
    }
}

/// The pacing of each answer, one after the other.
final class PacingSource: Sendable {
    private struct State {
        var latency: Latency?
        var random: SeededRandom
    }

    private let pacing: Pacing
    private let state: Mutex<State>

    init(_ pacing: Pacing, latency: Latency?) {
        self.pacing = pacing
        state = Mutex(State(latency: latency, random: SeededRandom(seed: latency?.seed ?? 1)))
    }

    var latency: Latency? {
        get { state.withLock(\.latency) }
        set { state.withLock { $0 = State(latency: newValue, random: SeededRandom(seed: newValue?.seed ?? 1)) } }
    }

    /// The pacing of the next answer; answers that no model generates have no distribution.
    func next(isModel: Bool) -> Pacing {
        state.withLock { state in
            guard isModel, let latency = state.latency else { return pacing }
            return latency.draw(from: &state.random, deltaLength: pacing.deltaLength)
        }
    }
}
