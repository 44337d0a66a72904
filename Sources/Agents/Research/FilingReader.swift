internal import DataSources
internal import Filings
internal import JSON
internal import JobQueue
internal import Prompts
internal import Synchronization

/// Reads what a company's reports say: the filings that were read, its business in its own words, and what changed in
/// its risks. By code alone; a report can do without.
struct FilingReader: Sendable {
    /// The longest time that a report waits for filings.
    private static let longestWait = Duration.seconds(30)
    /// Companies whose briefing is kept in memory, shared by the jobs on them.
    private static let mostBriefings = 32

    private let library: FilingLibrary
    private let readings: FilingReadings?
    private let recent = Recent()
    private let making = SingleFlight<String, CompanyBriefing, DataSourceError>(endsWhenAbandoned: true)

    private final class Recent: Sendable {
        let briefings = Mutex<[(key: String, briefing: CompanyBriefing)]>([])
        private let fetched = Mutex<Set<String>>([])

        /// Whether this process has not begun to fetch some filings.
        func isFirst(_ key: String) -> Bool {
            fetched.withLock { fetched in
                if fetched.count >= 1024 { fetched = [] }
                return fetched.insert(key).inserted
            }
        }
    }

    init(_ library: FilingLibrary, readings: FilingReadings? = nil) {
        (self.library, self.readings) = (library, readings)
    }

    /// What a report has from filings. The journal has the choice of filings, which never change, and of readings.
    func briefing(
        _ ticker: String, for persona: Persona, in context: JobContext
    ) async throws(AgentError) -> FilingBriefing {
        let entry = try await context.journal.step(ResearchAgent.filingsStep, input: ["ticker": JSON(ticker)]) {
            do throws(DataSourceError) {
                return FiledReports(try await library.choice(ticker)).json
            } catch {
                if case .cancelled = error { throw error }
                return ["problem": JSON(error.description)]
            }
        }
        let choice = try entry.decoded("filings") { $0.value ?? .null }
        guard let reports = FiledReports(choice) else {
            return FilingBriefing(members: FilingDigest.nothing, passages: [], readings: [])
        }
        let read: [FilingReading]
        do throws(AgentError) {
            read = try await readings(of: reports, in: context)
        } catch {
            // The other filings are fetched while the annual report is read, so that nothing is left to wait for then.
            if case .snoozed = error, recent.isFirst(reports.key) { _ = await texts(of: reports) }
            throw error
        }
        let parts = read.map { "\($0.accession)/\($0.item)/\($0.job ?? "")" }.joined(separator: " ")
        let key = "\(context.bundle.hash) \(reports.key) \(parts)"
        if let known = recent.briefings.withLock({ $0.first { $0.key == key }?.briefing }) {
            return known.briefing(for: persona)
        }
        // Made once for the jobs that ask together, as those do that waited for the same readings.
        let bundle = context.bundle
        do throws(DataSourceError) {
            return try await making.value(for: key) { [self] _ in
                await make(key, of: reports, read, for: bundle.personas)
            }.briefing(for: persona)
        } catch {
            throw AgentError(error)
        }
    }

    private func make(
        _ key: String, of reports: FiledReports, _ read: [FilingReading], for personas: [String: Persona]
    ) async -> CompanyBriefing {
        let digest = await digest(of: reports)
        let briefing = CompanyBriefing(
            company: reports.company, members: digest.json,
            passages: digest.passages(for: personas.mapValues(\.reading), readings: read),
            readings: read.map(\.summary), gaps: digest.gaps)
        if digest.isWhole {
            recent.briefings.withLock { briefings in
                if briefings.count >= Self.mostBriefings { briefings.removeFirst() }
                briefings.append((key, briefing))
            }
        }
        return briefing
    }

    /// The readings of the annual report; none where it cannot be read now.
    private func readings(
        of reports: FiledReports, in context: JobContext
    ) async throws(AgentError) -> [FilingReading] {
        guard let readings, let annual = reports.entries.first(where: { $0.role == "annual_report" })?.entry,
            let text = try? await library.text(of: annual, reports.company)
        else { return [] }
        return try await readings.readings(of: text, in: context)
    }

    private typealias Read = Result<FilingText, DataSourceError>

