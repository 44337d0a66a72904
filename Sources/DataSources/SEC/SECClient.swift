package import Basics
package import HTTP
import JSON

/// The SEC's hosts and the user agent for its requests.
package struct SECConfiguration: Sendable {
    /// Serves `files/company_tickers.json`; without a slash at the end.
    package let filesBase: String
    /// Serves `api/xbrl/companyfacts` and `submissions`; without a slash at the end.
    package let dataBase: String
    /// The user agent: the SEC refuses requests that do not name a contact (`Example Corp admin@example.com`).
    package let userAgent: String

    /// - Parameters:
    ///   - base: replaces both hosts when given (a simulator); else the SEC's own.
    ///   - userAgent: mandatory.
    /// - Throws: `DataSourceError.forbidden` when the user agent is empty, so that it is noticed before any request.
    package init(base: String? = nil, userAgent: String) throws(DataSourceError) {
        guard userAgent.contains(where: { !$0.isWhitespace }) else {
            throw .forbidden(.edgar, hint: "a User-Agent with a contact address is required (SEC_USER_AGENT)")
        }
        var base = base
        while base?.hasSuffix("/") == true { base?.removeLast() }
        filesBase = base ?? "https://www.sec.gov"
        dataBase = base ?? "https://data.sec.gov"
        self.userAgent = userAgent
    }
}

/// Gives the fundamentals of a company; `SECClient` in production, anything in tests.
package protocol CompanyFactsSource: Sendable {
    /// Company and figures of a ticker, which may be in any spelling that `Ticker` accepts.
    func fundamentals(_ ticker: String) async throws(DataSourceError) -> CompanyFundamentals
}

