/// What a model's tokens cost, by the size of the prompt and by the day.
package struct PriceList: Hashable, Sendable {
    /// One line; the first whose conditions hold is the price of the whole request.
    package struct Row: Hashable, Sendable {
        /// The last day (UTC) on which the line holds.
        package var until: CalendarDay?
        /// The longest prompt, in tokens with cache reads and writes, for which the line holds.
        package var longestPrompt: Int64?
        package var input: TokenPrice
        package var output: TokenPrice
        /// Where a cache price is unknown, such tokens cost as much as input.
        package var cacheRead: TokenPrice?
        package var cacheWrite5m: TokenPrice?
        package var cacheWrite1h: TokenPrice?

        func holds(prompt: Int64, on day: CalendarDay) -> Bool {
            until.map { day <= $0 } ?? true && longestPrompt.map { prompt <= $0 } ?? true
        }
    }

    /// Never empty; the last one has no conditions.
    let rows: [Row]

    /// Orders lines as they are to be tried; `nil` without a last line that always holds.
    package init?(_ rows: [Row]) {
        guard let last = rows.last, last.until == nil, last.longestPrompt == nil else { return nil }
        self.rows = rows
    }

    /// The exact price of a call in millionths of a micro-dollar.
    func picodollars(of usage: TokenUsage, on day: CalendarDay) -> Int128 {
        guard let row = rows.first(where: { $0.holds(prompt: usage.prompt, on: day) }) ?? rows.last else { return 0 }
        func price(_ tokens: Int64, _ price: TokenPrice?) -> Int128 {
            Int128(tokens) * Int128((price ?? row.input).picodollars)
        }
        return price(usage.input, row.input) + price(usage.output, row.output) + price(usage.cacheRead, row.cacheRead)
            + price(usage.cacheWrite5m, row.cacheWrite5m) + price(usage.cacheWrite1h, row.cacheWrite1h)
    }

    /// What a call cost.
    package func cost(of usage: TokenUsage, on day: CalendarDay) -> MicroDollars {
        MicroDollars(roundingPicodollars: picodollars(of: usage, on: day))
    }

    /// The most that a call with that many tokens can cost, whatever of its prompt is cached and whatever tier it meets.
    func highestCost(prompt: Int64, output: Int64) -> MicroDollars {
        let costs = rows.map { row in
            let inputs = [row.input, row.cacheRead, row.cacheWrite5m, row.cacheWrite1h].compactMap { $0?.picodollars }
            return Int128(prompt) * Int128(inputs.max() ?? 0) + Int128(output) * Int128(row.output.picodollars)
        }
        return MicroDollars(roundingPicodollars: costs.max() ?? 0)
    }
}
