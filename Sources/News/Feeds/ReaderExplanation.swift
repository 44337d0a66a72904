package import Basics
package import JSON

/// The explanation of a story as one reader sees it: the common one, with the part that speaks to what the reader holds.
///
/// The common explanation has such parts for the story's tickers and for groups of holdings, written for all who hold
/// the same. The reader's tickers choose among them here, so that no model is asked for a reader, and no reader's
/// holdings are in anything that others see.
package struct ReaderExplanation: Sendable {
    /// Parts about tickers that one reader sees.
    private static let mostTickers = 2
    /// Holdings that a part about a group names.
    private static let mostNames = 3

    private let common: JSON
    private let parts: [(holding: String, text: String)]
    private let holdings: [String]
    private let language: Language

    /// - Parameters:
    ///   - common: The explanation for all users, as it is stored. One that an earlier version wrote has no parts.
    ///   - holdings: The reader's tickers.
    ///   - language: The language that it is written in.
    package init(_ common: JSON, holdings: [String], _ language: Language = .english) {
        self.language = language
        self.common = common
        self.holdings = holdings
        parts = (common["for_holders"]?.array ?? []).compactMap { part in
            guard let holding = part["holding"]?.string, let text = part["text"]?.string else { return nil }
            return (holding, text)
        }
    }

    /// The explanation, with the reader's part as `for_your_holdings` and in `why_it_matters_now`.
    package var body: JSON {
        guard var body = common.object else { return common }
        body["for_holders"] = nil
        let matters = common["why_it_matters_now"]?.string ?? ""
        if let own = ownTickers {
            body["why_it_matters_now"] = JSON(own)
            body["for_your_holdings"] = JSON(own)
        } else if let own = ownGroup {
            body["why_it_matters_now"] = JSON([matters, own].filter { !$0.isEmpty }.joined(separator: "\n\n"))
            body["for_your_holdings"] = JSON(own)
        }
        return .object(body)
    }

    /// The parts about the reader's tickers.
    private var ownTickers: String? {
        let held = Set(holdings.map(Self.spelled))
        let texts = parts.filter { held.contains(Self.spelled($0.holding)) }.prefix(Self.mostTickers).map(\.text)
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    /// The part about the narrowest group that the reader holds something of, with the names of what that is.
    private var ownGroup: String? {
        let members = Dictionary(grouping: holdings.flatMap { ticker in HoldingGroup.of(ticker).map { ($0, ticker) } })
        {
            $0.0
        }
        // The groups are in the order in which the explanation speaks of them; every share is in the widest, the last.
        let known = parts.compactMap { part in HoldingGroup(rawValue: part.holding).map { (group: $0, text: part.text) }
        }
        let fitting = known.filter { members[$0.group] != nil }
        guard let best = fitting.first(where: { $0.group != .stocks }) ?? fitting.first else { return nil }
        guard best.group != .stocks, language == .english else { return best.text }
        return Self.naming(members[best.group]?.map(\.1) ?? [], as: best.group, in: best.text)
    }

    /// `Since you hold bank shares, …` as `Since you hold JPM and BAC (bank shares), …`.
    private static func naming(_ tickers: [String], as group: HoldingGroup, in text: String) -> String {
        let opening = "Since you hold "
        guard text.hasPrefix(opening + group.name()), !tickers.isEmpty, tickers.count <= mostNames else { return text }
        let last = tickers[tickers.count - 1]
        let names = tickers.count == 1 ? last : tickers.dropLast().joined(separator: ", ") + " and " + last
        return opening + "\(names) (\(group.name()))" + text.dropFirst(opening.count + group.name().count)
    }

    /// A ticker in its one spelling; the name of a group stays as it is.
    private static func spelled(_ holding: String) -> String { TickerSymbol(holding)?.text ?? holding }
}
