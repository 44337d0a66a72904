internal import JSON
internal import Synchronization

/// The tokens of one call by the classes in which providers bill them.
package struct BilledTokens: Sendable, Hashable {
    /// Input without the tokens that a cache read or wrote.
    package var input = 0
    package var cacheRead = 0
    package var cacheWrite5m = 0
    package var cacheWrite1h = 0
    /// Thinking included.
    package var output = 0

    package var allInput: Int { input + cacheRead + cacheWrite5m + cacheWrite1h }

    mutating func add(_ other: Self) {
        input += other.input
        cacheRead += other.cacheRead
        cacheWrite5m += other.cacheWrite5m
        cacheWrite1h += other.cacheWrite1h
        output += other.output
    }

    var json: JSON {
        [
            "input": JSON(input), "cache_read": JSON(cacheRead), "cache_write_5m": JSON(cacheWrite5m),
            "cache_write_1h": JSON(cacheWrite1h), "output": JSON(output),
        ]
    }
}

/// One call, or one line of a batch, as the provider bills it.
package struct BillLine: Sendable, Hashable {
    package enum State: String, Sendable, Hashable {
        /// Still being answered; billed as far as it came.
        case underWay = "under_way"
        case whole
        /// The client left or the connection broke off: the prompt, and the output written until then.
        case brokenOff = "broken_off"
    }

    /// The number of the request in the record of requests; for a line of a batch, that of the batch's creation.
    package var sequence: Int
    package var service: SimulatedService
    package var model: String
    /// The user whom the request names; `nil` where it names none.
    package var user: String?
    /// The batch and the line's own id in it; `nil` for a call.
    package var batch: String?
    package var line: String?
    package var state: State
    package var tokens: BilledTokens

    /// Lines of batches cost half.
    package var isHalfPrice: Bool { batch != nil }

    var json: JSON {
        var fields = tokens.json
        fields["sequence"] = JSON(sequence)
        fields["service"] = JSON(service.rawValue)
        fields["model"] = JSON(model)
        fields["user"] = JSON(user)
        fields["batch"] = JSON(batch)
        fields["line"] = JSON(line)
        fields["state"] = JSON(state.rawValue)
        fields["price_share"] = isHalfPrice ? 0.5 : 1
        return fields
    }
}

/// Prices of a model in micro-dollars a token, which are dollars a million tokens.
package struct BillPrice: Sendable, Hashable {
    package var input = 0.0
    package var output = 0.0
    package var cacheRead = 0.0
    package var cacheWrite5m = 0.0
    package var cacheWrite1h = 0.0

    package init(input: Double, output: Double, cacheRead: Double, cacheWrite5m: Double, cacheWrite1h: Double) {
        self.input = input
        self.output = output
        self.cacheRead = cacheRead
        self.cacheWrite5m = cacheWrite5m
        self.cacheWrite1h = cacheWrite1h
    }

    /// Reads `{"input": 2, "output": 10, "cache_read": 0.1, "cache_write_5m": 2.5, "cache_write_1h": 4}`. A price that
    /// is not named is the input's.
    init(_ fields: JSON) throws(SettingSyntaxError) {
        for (name, value) in fields.object ?? [:] {
            guard ["input", "output", "cache_read", "cache_write_5m", "cache_write_1h"].contains(name) else {
                throw SettingSyntaxError("a price list has no '\(name)'")
            }
            guard let price = value.double, price >= 0 else {
                throw SettingSyntaxError("'\(name)' must be a number from 0")
            }
        }
        guard let input = fields["input"]?.double, let output = fields["output"]?.double else {
            throw SettingSyntaxError("a price needs 'input' and 'output'")
        }
        self.init(
            input: input, output: output, cacheRead: fields["cache_read"]?.double ?? input,
            cacheWrite5m: fields["cache_write_5m"]?.double ?? input,
            cacheWrite1h: fields["cache_write_1h"]?.double ?? input)
    }

    /// The cost of a line, rounded up to a whole micro-dollar.
    package func microDollars(_ line: BillLine) -> Int {
        let tokens = line.tokens
        let whole =
            Double(tokens.input) * input + Double(tokens.output) * output + Double(tokens.cacheRead) * cacheRead
            + Double(tokens.cacheWrite5m) * cacheWrite5m + Double(tokens.cacheWrite1h) * cacheWrite1h
        // Sums of doubles may exceed a whole number by a tiny part.
        return Int((whole * (line.isHalfPrice ? 0.5 : 1) - 1e-6).rounded(.up))
    }
}

/// What the providers bill: one line for each call and each line of a batch.
final class Bill: Sendable {
    private struct State {
        var lines: [BillLine] = []
        var places: [Int: Int] = [:]
    }

    private let state = Mutex(State())

    var lines: [BillLine] { state.withLock(\.lines) }

    /// Bills a line of a batch.
    func add(_ line: BillLine) { state.withLock { $0.lines.append(line) } }

    /// Bills a call, which may change until it ends.
    func open(_ line: BillLine) {
        state.withLock { state in
            state.places[line.sequence] = state.lines.count
            state.lines.append(line)
        }
    }

    func change(_ sequence: Int, _ change: (inout BillLine) -> Void) {
        state.withLock { state in
            if let place = state.places[sequence] { change(&state.lines[place]) }
        }
    }

    func clear() { state.withLock { $0 = State() } }

    /// Sums by service, model, user, and lane, in tokens and, where a model's id has a price, in micro-dollars.
    static func json(_ lines: [BillLine], prices: [String: BillPrice], listing: Bool) -> JSON {
        var sums: [[String]: (calls: Int, brokenOff: Int, tokens: BilledTokens, cost: Int)] = [:]
        var total = 0
        var unpriced: Set<String> = []
        for line in lines {
            let key = [line.service.rawValue, line.model, line.user ?? "", line.batch == nil ? "call" : "batch"]
            var sum = sums[key] ?? (0, 0, BilledTokens(), 0)
            sum.calls += 1
            if line.state == .brokenOff { sum.brokenOff += 1 }
            sum.tokens.add(line.tokens)
            if let price = prices[line.model] {
                sum.cost += price.microDollars(line)
                total += price.microDollars(line)
            } else {
                unpriced.insert(line.model)
            }
            sums[key] = sum
        }
        var body: JSON = [
            "lines": JSON(lines.count),
            "sums": .array(
                sums.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, sum in
                    var fields = sum.tokens.json
                    fields["service"] = JSON(key[0])
                    fields["model"] = JSON(key[1])
                    fields["user"] = key[2].isEmpty ? nil : JSON(key[2])
                    fields["lane"] = JSON(key[3])
                    fields["calls"] = JSON(sum.calls)
                    fields["broken_off"] = JSON(sum.brokenOff)
                    if prices[key[1]] != nil { fields["micro_dollars"] = JSON(sum.cost) }
                    return fields
                }),
        ]
        if !prices.isEmpty {
            body["micro_dollars"] = JSON(total)
            body["models_without_price"] = JSON(unpriced.sorted())
        }
        if listing { body["bill"] = .array(lines.map(\.json)) }
        return body
    }
}
