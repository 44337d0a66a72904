package import Basics
internal import Filings
internal import JSON
package import JobQueue
internal import Synchronization

/// Reads filings once for everybody: from memory, else from the store, else from the SEC.
///
/// Concurrent readers of a filing share one download, also those of other processes: a process that wants to download
/// filings of a company takes a claim in the store, and the others wait for what it stores.
package struct FilingLibrary: Sendable {
    /// The filings of a company that readers want.
    package struct Choice: Sendable {
        package let company: TickerDirectory.Entry
        package let annual: FilingEntry?
        package let prior: FilingEntry?
        package let quarterly: FilingEntry?
        /// Those that can be the last release of results, newest first.
        package let releases: [FilingEntry]
        package let proxy: FilingEntry?

        /// Each of them with its part, in the order of their weight for a reader.
        package var roles: [(role: String, entry: FilingEntry)] {
            [
                ("annual_report", annual), ("prior_annual_report", prior), ("quarterly_report", quarterly),
                ("results_release", releases.first), ("proxy_statement", proxy),
            ].compactMap { role, entry in entry.map { (role, $0) } }
        }
    }

    /// A claim lasts for half a minute, after which another process may download: one that died keeps the reports on the
    /// company waiting for no longer.
    private static let claimLimits = BudgetLimits(requestsPerMinute: 2, requestsAtOnce: 1)
    private static let claimLifetime = Duration.seconds(25)
    private static let pollInterval = Duration.milliseconds(400)
    /// A filing is read again when nobody has stored it for this long.
    private static let keptFor: Int64 = 400 * 86_400_000

    /// `nil` for a library of what is stored.
    private let source: SECClient?
    private let documents: any DocumentRepository
    private let budgets: any BudgetStore
    private let time: TimeSource
    private let texts: MemoryCache<String, FilingText>
    private let claims = Claims()

    private final class Claims: Sendable {
        let since = Mutex<[CIK: Duration]>([:])
        /// The newest report of each company that this process has told the others of, and when.
        let noted = Mutex<[CIK: (accession: String, at: Duration)]>([:])
    }

    /// - Parameters:
    ///   - source: The SEC; `nil` for a library that has only what is stored.
    ///   - documents: What is stored.
    ///   - budgets: The claims of processes that download.
    ///   - time: The clocks.
    package init(
        _ source: SECClient?, documents: any DocumentRepository, budgets: any BudgetStore, time: TimeSource = .system
    ) {
        (self.source, self.documents, self.budgets, self.time) = (source, documents, budgets, time)
        // Whoever asks next wants it, too.
        texts = MemoryCache(lifetime: .seconds(3600), capacity: 24, time: time, endsWhenAbandoned: false)
    }

    /// The filings of a company to read today. They can be read by their accession numbers from then on.
    package func choice(_ ticker: String) async throws(DataSourceError) -> Choice {
        let day = time.today
        let (company, index) = try await sec().filings(ticker, asOf: day)
        let annual = index.annualReport(asOf: day)
        let choice = Choice(
            company: company, annual: annual, prior: annual.flatMap { index.priorReport(to: $0) },
            quarterly: annual.flatMap { index.quarterlyReport(after: $0, asOf: day) },
            releases: Array(index.resultsReleases(asOf: day).prefix(3)), proxy: index.proxyStatement(asOf: day))
        let reports = [choice.annual, choice.quarterly].compactMap(\.self)
        if let newest = reports.max(by: { ($0.filed, $0.accession) < ($1.filed, $1.accession) }) {
            await note(newest, of: company)
        }
        return choice
    }

    /// The newest annual or quarterly report of a company that any process has found in the SEC's list; `nil` before the
    /// first one.
    package func newestReport(_ ticker: Ticker) async -> FilingEntry? { await noted(ticker)?.entry }

    /// The same, looked up in the SEC's list when no process has for `lookEvery`: with the time that a process keeps the
    /// list, a report is known an hour after the SEC has it. While the list cannot be read it is what was found before.
    package func currentReport(_ ticker: Ticker) async -> FilingEntry? {
        let noted = await noted(ticker)
        if let noted, !isDue(since: noted.at) { return noted.entry }
        guard source != nil, (try? await choice(ticker.text)) != nil else { return noted?.entry }
        return await newestReport(ticker)
    }

    private static let lookEvery = SECClient.keepsSubmissionsFor

    private func isDue(since noted: Timestamp) -> Bool {
        Timestamp(milliseconds: time.wallMilliseconds()) >= noted + Self.lookEvery
    }

    private func noted(_ ticker: Ticker) async -> (entry: FilingEntry, at: Timestamp)? {
        guard let kept = try? await documents.document(Self.newestKey(ticker)),
            let entry = (try? JSON(parsing: kept.text)).flatMap({ FilingEntry($0) })
        else { return nil }
        return (entry, kept.storedAt)
    }

    /// Tells the other processes of a report, and that it was looked up now.
    private func note(_ newest: FilingEntry, of company: TickerDirectory.Entry) async {
        let now = time.uptime()
        let isTold = claims.noted.withLock { noted in
            if let last = noted[company.cik], last.accession == newest.accession, now - last.at < Self.lookEvery {
                return true
            }
            noted[company.cik] = (newest.accession, now)
            return false
        }
        if isTold { return }
        let known = await noted(company.ticker)
        // Another process may have read a newer list.
        if let known, known.entry.filed >= newest.filed, !isDue(since: known.at) { return }
        let entry = known.map { $0.entry.filed > newest.filed ? $0.entry : newest } ?? newest
        _ = try? await documents.store(document(Self.newestKey(company.ticker), entry.json.compact))
    }

    /// Stores where filings are, so that they are found by their accession numbers alone.
    package func remember(_ entries: [FilingEntry], of company: TickerDirectory.Entry) async {
        let keys = entries.map { Self.placeKey($0.accession) }
        let known = Set(((try? await documents.documents(keys)) ?? []).map(\.key))
        for entry in entries where !known.contains(Self.placeKey(entry.accession)) {
            let json: JSON = ["company": company.json, "entry": entry.json]
            _ = try? await documents.store(document(Self.placeKey(entry.accession), json.compact))
        }
    }

    /// The text of a filing that is stored or was listed before; `nil` for any other number.
    package func text(_ accession: String) async throws(DataSourceError) -> FilingText? {
        if let text = await stored(accession) { return text }
        guard let place = try? await documents.document(Self.placeKey(accession)),
            let json = try? JSON(parsing: place.text),
            let company = json["company"].flatMap({ TickerDirectory.Entry($0) }),
            let entry = json["entry"].flatMap({ FilingEntry($0) })
        else { return nil }
        return try await text(of: entry, company)
    }

    /// The text of a filing.
    package func text(
        of entry: FilingEntry, _ company: TickerDirectory.Entry
    ) async throws(DataSourceError) -> FilingText {
        try await texts.value(for: entry.accession) { () async throws(DataSourceError) in
            if let text = await stored(entry.accession) { return text }
            _ = try sec()
            while !(await claim(company.cik)) {
                do { try await time.sleep(Self.pollInterval) } catch { throw .cancelled }
                if let text = await stored(entry.accession) { return text }
            }
            let text = try await download(entry, company)
            _ = try? await documents.store(document(Self.textKey(entry.accession), text.json.compact))
            return text
        }
    }

    // MARK: - The store

    private static func textKey(_ accession: String) -> String { "filing:\(Filings.Filing.parser):\(accession)" }
    private static func newestKey(_ ticker: Ticker) -> String { "newest_report:\(ticker.text)" }
    private static func placeKey(_ accession: String) -> String { "filing_place:\(accession)" }

    private func stored(_ accession: String) async -> FilingText? {
        guard let kept = try? await documents.document(Self.textKey(accession)) else { return nil }
        return (try? JSON(parsing: kept.text)).flatMap { FilingText($0) }
    }

    private func document(_ key: String, _ text: String) -> CachedDocument {
        let now = time.wallMilliseconds()
        return CachedDocument(
            key: key, text: text, storedAt: Timestamp(milliseconds: now),
            keptUntil: Timestamp(milliseconds: now + Self.keptFor))
    }

    /// Whether this process may download filings of a company now.
    private func claim(_ cik: CIK) async -> Bool {
        let now = time.uptime()
        if claims.since.withLock({ $0[cik].map { now - $0 < Self.claimLifetime } ?? false }) { return true }
        let request = BudgetRequest(
            budget: "filings/\(cik)", limits: Self.claimLimits,
            calls: [CallNeed(input: 0, output: 0, isInteractive: true)])
        // Where the store is away nobody has the claim, and the caller asks again.
        guard let reply = try? await budgets.exchange([request]).first, reply.granted > 0 else { return false }
        claims.since.withLock { since in
            since = since.filter { now - $0.value < Self.claimLifetime }
            since[cik] = now
        }
        return true
    }

    // MARK: - The SEC

    private func sec() throws(DataSourceError) -> SECClient {
        guard let source else { throw .unavailable(.edgar, status: nil) }
        return source
    }

    private func download(
        _ entry: FilingEntry, _ company: TickerDirectory.Entry
    ) async throws(DataSourceError) -> FilingText {
        var name = entry.document
        if entry.form == "8-K" {
            // The announcement itself says that there is a release, which is an exhibit.
            name = try await sec().documents(of: entry.accession, company.cik)?.release ?? name
        }
        guard let bytes = try await sec().document(name, of: entry.accession, company.cik) else {
            throw .unexpected(.edgar, problem: "a document of its own list is not there")
        }
        // What is no document is not kept for all users.
        guard bytes.contains(where: { $0 > 0x20 }), !bytes.prefix(1000).contains(0) else {
            throw .unexpected(.edgar, problem: "a document without text")
        }
        var filing = Filings.Filing(bytes, name: entry.accession)
        guard entry.form.hasPrefix("10-K") else {
            return FilingText(company: company, entry: entry, document: name, filing: filing)
        }
        var (segments, exhibits) = (SegmentTable(bytes), [String: String]())
        if filing.discussionIsInExhibit, let (exhibit, bytes) = try await annualReport(of: entry, company) {
            filing = filing.completed(byExhibit: bytes, name: entry.accession)
            if filing["7"]?.status == .found { exhibits["7"] = exhibit }
            segments = segments ?? SegmentTable(bytes)
        }
        return FilingText(
            company: company, entry: entry, document: name, filing: filing, segments: segments, exhibits: exhibits)
    }

    /// Exhibit 13 of a filing with its name; `nil` where it has none.
    private func annualReport(
        of entry: FilingEntry, _ company: TickerDirectory.Entry
    ) async throws(DataSourceError) -> (name: String, bytes: [UInt8])? {
        guard let name = try await sec().documents(of: entry.accession, company.cik)?.annualReport,
            let bytes = try await sec().document(name, of: entry.accession, company.cik)
        else { return nil }
        return (name, bytes)
    }
}
