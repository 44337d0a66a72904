/// An item of an annual (10-K) or quarterly (10-Q) report.
package struct FilingItem: Sendable, Hashable {
    /// The number, as in `1A`; in a quarterly report with its part, as in `II-1A`.
    package let number: String
    /// Its place in the order of the form.
    let place: Int
    /// The number without the part.
    let bare: String
    /// Beginnings of the titles that the item has had over the years, in small letters without apostrophes.
    let titles: [String]
    /// The items that can follow at once; empty where any can.
    let nextItems: [String]
}

extension FilingItem {
    static let annual: [FilingItem] = list([
        (
            "1",
            [
                "business", "description of business", "description of the business", "our business", "the business",
                "the company", "our company", "general", "about ",
            ], ["1A", "1B", "1C", "2"]
        ),
        (
            "1A",
            [
                "risk factors", "certain risk", "the risk factors", "risks", "summary of risk", "principal risk",
                "our risk",
            ], ["1B", "1C", "2"]
        ), ("1B", ["unresolved staff"], ["1C", "2", "3"]),
        ("1C", ["cybersecurity", "cyber security"], ["2", "3"]),
        ("2", ["propert", "description of propert", "facilities", "our facilities", "real estate"], ["3"]),
        ("3", ["legal proceedings", "litigation", "legal matters"], ["4", "5"]),
        (
            "4",
            ["mine safety", "submission of matters", "reserved", "[reserved", "(removed", "[removed", "(reserved"], []
        ),
        ("5", ["market for"], ["6", "7"]),
        ("6", ["selected", "reserved", "[reserved", "(reserved", "[removed", "(removed"], ["7"]),
        (
            "7",
            [
                "managements discussion", "management discussion", "managements narrative", "md&a", "financial review",
                "discussion and analysis",
            ], ["7A", "8"]
        ),
        (
            "7A",
            [
                "quantitative and qualitative", "qualitative and quantitative", "quantitative disclosures",
                "disclosures about market risk", "market risk", "financial risk",
            ], ["8"]
        ),
        ("8", ["financial statements", "consolidated financial statements"], ["9", "9A"]),
        ("9", ["changes in and disagreements", "changes in accountants", "disagreements"], []),
        ("9A", ["controls and procedures"], []), ("9B", ["other information"], []),
        ("9C", ["disclosure regarding foreign"], []),
        ("10", ["directors", "executive officers"], []), ("11", ["executive compensation"], []),
        ("12", ["security ownership"], []), ("13", ["certain relationships"], []),
        ("14", ["principal account", "controls and procedures", "exhibits"], []),
        ("15", ["exhibit", "principal account"], []), ("16", ["form 10-k summary", "exhibits"], []),
    ])

    static let quarterly: [FilingItem] = list([
        ("I-1", ["financial statements", "condensed", "consolidated", "unaudited"], ["I-2"]),
        ("I-2", ["managements discussion", "management discussion"], ["I-3", "I-4"]),
        ("I-3", ["quantitative and qualitative", "qualitative and quantitative"], ["I-4", "II-1", "II-1A"]),
        ("I-4", ["controls and procedures"], []),
        ("II-1", ["legal proceedings"], []), ("II-1A", ["risk factors"], ["II-2", "II-3", "II-4", "II-5", "II-6"]),
        ("II-2", ["unregistered", "changes in securities", "issuer purchases", "purchases of equity"], []),
        ("II-3", ["defaults upon"], []),
        ("II-4", ["mine safety", "submission of matters", "reserved", "[reserved", "(removed", "[removed"], []),
        ("II-5", ["other information"], []), ("II-6", ["exhibits"], []),
    ])

    private static func list(_ items: [(String, [String], [String])]) -> [FilingItem] {
        items.enumerated().map { place, item in
            FilingItem(
                number: item.0, place: place, bare: item.0.split(separator: "-").last.map(String.init) ?? item.0,
                titles: item.1, nextItems: item.2)
        }
    }

    func isTitled(_ title: Substring) -> Bool { titles.contains { title.hasPrefix($0) } }
}
