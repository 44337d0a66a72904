internal import JSON
internal import JobQueue
internal import Prompts

/// The sections of a report as its owner's later questions may rest on them.
struct ReportPassages: Sendable {
    let report: JSON
    let job: ClaimedJob

    /// A passage for each section that says something.
    var records: [RecordChange] {
        let name = report["company"]?["name"]?.string ?? ""
        let ticker = report["company"]?["ticker"]?.string ?? ""
        let persona = report["persona"]?["name"]?.string ?? ""
        return sections.enumerated().map { place, section in
            let title = "Report on \(name) (\(ticker)) in the voice of \(persona): \(section.heading)"
            return .passage(
                Passage(
                    kind: .report, source: job.lease.job.description, part: Int64(place), owner: job.user.rawValue,
                    title: title, text: section.text,
                    terms: ContentWords("\(name) \(ticker) \(section.heading)\n\(section.text)").terms,
                    writtenAt: job.createdAt.milliseconds))
        }
    }

    private var sections: [(heading: String, text: String)] {
        let all = [
            ("Summary", text("summary")), ("Thesis", text("thesis")), ("Strengths", list("strengths")),
            ("Risks", list("risks")), ("Valuation", text("valuation")),
            ("What would change the view", list("what_would_change_the_view")),
        ]
        return all.filter { !$0.1.isEmpty }
    }

    private func text(_ name: String) -> String { report[name]?.string?.trimmed ?? "" }

    private func list(_ name: String) -> String {
        (report[name]?.array ?? []).map { item in
            let title = item["title"]?.string.map { "\($0): " } ?? ""
            return title + (item["detail"]?.string ?? item["text"]?.string ?? "")
        }.joined(separator: "\n")
    }
}
