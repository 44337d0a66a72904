internal import Basics
internal import DataSources
internal import JobQueue
internal import JSON

/// The differences between two reports on one company, figure by figure.
struct ReportChanges {
    let base: (job: Job, result: JSON)
    let report: (job: Job, result: JSON)

    init(from base: (job: Job, result: JSON), to report: (job: Job, result: JSON)) {
        (self.base, self.report) = (base, report)
    }

    var json: JSON {
        let (before, after) = (index("facts", base.result), index("facts", report.result))
        return [
            "since": JSON(base.job.id.description), "report_id": JSON(report.job.id.description),
            "ticker": report.job.input["ticker"] ?? .null,
            "verdict": change(base.result["report"]?["verdict"], report.result["report"]?["verdict"]),
            "score": change(base.result["report"]?["score"], report.result["report"]?["score"]),
            "investor_persona": change(base.job.input["persona"], report.job.input["persona"]),
            "added": .array(after.filter { before[$0.key] == nil }.map { Self.figure($0.value) }),
            "removed": .array(before.filter { after[$0.key] == nil }.map { Self.figure($0.value) }),
            "changed": .array(
                after.compactMap { id, fact in
                    guard let old = before[id], old["value"] != fact["value"] else { return nil }
                    var body = Self.figure(fact)
                    body["before"] = Self.figure(old)
                    return body
                }),
            "unchanged": JSON(after.count { id, fact in before[id].map { $0["value"] == fact["value"] } ?? false }),
            "checklist": checklist,
        ]
    }

    /// The questions of the checklist whose score differs; only questions of both checklists are compared.
    private var checklist: JSON {
        let before = index("items", base.result["scorecard"] ?? [:])
        return .array(
            index("items", report.result["scorecard"] ?? [:]).compactMap { id, item in
                guard let old = before[id], old["score"] != item["score"] else { return nil }
                return [
                    "id": JSON(id), "question": item["question"] ?? .null, "score": item["score"] ?? .null,
                    "score_before": old["score"] ?? .null, "value": item["evidence"]?["value"] ?? .null,
                    "value_before": old["evidence"]?["value"] ?? .null,
                ]
            })
    }

    private func change(_ old: JSON?, _ new: JSON?) -> JSON {
        ["before": old ?? .null, "now": new ?? .null, "changed": .bool(old != new)]
    }

    /// The elements of a list by their ids, in the order of the list.
    private func index(_ list: String, _ value: JSON) -> JSONObject {
        JSONObject(
            (value[list]?.array ?? []).compactMap { element in element["id"]?.string.map { ($0, element) } })
    }

    private static func figure(_ fact: JSON) -> JSON {
        var body: JSON = [:]
        for name in ["id", "label", "concept", "value", "unit", "form", "accession_number", "filing_date"] {
            body[name] = fact[name] ?? .null
        }
        body["period"] = fact["period"]?["label"] ?? .null
        return body
    }
}
