internal import Basics

/// The revenue of a company's segments by year, from the inline XBRL of an annual report. A year whose segments do not add
/// up to the company's revenue is left out: no figure is better than a wrong one.
package struct SegmentTable: Sendable, Equatable {
    package struct Part: Sendable, Equatable {
        /// In words, from the name of the member: `Americas`.
        package let name: String
        package let revenue: Double
        /// Only where those of all segments add up, too.
        package let operatingIncome: Double?
        /// Whether it is no segment but what lies between the segments and the company: corporate, eliminations.
        package let isReconciliation: Bool

        package init(name: String, revenue: Double, operatingIncome: Double?, isReconciliation: Bool) {
            (self.name, self.revenue) = (name, revenue)
            (self.operatingIncome, self.isReconciliation) = (operatingIncome, isReconciliation)
        }
    }

    package struct Year: Sendable, Equatable {
        /// `YYYY-MM-DD`.
        package let start: String
        package let end: String
        package let revenue: Double
        /// The largest first, what reconciles last.
        package let parts: [Part]

        package init(start: String, end: String, revenue: Double, parts: [Part]) {
            (self.start, self.end, self.revenue, self.parts) = (start, end, revenue, parts)
        }
    }

    package let currency: String
    /// The newest first.
    package let years: [Year]

    package init(currency: String, years: [Year]) { (self.currency, self.years) = (currency, years) }

    private static let revenues = [
        "us-gaap:Revenues", "us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax",
        "us-gaap:RevenueFromContractWithCustomerIncludingAssessedTax", "us-gaap:SalesRevenueNet",
        "us-gaap:RevenuesNetOfInterestExpense",
    ]
    private static let income = "us-gaap:OperatingIncomeLoss"
    private static let segments = "us-gaap:StatementBusinessSegmentsAxis"
    private static let consolidation = "srt:ConsolidationItemsAxis"
    private static let operating = "us-gaap:OperatingSegmentsMember"
    private static let mostYears = 3
    private static let daysOfYear = 340...380

    /// Reads a document; `nil` where it has no segments that add up.
    package init?(_ document: [UInt8]) {
        guard Self.mentionsSegments(document) else { return nil }
        let facts = InlineFacts(document, concepts: Set(Self.revenues + [Self.income]))
        let totals = facts.amounts.filter { $0.key.context.members.isEmpty && Self.revenues.contains($0.key.concept) }
        guard let newest = totals.keys.filter({ Self.isYear($0.context) }).max(by: { $0.context.end < $1.context.end })
        else { return nil }
        let periods = Set(
            totals.keys.filter { Self.isYear($0.context) && $0.currency == newest.currency }.map(\.context))
        let years = periods.sorted { $0.end > $1.end }.prefix(Self.mostYears).compactMap { period in
            Self.year(period, newest.currency, facts)
        }
        // Without the newest year, older ones would be taken for it.
        guard years.first?.end == newest.context.end else { return nil }
        self.init(currency: newest.currency, years: years)
    }

    private static func mentionsSegments(_ document: [UInt8]) -> Bool {
        let axis = Array("StatementBusinessSegmentsAxis".utf8)
        return document.withUnsafeBytes { bytes in
            var place = 0
            while place + axis.count <= bytes.count {
                if bytes[place] == axis[0], bytes[place..<place + axis.count].elementsEqual(axis) { return true }
                place += 1
            }
            return false
        }
    }

    private static func isYear(_ context: InlineFacts.Context) -> Bool {
        guard let start = CalendarDate(context.start), let end = CalendarDate(context.end) else { return false }
        return daysOfYear.contains(end.dayNumber - start.dayNumber)
    }

    /// The segments of a period: those whose revenue alone is the company's, else those with one line between the two.
    private static func year(_ period: InlineFacts.Context, _ currency: String, _ facts: InlineFacts) -> Year? {
        func total(_ concept: String) -> InlineFacts.Amount? {
            facts.amounts[InlineFacts.Name(concept: concept, context: period, currency: currency)]
        }
        // Of several totals, as that of contracts alone, the company's revenue is the largest.
        guard let revenue = revenues.compactMap({ total($0) }).max(by: { $0.value < $1.value }) else { return nil }
        let asked = revenues.filter { concept in
            total(concept).map { abs($0.value - revenue.value) <= max($0.precision, revenue.precision) } ?? false
        }
        for isReconciled in [false, true] {
            // With a line between, segments are meant as the company counts them, sales among them included.
            let forms = isReconciled ? [[consolidation: operating], [:]] : [[:], [consolidation: operating]]
            for concept in asked {
                for extra in forms {
                    let view = View(facts: facts, period: period, currency: currency, concept: concept, extra: extra)
                    guard let (members, rest) = view.members(addingUpTo: revenue, withRest: isReconciled) else {
                        continue
                    }
                    return Year(
                        start: period.start, end: period.end, revenue: revenue.value,
                        parts: parts(members, rest, incomes(of: Set(members.keys), view, facts)))
                }
            }
        }
        return nil
    }

    /// The operating income of each segment, where it is there for all of them and adds up.
    private static func incomes(
        of members: Set<String>, _ revenue: View, _ facts: InlineFacts
    ) -> [String: InlineFacts.Amount] {
        var view = revenue
        view.concept = income
        let amounts = view.amounts.filter { members.contains($0.key) }
        guard Set(amounts.keys) == members else { return [:] }
        let sum = amounts.values.reduce(0) { $0 + $1.value }
        let slack = View.slack(amounts.values.map(\.precision))
        return view.totals.contains { abs($0 - sum) <= slack } ? amounts : [:]
    }

    private static func parts(
        _ members: [String: InlineFacts.Amount], _ rest: (member: String, amount: InlineFacts.Amount)?,
        _ incomes: [String: InlineFacts.Amount]
    ) -> [Part] {
        let reconciling = members.keys.filter { $0.contains("Corporate") && $0.hasPrefix("us-gaap:") }
        var parts = members.map { member, amount in
            Part(
                name: name(of: member), revenue: amount.value, operatingIncome: incomes[member]?.value,
                isReconciliation: reconciling.contains(member))
        }
        if let rest {
            parts.append(
                Part(
                    name: name(of: rest.member), revenue: rest.amount.value, operatingIncome: nil,
                    isReconciliation: true))
        }
        return parts.sorted {
            ($0.isReconciliation ? 1 : 0, -$0.revenue, $0.name) < ($1.isReconciliation ? 1 : 0, -$1.revenue, $1.name)
        }
    }

    /// `aapl:RestOfAsiaPacificSegmentMember` in words: `Rest of Asia Pacific`.
    static func name(of member: String) -> String {
        var text = String(member.split(separator: ":").last ?? "")
        for ending in ["Member", "Segment", "Segments"]
        where text.hasSuffix(ending) && text.count > ending.count && !text.hasSuffix("Non" + ending) {
            text.removeLast(ending.count)
        }
        var words: [String] = []
        let letters = Array(text)
        for (place, letter) in letters.enumerated() {
            let beginsWord =
                letter.isUppercase
                && (place == 0 || !letters[place - 1].isUppercase
                    || (place + 1 < letters.count && letters[place + 1].isLowercase))
            if beginsWord || words.isEmpty { words.append("") }
            words[words.count - 1].append(letter)
        }
        let small: Set = ["Of", "And", "The", "For", "In", "To"]
        return words.enumerated().map {
            $0.offset > 0 && small.contains($0.element) ? $0.element.lowercased() : $0.element
        }
        .joined(separator: " ")
    }

    /// The facts of a concept in a period by segment, in one of the two forms that reports have.
    private struct View {
        let facts: InlineFacts
        let period: InlineFacts.Context
        let currency: String
        var concept: String
        /// Members that a segment's facts have beside the segment.
        let extra: [String: String]

        private func amount(_ members: [String: String]) -> InlineFacts.Amount? {
            var context = period
            context.members = members
            let name = InlineFacts.Name(concept: concept, context: context, currency: currency)
            return facts.disputed.contains(name) ? nil : facts.amounts[name]
        }

        /// By segment.
        var amounts: [String: InlineFacts.Amount] {
            var found: [String: InlineFacts.Amount] = [:]
            for name in facts.amounts.keys where name.concept == concept && name.currency == currency {
                guard name.context.start == period.start, name.context.end == period.end,
                    let member = name.context.members[SegmentTable.segments]
                else { continue }
                var rest = name.context.members
                rest[SegmentTable.segments] = nil
                if rest == extra { found[member] = amount(name.context.members) }
            }
            return found
        }

        /// What segments can add up to: the company's figure, that of all segments, and the company's without one line
        /// between the two.
        var totals: [Double] {
            let whole = [amount([:]), amount([SegmentTable.consolidation: SegmentTable.operating])]
            let company = amount([:])?.value
            return whole.compactMap { $0?.value }
                + reconciling.compactMap { _, line in company.map { $0 - line.value } }
        }

        /// The lines between the segments and the company.
        private var reconciling: [(member: String, amount: InlineFacts.Amount)] {
            facts.amounts.keys.compactMap { name in
                guard name.concept == concept, name.currency == currency, name.context.start == period.start,
                    name.context.end == period.end, name.context.members.count == 1,
                    let member = name.context.members[SegmentTable.consolidation], member != SegmentTable.operating,
                    let amount = amount(name.context.members)
                else { return nil }
                return (member, amount)
            }
            .sorted { $0.member < $1.member }
        }

        /// The segments whose sum is the total, or its rest is one line; `nil` where they do not add up.
        func members(
            addingUpTo total: InlineFacts.Amount, withRest: Bool
        ) -> (members: [String: InlineFacts.Amount], rest: (member: String, amount: InlineFacts.Amount)?)? {
            let amounts = amounts
            guard amounts.count >= 2 else { return nil }
            let sum = amounts.values.reduce(0) { $0 + $1.value }
            let slack = Self.slack(amounts.values.map(\.precision) + [total.precision])
            if !withRest { return abs(sum - total.value) <= slack ? (amounts, nil) : nil }
            let rests = reconciling.filter {
                abs(sum + $0.amount.value - total.value) <= slack + $0.amount.precision / 2
            }
            return rests.first.map { (amounts, $0) }
        }

        /// What rounding alone can make of a sum.
        static func slack(_ precisions: [Double]) -> Double { precisions.reduce(0) { $0 + $1 / 2 } + 1e-6 }
    }
}
