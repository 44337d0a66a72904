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

/// The newest filing of a company after a report.
struct NewerFiling {
    /// `nil` when the report rests on the newest filing.
    var accession: String?
    var form: JSON = .null
    var filed: JSON = .null

    var json: JSON {
        accession.map { ["accession_number": JSON($0), "form": form, "filed": filed] } ?? .null
    }

    /// Compares the sources of a report with the figures that are known now.
    ///
    /// - Parameters:
    ///   - sources: The filings of the report, by its figures and by its text.
    ///   - document: The company's figures, as `FundamentalsDocument` renders them.
    ///   - listed: The newest report that the list of the company's filings has.
    init(than sources: JSON, in document: JSON, listed: FilingEntry? = nil) {
        let known = Set((sources.array ?? []).compactMap { $0["accession_number"]?.string })
        let latest = (sources.array ?? []).compactMap { $0["filed"]?.string }.max() ?? ""
        var newest = latest
        for period in document["periods"]?.array ?? [] {
            for figure in period["figures"]?.object?.values ?? [] {
                guard let accession = figure["accession_number"]?.string, !known.contains(accession),
                    let filed = figure["filing_date"]?.string, filed > newest
                else { continue }
                (newest, self.accession, form, self.filed) = (filed, accession, figure["form"] ?? .null, JSON(filed))
            }
        }
        if let listed, !known.contains(listed.accession), listed.filed.description > newest {
            (accession, form, filed) = (listed.accession, JSON(listed.form), JSON(listed.filed.description))
        }
    }
}

extension ResearchRoutes {
    /// The longest time that a report waits for the company's figures when they are not in the cache.
    private static let longestLook: Duration = .seconds(2)

    /// Whether a filing is newer than those of a report; `nil` when the company's figures cannot be read now.
    func newerFiling(than result: JSON, of job: Job, _ context: RequestContext) async -> NewerFiling? {
        guard let text = job.input["ticker"]?.string, let ticker = try? Ticker(text) else { return nil }
        let reader = reader.asked(by: context.user)
        // The list of filings is looked up again within the hour, where the figures may be a day old.
        async let newest = reader.newestReport(ticker, within: Self.longestLook)
        let outcome = await Timeout.run(within: Self.longestLook) { await reader.fundamentals(ticker) }
        let listed = await newest
        let document = outcome?.value?.json
        guard document != nil || listed != nil else { return nil }
        let report = result["report"]
        let sources = (report?["sources"]?.array ?? []) + (report?["filings_read"]?.array ?? [])
        return NewerFiling(than: .array(sources), in: document ?? [:], listed: listed)
    }
}
