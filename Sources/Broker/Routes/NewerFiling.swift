internal import Basics
internal import DataSources
internal import JSON
internal import JobQueue
internal import Synchronization

/// The newest filing of a company after a report.
struct NewerFiling {
    /// `nil` when the report rests on the newest filing.
    var accession: String?
    var form: JSON = .null
    var filed: JSON = .null

    var json: JSON {
        accession.map { ["accession_number": JSON($0), "form": form, "filed": filed] } ?? .null
    }

    /// Compares the filings of a report with those that are known now.
    ///
    /// - Parameters:
    ///   - report: The filings that the report read.
    ///   - document: The company's figures, as `FundamentalsDocument` renders them.
    ///   - listed: The newest report that the list of the company's filings has.
    init(than report: ReportFilings, in document: JSON, listed: FilingEntry? = nil) {
        var newest = report.latest
        for period in document["periods"]?.array ?? [] {
            for figure in period["figures"]?.object?.values ?? [] {
                guard let accession = figure["accession_number"]?.string, !report.accessions.contains(accession),
                    let filed = figure["filing_date"]?.string, filed > newest
                else { continue }
                (newest, self.accession, form, self.filed) = (filed, accession, figure["form"] ?? .null, JSON(filed))
            }
        }
        if let listed, !report.accessions.contains(listed.accession), listed.filed.description > newest {
            (accession, form, filed) = (listed.accession, JSON(listed.form), JSON(listed.filed.description))
        }
    }
}

/// The filings that a report read.
struct ReportFilings: Sendable {
    let accessions: Set<String>
    /// The day of the latest; empty for none.
    let latest: String

    /// - Parameter sources: Filings, each with its number and its day.
    init(_ sources: [JSON]) {
        accessions = Set(sources.compactMap { $0["accession_number"]?.string })
        latest = sources.compactMap { $0["filed"]?.string }.max() ?? ""
    }

    /// By the figures and the text of a report's result.
    init(ofResult result: JSON) {
        let report = result["report"]
        self.init((report?["sources"]?.array ?? []) + (report?["filings_read"]?.array ?? []))
    }

    /// Those of reports that were listed last: a result never changes, and reading one takes longer than all else in a
    /// list.
    final class Cache: Sendable {
        private let known = Mutex(RecentValues<JobID, ReportFilings>(generation: 2048))

        func filings(of job: JobID, _ read: () async -> JSON?) async -> ReportFilings? {
            if let filings = known.withLock({ $0.value(of: job) }) { return filings }
            guard let filings = await read().map(ReportFilings.init(ofResult:)) else { return nil }
            known.withLock { $0.keep(filings, of: job) }
            return filings
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
        func newer(than report: ReportFilings) -> NewerFiling {
            NewerFiling(than: report, in: document ?? [:], listed: listed)
        }
    }

    /// Whether a filing is newer than those of a report; `nil` when the company's filings cannot be read now.
    func newerFiling(than result: JSON, of job: Job, _ context: RequestContext) async -> NewerFiling? {
        guard let ticker = job.ticker else { return nil }
        return await filings(of: ticker, context)?.newer(than: ReportFilings(ofResult: result))
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
            guard let known = job.ticker.flatMap({ companies[$0] }) else { continue }
            let report = await readFilings.filings(of: job.id) {
                try? await jobs.jobWithResult(job.id, of: context.user).result
            }
            newer[job.id] = report.map(known.newer(than:))
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
