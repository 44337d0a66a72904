internal import Basics
internal import DataSources
internal import JSON
internal import JobQueue

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
    /// The longest time that an answer waits for what a company has filed when it is not in the cache.
    private static let longestLook: Duration = .seconds(2)

    /// What is known now of a company's filings.
    private struct KnownFilings: Sendable {
        let document: JSON?
        let listed: FilingEntry?

        /// The newest filing after those that a report read.
        func newer(than result: JSON) -> NewerFiling {
            let report = result["report"]
            let sources = (report?["sources"]?.array ?? []) + (report?["filings_read"]?.array ?? [])
            return NewerFiling(than: .array(sources), in: document ?? [:], listed: listed)
        }
    }

    /// Whether a filing is newer than those of a report; `nil` when the company's filings cannot be read now.
    func newerFiling(than result: JSON, of job: Job, _ context: RequestContext) async -> NewerFiling? {
        guard let ticker = job.ticker else { return nil }
        return await filings(of: ticker, context)?.newer(than: result)
    }

    /// The newer filings of reports in a list, each company looked up once; those that cannot be read now are left out.
    func newerFilings(than reports: [Job], _ context: RequestContext) async -> [JobID: NewerFiling] {
        let done = reports.filter { $0.status == .completed }
        let companies = await withTaskGroup(of: (Ticker, KnownFilings?).self) { group in
            for ticker in Set(done.compactMap(\.ticker)) {
                group.addTask { (ticker, await filings(of: ticker, context)) }
            }
            return await group.reduce(into: [Ticker: KnownFilings]()) { $0[$1.0] = $1.1 }
        }
        var newer: [JobID: NewerFiling] = [:]
        for job in done {
            guard let known = job.ticker.flatMap({ companies[$0] }),
                let result = try? await jobs.jobWithResult(job.id, of: context.user).result
            else { continue }
            newer[job.id] = known.newer(than: result)
        }
        return newer
    }

    private func filings(of ticker: Ticker, _ context: RequestContext) async -> KnownFilings? {
        let reader = reader.asked(by: context.user)
        // The list of filings is looked up again within the hour, where the figures may be a day old.
        async let newest = reader.newestReport(ticker, within: Self.longestLook)
        let outcome = await Timeout.run(within: Self.longestLook) { await reader.fundamentals(ticker) }
        let (document, listed) = (outcome?.value?.json, await newest)
        return document == nil && listed == nil ? nil : KnownFilings(document: document, listed: listed)
    }
}

extension Job {
    /// The company of a report.
    fileprivate var ticker: Ticker? { input["ticker"]?.string.flatMap { try? Ticker($0) } }
}

extension JSON {
    /// Adds to a report whether a filing is newer than those that it read; `nil` where that is not known now.
    mutating func add(_ newer: NewerFiling?) {
        self["is_outdated"] = newer.map { .bool($0.accession != nil) } ?? .null
        self["newer_filing"] = newer?.json ?? .null
    }
}
