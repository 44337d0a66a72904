internal import Basics
internal import DataSources
internal import Filings
internal import JSON

/// What changed in a company's risks: from one annual report to the next, and in the quarterly report since.
struct FilingRisks: Sendable {
    /// A paragraph for the model, which says how it changed.
    struct Changed: Sendable {
        var passage: FilingSearch.Passage
        var text: FilingText
        /// The item where the paragraph is not of the newest annual report.
        var item: String?
        var change: String
    }

    /// Characters of all paragraphs that a report shows, and that a prompt gets.
    private static let mostShown = 24_000
    private static let mostGiven = 6_000
    private static let quarterlyItem = "II-1A"

    private let annual: FilingText?
    private let prior: FilingText?
    private let quarterly: FilingText?
    private let yearly: RiskChanges?
    private let since: RiskChanges?

    init(annual: FilingText?, prior: FilingText?, quarterly: FilingText?) {
        (self.annual, self.prior, self.quarterly) = (annual, prior, quarterly)
        yearly = annual.flatMap { newer in prior.flatMap { RiskChanges(from: $0.filing, to: newer.filing) } }
        since = annual.flatMap { older in quarterly.flatMap { RiskChanges(from: older.filing, to: $0.filing) } }
    }

    // MARK: What a report shows

    /// From the report of the year before to the newest, as far as there is room for it.
    var changes: JSON? {
        guard let yearly, let prior, let annual else { return nil }
        var body = Self.shown(yearly, (prior, "1A"), (annual, "1A"))
        body["before"] = JSON(prior.entry.accession)
        body["after"] = JSON(annual.entry.accession)
        body["new_count"] = JSON(yearly.new.count)
        body["removed_count"] = JSON(yearly.removed.count)
        body["changed_count"] = JSON(yearly.changed.count)
        return body
    }

    /// What the quarterly report says of risks since the annual report; `nil` without such an item.
    var updates: JSON? {
        guard let quarterly, let section = quarterly.filing[Self.quarterlyItem], let annual else { return nil }
        let says = (section.paragraphs + section.pointer).map(\.text).joined(separator: " ").lowercased()
        let isUnchanged = Self.denials.contains(where: says.contains)
        guard since != nil || isUnchanged else { return nil }
        let news = updated ?? RiskChanges()
        var body = Self.shown(news, (annual, "1A"), (quarterly, Self.quarterlyItem))
        body["removed"] = nil
        body["accession_number"] = JSON(quarterly.entry.accession)
        body["filed"] = JSON(quarterly.entry.filed.description)
        body["url"] = JSON(quarterly.url)
        body["is_unchanged"] = .bool(isUnchanged && news.new.isEmpty && news.changed.isEmpty)
        return body
    }

    private static let denials = [
        "no material change", "not materially changed", "no significant change", "have not changed materially",
        "not been any material change", "not been material change", "no material updates",
    ]

    /// What is new or changed in the quarterly report, without the sentence that nothing is. That it leaves out what it does
    /// not repeat removes nothing.
    private var updated: RiskChanges? {
        guard var since else { return nil }
        since.new.removeAll { text in
            let text = text.lowercased()
            return Self.denials.contains(where: text.contains)
        }
        since.removed = []
        return since
    }

    private typealias Source = (text: FilingText, item: String)

    private static func shown(_ changes: RiskChanges, _ older: Source, _ newer: Source) -> JSON {
        var room = mostShown
        let (before, after) = (paragraphs(older), paragraphs(newer))
        func fitting(_ texts: [String]) -> Bool {
            let size = texts.reduce(0) { $0 + $1.count }
            guard size <= room else { return false }
            room -= size
            return true
        }
        func shown(_ text: String, _ known: [String: Filings.Filing.Paragraph], _ source: Source) -> JSON? {
            known[text].map { passage($0, item: source.item, in: source.text) }
        }
        return [
            "new": .array(changes.new.filter { fitting([$0]) }.compactMap { shown($0, after, newer) }),
            "removed": .array(changes.removed.filter { fitting([$0]) }.compactMap { shown($0, before, older) }),
            "changed": .array(
                changes.changed.filter { fitting([$0.before, $0.after]) }.compactMap { change -> JSON? in
                    guard let old = shown(change.before, before, older), let new = shown(change.after, after, newer)
                    else { return nil }
                    return ["before": old, "after": new]
                }),
        ]
    }

    private static func paragraphs(_ source: Source) -> [String: Filings.Filing.Paragraph] {
        let all = source.text.filing[source.item]?.paragraphs ?? []
        return Dictionary(all.map { ($0.text, $0) }) { first, _ in first }
    }

    static func passage(_ paragraph: Filings.Filing.Paragraph, item: String, in text: FilingText) -> JSON {
        [
            "id": JSON(paragraph.id), "item": JSON(item), "text": JSON(paragraph.text),
            "url": JSON(text.url(of: paragraph.text)),
        ]
    }

    // MARK: What a prompt gets

    /// The paragraphs that changed, the latest first, as far as there is room for them.
    var passages: [Changed] {
        var room = Self.mostGiven
        var found: [Changed] = []
        func add(_ texts: [String], of text: FilingText?, _ item: String, isCurrent: Bool, _ change: String) {
            guard let text else { return }
            let known = Self.paragraphs((text, item))
            for paragraph in texts.compactMap({ known[$0] }) where paragraph.text.count <= room {
                room -= paragraph.text.count
                let passage = FilingSearch.Passage(paragraph)
                found.append(Changed(passage: passage, text: text, item: isCurrent ? nil : item, change: change))
            }
        }
        let updated = updated
        let news = (updated?.new ?? []) + (updated?.changed.map(\.after) ?? [])
        add(news, of: quarterly, Self.quarterlyItem, isCurrent: false, "since the annual report")
        add(yearly?.new ?? [], of: annual, "1A", isCurrent: true, "new in the annual report")
        add(yearly?.changed.map(\.after) ?? [], of: annual, "1A", isCurrent: true, "changed from the year before")
        add(yearly?.removed ?? [], of: prior, "1A", isCurrent: false, "no more in the annual report")
        return found
    }
}