/// Reads SEC EDGAR: the ticker list, the facts of a company and its submissions.
///
/// Stays within the SEC's rate limit, caches responses in memory, and lets concurrent callers share one fetch. It
/// never retries: the job owns retries.
package struct SECClient: Sendable {
    private let configuration: SECConfiguration
    private let transport: any HTTPTransport
    private let pacer: RequestPacer
    /// The pace of all processes; `nil` for a process that is alone.
    private let fleet: FleetPace?
    private let directories: MemoryCache<Int, TickerDirectory>
    private let fundamentals: MemoryCache<CIK, Fundamentals>
    private let profiles: MemoryCache<CIK, SECProfile>
    private let submissions: MemoryCache<CIK, Submissions>

    package init(
        _ configuration: SECConfiguration, transport: any HTTPTransport, pacer: RequestPacer = .edgar,
        fleet: FleetPace? = nil, time: TimeSource = .system
    ) {
        self.configuration = configuration
        self.transport = transport
        self.pacer = pacer
        self.fleet = fleet
        // Later callers want the list, too.
        directories = MemoryCache(
            lifetime: .seconds(24 * 3600), capacity: 1, time: time, endsWhenAbandoned: false)
        fundamentals = MemoryCache(lifetime: .seconds(3600), capacity: 128, time: time)
        profiles = MemoryCache(lifetime: .seconds(24 * 3600), capacity: 1024, time: time)
        submissions = MemoryCache(lifetime: Self.keepsSubmissionsFor, capacity: 64, time: time)
    }

    /// How long a process keeps the list of a company's submissions.
    static let keepsSubmissionsFor = Duration.seconds(1800)

    /// The list of all tickers.
    package func tickers() async throws(DataSourceError) -> TickerDirectory {
        try await directories.value(for: 0) { () async throws(DataSourceError) in
            let url = configuration.filesBase + "/files/company_tickers.json"
            guard let json = try await get(url) else {
                throw .unexpected(.edgar, problem: "there is no list of tickers")
            }
            return try TickerDirectory(json)
        }
    }

    /// Everything that reports and scores need of one company.
    ///
    /// - Throws: `invalidTicker`, `notFound` for an unlisted ticker, `noData` for one without facts, and the
    ///   transient cases.
    package func fundamentals(_ text: String) async throws(DataSourceError) -> CompanyFundamentals {
        let ticker = try Ticker(text)
        guard let entry = try await tickers()[ticker] else { throw .notFound(ticker: ticker.text) }
        let figures = try await facts(of: entry)
        let profile = try await profile(of: entry)
        return CompanyFundamentals(company: Company(entry, profile), fundamentals: figures)
    }

    /// Name, industry and exchange of a company, without its figures.
    package func company(_ text: String) async throws(DataSourceError) -> Company {
        let ticker = try Ticker(text)
        guard let entry = try await tickers()[ticker] else { throw .notFound(ticker: ticker.text) }
        return Company(entry, try await profile(of: entry))
    }

    private func facts(of entry: TickerDirectory.Entry) async throws(DataSourceError) -> Fundamentals {
        try await fundamentals.value(for: entry.cik) { () async throws(DataSourceError) in
            let url = configuration.dataBase + "/api/xbrl/companyfacts/CIK\(entry.cik.padded).json"
            guard let json = try await get(url) else { throw .noData(.edgar, ticker: entry.ticker.text) }
            let fundamentals = try Fundamentals(companyFacts: json)
            guard !fundamentals.figures.isEmpty else { throw .noData(.edgar, ticker: entry.ticker.text) }
            return fundamentals
        }
    }

    private func profile(of entry: TickerDirectory.Entry) async throws(DataSourceError) -> SECProfile {
        try await profiles.value(for: entry.cik) { () async throws(DataSourceError) in
            try await submissions(of: entry.cik).profile
        }
    }

    /// What the list of a company's submissions says.
    private struct Submissions: Sendable {
        var profile: SECProfile
        /// `nil` without a list.
        var index: FilingIndex?
    }

    private func submissions(of cik: CIK) async throws(DataSourceError) -> Submissions {
        try await submissions.value(for: cik) { () async throws(DataSourceError) in
            let json = try await get(configuration.dataBase + "/submissions/CIK\(cik.padded).json")
            return Submissions(profile: SECProfile(json ?? .null), index: json.map { FilingIndex($0) })
        }
    }

    // MARK: Filings

    /// The company and its filings, with an older page of the list where the newest one has too few annual reports.
    package func filings(_ text: String, asOf day: CalendarDate) async throws(DataSourceError) -> (
        entry: TickerDirectory.Entry, index: FilingIndex
    ) {
        let ticker = try Ticker(text)
        guard let entry = try await tickers()[ticker] else { throw .notFound(ticker: ticker.text) }
        let found = try await submissions(of: entry.cik)
        guard var index = found.index else { throw .noData(.edgar, ticker: entry.ticker.text) }
        for page in index.pages.sorted(by: { $0.to > $1.to }).prefix(2) {
            if let report = index.annualReport(asOf: day), index.priorReport(to: report) != nil { break }
            guard let older = try await get(configuration.dataBase + "/submissions/" + page.name) else { break }
            index.add(FilingIndex(older))
        }
        return (entry, index)
    }

    /// The documents of a filing; `nil` when there is no page of it.
    package func documents(of accession: String, _ cik: CIK) async throws(DataSourceError) -> FilingDocuments? {
        let page = "\(FilingEntry.folder(cik, accession))\(accession)-index.html"
        return try await bytes(configuration.filesBase + page).map { FilingDocuments(page: $0) }
    }

    /// A document of a filing; `nil` when it is not there.
    package func document(_ name: String, of accession: String, _ cik: CIK) async throws(DataSourceError) -> [UInt8]? {
        try await bytes(configuration.filesBase + FilingEntry.folder(cik, accession) + name)
    }

    /// Banks file documents of 20 MB.
    private static let longestDocument = 32 << 20

    // MARK: Requests

    /// The JSON at an address of the SEC; `nil` when there is none (404).
    private func get(_ url: String) async throws(DataSourceError) -> JSON? {
        guard let body = try await bytes(url, accepting: "application/json", limit: HTTPLimits().body) else {
            return nil
        }
        do { return try JSON(parsing: body).mapStrings(\.sanitized) } catch {
            throw .unexpected(.edgar, problem: "not JSON (\(error))")
        }
    }

    private func bytes(
        _ url: String, accepting type: String = "text/html", limit: Int = longestDocument
    ) async throws(DataSourceError) -> [UInt8]? {
        try SourceCalls.begin(.edgar)
        do { try await pacer.waitForTurn() } catch { throw .cancelled }
        try await fleet?.waitForTurn()
        var limits = HTTPLimits()
        limits.body = limit
        limits.total = .seconds(60)
        limits.idle = .seconds(20)
        limits.redirects = 2
        let response: HTTPResponse
        do throws(HTTPClientError) {
            response = try await transport.send(
                HTTPRequest(
                    .get, url,
                    headers: ["User-Agent": configuration.userAgent, "Accept": type], limits: limits))
        } catch {
            throw DataSourceError(error, from: .edgar)
        }
        switch response.status {
        case 200: return Array(response.body)
        case 404: return nil
        default:
            let failure =
                response.status == 403
                ? Self.refusal(response)
                : DataSourceError(status: response.status, headers: response.headers, from: .edgar)
                    ?? .unexpected(.edgar, problem: "HTTP \(response.status)")
            if case .rateLimited(_, let pause) = failure { await fleet?.refused(for: pause ?? .seconds(600)) }
            throw failure
        }
    }

    /// The SEC answers 403 both to callers without a contact and to those above its rate, whom it locks out for ten
    /// minutes; only the page's text distinguishes them.
    private static func refusal(_ response: HTTPResponse) -> DataSourceError {
        let text = String(decoding: response.body.prefix(8192), as: UTF8.self)
        return text.contains("Request Rate Threshold")
            ? .rateLimited(.edgar, retryAfter: DataSourceError.retryAfter(response.headers) ?? .seconds(600))
            : .forbidden(.edgar, hint: "it wants a User-Agent with a contact address (SEC_USER_AGENT)")
    }
}

extension SECClient: CompanyDirectorySource {}

/// A filer's profile from its submissions page; every field may be missing.
struct SECProfile: Sendable, Hashable {
    var name: String?
    var industryCode: String?
    var industry: String?
    var exchanges: [String] = []
    var fiscalYearEnd: String?

    init(_ json: JSON) {
        func text(_ key: String) -> String? { json[key]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        name = text("name")
        industryCode = text("sic")
        industry = text("sicDescription")
        exchanges = (json["exchanges"]?.array ?? []).compactMap(\.string)
        fiscalYearEnd = text("fiscalYearEnd")
    }
}

/// Knows companies by their tickers; `SECClient` in production, anything in tests.
package protocol CompanyDirectorySource: CompanyFactsSource {
    /// The list of all tickers.
    func tickers() async throws(DataSourceError) -> TickerDirectory

    /// Name, industry and exchanges of a company, without its figures; the ticker in any spelling that `Ticker`
    /// accepts.
    func company(_ ticker: String) async throws(DataSourceError) -> Company
}
