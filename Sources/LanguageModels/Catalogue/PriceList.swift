internal import Basics
internal import JSON

/// The prices of a model's tokens, by the size of the prompt and by the day.
struct PriceList: Hashable, Sendable {
    /// One row; the first row whose conditions hold is the price of the whole request.
    struct Row: Hashable, Sendable {
        /// The last day (UTC) on which the row holds.
        var until: CalendarDate?
        /// The longest prompt, in tokens with cache reads and writes, for which the row holds.
        var longestPrompt: Int64?
        var input: TokenPrice
        var output: TokenPrice
        /// Without a cache price, such tokens cost as much as input.
        var cacheRead: TokenPrice?
        var cacheWrite5m: TokenPrice?
        var cacheWrite1h: TokenPrice?

        func holds(prompt: Int64, on day: CalendarDate) -> Bool {
            until.map { day <= $0 } ?? true && longestPrompt.map { prompt <= $0 } ?? true
        }
    }

    /// Not empty; the last one has no conditions.
    let rows: [Row]

    /// A list in the order of evaluation; `nil` unless the last row has no conditions.
    init?(_ rows: [Row]) {
        guard let last = rows.last, last.until == nil, last.longestPrompt == nil else { return nil }
        self.rows = rows
    }

    /// The prices of a request with a prompt of this many tokens.
    func row(prompt: Int64, on day: CalendarDate) -> Row? {
        rows.first { $0.holds(prompt: prompt, on: day) } ?? rows.last
    }

    /// The prices of calls by batch: half of every class of tokens.
    var halved: PriceList? {
        PriceList(
            rows.map { row in
                var row = row
                (row.input, row.output) = (row.input.half, row.output.half)
                (row.cacheRead, row.cacheWrite5m, row.cacheWrite1h) = (
                    row.cacheRead?.half, row.cacheWrite5m?.half, row.cacheWrite1h?.half
                )
                return row
            })
    }

    /// The exact price of a call in millionths of a micro-dollar.
    func picodollars(of usage: TokenUsage, on day: CalendarDate) -> Int128 {
        guard let row = row(prompt: usage.prompt, on: day) else { return 0 }
        func price(_ tokens: Int64, _ price: TokenPrice?) -> Int128 {
            Int128(tokens) * Int128((price ?? row.input).picodollars)
        }
        return price(usage.input, row.input) + price(usage.output, row.output) + price(usage.cacheRead, row.cacheRead)
            + price(usage.cacheWrite5m, row.cacheWrite5m) + price(usage.cacheWrite1h, row.cacheWrite1h)
    }

    /// The cost at the list price: nothing read from a cache or written to one.
    func listCost(of usage: TokenUsage, on day: CalendarDate) -> MicroDollars {
        cost(of: TokenUsage(input: usage.prompt, output: usage.output), on: day)
    }

    /// What the tokens written to a cache cost beyond the price of input.
    func writeCost(of usage: TokenUsage, on day: CalendarDate) -> MicroDollars {
        guard let row = row(prompt: usage.prompt, on: day) else { return .zero }
        func extra(_ tokens: Int64, _ price: TokenPrice?) -> Int128 {
            Int128(tokens) * Int128((price ?? row.input).picodollars - row.input.picodollars)
        }
        return MicroDollars(
            roundingPicodollars: extra(usage.cacheWrite5m, row.cacheWrite5m)
                + extra(usage.cacheWrite1h, row.cacheWrite1h))
    }

    /// The cost of a call.
    func cost(of usage: TokenUsage, on day: CalendarDate) -> MicroDollars {
        MicroDollars(roundingPicodollars: picodollars(of: usage, on: day))
    }
}

/// The exact price of one token in whole millionths of a micro-dollar. A dollar per million tokens is a micro-dollar
/// per token.
struct TokenPrice: Hashable, Sendable {
    let picodollars: Int64

    /// The price per token for a price in US dollars per million tokens; `nil` below zero, from a million on, or with
    /// more than six decimals.
    init?(dollarsPerMillion literal: String) {
        let parts = literal.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : ""
        guard (1...6).contains(parts[0].utf8.count), fraction.utf8.count <= 6,
            (parts[0].utf8 + Array(fraction.utf8)).allSatisfy({ (0x30...0x39).contains($0) }),
            let amount = Int64("\(parts[0])\(fraction)" + String(repeating: "0", count: 6 - fraction.utf8.count))
        else { return nil }
        picodollars = amount
    }

    private init(picodollars: Int64) { self.picodollars = picodollars }

    /// Half of the price; half a picodollar is rounded up.
    var half: TokenPrice { TokenPrice(picodollars: (picodollars + 1) / 2) }

    init?(_ value: JSON?) {
        guard let number = value?.number else { return nil }
        self.init(dollarsPerMillion: number.canonical)
    }
}
