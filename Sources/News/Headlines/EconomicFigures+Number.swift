extension EconomicFigures {
    /// A number of a headline: a percentage, an amount of money, or neither.
    struct Number: Sendable {
        enum Form { case percent, money, plain }

        var amount: Amount
        var form: Form

        /// Reads `2.4%`, `2,4` before `Prozent`, `163,000`, `163K`, `$70.5` before `billion`; `nil` for a year, for `Q1` and
        /// for a range.
        init?(_ written: Substring, before next: String) {
            guard written.utf8.count <= 16 else { return nil }
            let text = written.drop { !$0.isNumber && !$0.isCurrencySymbol && $0 != "-" && $0 != "−" }
            let isMoney = text.contains(where: \.isCurrencySymbol)
            let start = text.drop { !$0.isNumber }
            let digits = start.prefix { Self.isDigit($0) || ".,".contains($0) }
            var suffix = start.dropFirst(digits.count).lowercased()[...].prefix { $0.isLetter || $0 == "%" }
            let rest = start.dropFirst(digits.count + suffix.count)
            guard !rest.contains(where: { $0.isNumber || $0.isLetter }),
                written.prefix(while: { !$0.isNumber }).allSatisfy({
                    !$0.isLetter || isMoney
                })
            else { return nil }
            if suffix.isEmpty, rest.isEmpty, !digits.hasSuffix(",") { suffix = next.isEmpty ? "" : next[...] }
            let isPercent = Self.percents.contains(String(suffix))
            guard let (value, decimals) = Self.value(digits, isPercent: isPercent) else { return nil }
            let scale = isPercent ? nil : Self.scales[String(suffix)]
            let isBare = start.dropFirst(digits.count).isEmpty || rest.count == start.count - digits.count
            guard isPercent || scale != nil || isBare else { return nil }
            let size = value * (scale ?? 1)
            guard size < 1e15 else { return nil }
            form = isPercent ? .percent : isMoney ? .money : .plain
            let isYear = form == .plain && scale == nil && decimals == 0 && (1_900...2_100).contains(size)
            guard !isYear || digits.contains(",") else { return nil }
            var last = (scale ?? 1) / Self.power(decimals)
            if scale != nil { last = min(last, size / 20) }
            // A whole percentage is one to a tenth, and zeros of a count are rounding up to its hundredth part.
            if isPercent {
                last = min(last, 0.1)
            } else if scale == nil, decimals == 0 {
                while last * 10 <= size / 100, (size / (last * 10)).rounded() == size / (last * 10) { last *= 10 }
            }
            amount = Amount(thousandths: Int((size * 1_000).rounded()), precision: Int((last * 1_000).rounded()))
        }

        /// What the number is of a measure, if it can be one: jobs are counted, and an index is about 50.
        func unit(of noun: Noun, isStatedAs before: String) -> Unit? {
            switch (form, noun) {
            case (.percent, .claims), (.percent, .continuingClaims), (.percent, .index), (.percent, .factoryIndex),
                (.percent, .servicesIndex):
                nil
            case (.percent, _): .percent
            case (.money, .sales), (.money, .orders), (.money, .exports), (.money, .imports), (.money, .balance): .money
            case (.money, _): nil
            case (.plain, .jobs), (.plain, .claims), (.plain, .continuingClaims), (.plain, .unemployment):
                amount.thousandths >= 100_000 ? .count : nil
            case (.plain, .index), (.plain, .factoryIndex), (.plain, .servicesIndex):
                before != "by" && (20_000...80_000).contains(amount.thousandths) ? .index : nil
            case (.plain, _): nil
            }
        }

        /// The value of digits with points and commas, and the number of its decimals.
        ///
        /// A sign before three digits groups thousands, `163,000` and `163.000`, except in a percentage.
        private static func value(_ digits: Substring, isPercent: Bool) -> (Double, decimals: Int)? {
            let parts = digits.split(separator: ".", omittingEmptySubsequences: true).flatMap {
                $0.split(separator: ",")
            }
            guard let first = parts.first else { return nil }
            let isGrouped = !isPercent && parts.count > 1 && parts.dropFirst().allSatisfy { $0.count == 3 }
            if isGrouped || parts.count == 1 { return Double(parts.joined()).map { ($0, 0) } }
            guard parts.count == 2 else { return nil }
            return Double("\(first).\(parts[1])").map { ($0, parts[1].count) }
        }

        private static func power(_ exponent: Int) -> Double { (0..<exponent).reduce(1) { power, _ in power * 10 } }

        private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

        private static let percents: Set<String> = ["%", "percent", "pct", "prozent"]

        static let scales: [String: Double] = [
            "k": 1e3, "thousand": 1e3, "mil": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "millionen": 1e6, "mio": 1e6,
            "millions": 1e6, "millones": 1e6, "b": 1e9, "bn": 1e9, "billion": 1e9, "milliarden": 1e9, "mrd": 1e9,
            "milliards": 1e9, "tn": 1e12, "trillion": 1e12,
        ]
    }
}