    private func digest(of reports: FiledReports) async -> FilingDigest {
        let texts = await texts(of: reports)
        let releases = reports.releases
        // Of the announcements, the one that is of results.
        let kept = reports.entries.indices.filter { !releases.contains($0) || texts[$0] != nil }
        return FilingDigest(reports.only(kept), kept.map { texts[$0] })
    }

    /// The texts of filings by their places, as far as they can be read in time.
    private func texts(of reports: FiledReports) async -> [Int: Read] {
        let releases = reports.releases
        return await withTaskGroup(of: [(Int, Read)]?.self) { group in
            for (place, report) in reports.entries.enumerated() where report.role != FiledReports.release {
                group.addTask { [(place, await text(of: report.entry, reports.company))] }
            }
            group.addTask { await results(releases, reports) }
            group.addTask {
                try? await Task.sleep(for: Self.longestWait)
                return nil
            }
            var texts: [Int: Read] = [:]
            var left = reports.entries.count - releases.count + 1
            while left > 0, let next = await group.next(), let read = next {
                for (place, text) in read { texts[place] = text }
                left -= 1
            }
            group.cancelAll()
            return texts
        }
    }

    private func text(of entry: FilingEntry, _ company: TickerDirectory.Entry) async -> Read {
        do throws(DataSourceError) {
            return .success(try await library.text(of: entry, company))
        } catch {
            return .failure(error)
        }
    }

    /// The newest announcement that is of results; none where none of them is, or the newest cannot be read.
    private func results(_ places: [Int], _ reports: FiledReports) async -> [(Int, Read)] {
        for place in places {
            guard case .success(let text) = await text(of: reports.entries[place].entry, reports.company) else {
                return []
            }
            if text.isOfResults { return [(place, .success(text))] }
        }
        return []
    }
}

/// What reports by any persona have from a company's filings.
private struct CompanyBriefing: Sendable {
    let company: TickerDirectory.Entry
    let members: JSON
    /// By persona.
    let passages: [String: [GivenPassage]]
    let readings: [JSON]
    let gaps: [String]

    func briefing(for persona: Persona) -> FilingBriefing {
        FilingBriefing(
            members: members, passages: passages[persona.id] ?? [], readings: readings, gaps: gaps,
            names: [company.title, company.ticker.text])
    }
}

/// What a report by one persona has from a company's filings.
struct FilingBriefing: Sendable {
    /// Members of the report.
    let members: JSON
    /// For the model, which may cite them.
    let passages: [GivenPassage]
    /// The readings that led to the passages, with what each cost once.
    let readings: [JSON]
    /// What could not be read of the annual report, in sentences for readers.
    var gaps: [String] = []
    /// The names of the company, by which reports speak of it where its filings say "we".
    var names: [String] = []
}

/// The reports of a company that are read for a report on it.
struct FiledReports: Sendable {
    let company: TickerDirectory.Entry
    let entries: [(role: String, entry: FilingEntry)]

    /// The part of announcements that can be of results.
    static let release = "results_release"

    init(_ choice: FilingLibrary.Choice) {
        company = choice.company
        entries =
            choice.roles.filter { $0.role != Self.release } + choice.releases.map { (Self.release, $0) }
    }

    private init(_ company: TickerDirectory.Entry, _ entries: [(role: String, entry: FilingEntry)]) {
        (self.company, self.entries) = (company, entries)
    }

    /// Some of them.
    func only(_ places: [Int]) -> FiledReports { FiledReports(company, places.map { entries[$0] }) }

    /// The places of announcements that can be of results.
    var releases: [Int] { entries.indices.filter { entries[$0].role == Self.release } }

    /// Names what is read.
    var key: String { entries.map(\.entry.accession).joined(separator: " ") }

    var json: JSON {
        [
            "company": company.json,
            "filings": .array(entries.map { ["role": JSON($0.role), "filing": $0.entry.json] }),
        ]
    }

    /// `nil` without filings.
    init?(_ json: JSON) {
        guard let company = json["company"].flatMap({ TickerDirectory.Entry($0) }) else { return nil }
        self.company = company
        entries = (json["filings"]?.array ?? []).compactMap { filing in
            guard let role = filing["role"]?.string, let entry = filing["filing"].flatMap({ FilingEntry($0) }) else {
                return nil
            }
            return (role, entry)
        }
        if entries.isEmpty { return nil }
    }
}
