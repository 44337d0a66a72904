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
    /// Companies whose reading is kept in memory, shared by the jobs on them.
    private static let mostReadings = 32

    private let library: FilingLibrary
    private let recent = Recent()

    private final class Recent: Sendable {
        let readings = Mutex<[(key: String, reading: FilingReading)]>([])
    }

    init(_ library: FilingLibrary) { self.library = library }

    /// The members of a report that come from filings. The journal has the choice of filings, which never change.
    func reading(
        _ ticker: String, by persona: Persona, in context: JobContext
    ) async throws(AgentError) -> FilingReading {
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
            return FilingReading(members: FilingDigest.nothing, passages: [])
        }
        let key = "\(context.bundle.hash) \(persona.id) \(reports.key)"
        if let known = recent.readings.withLock({ $0.first { $0.key == key }?.reading }) { return known }
        let digest = await read(reports)
        let reading = FilingReading(members: digest.json, passages: digest.passages(for: persona.reading))
        if digest.isWhole {
            recent.readings.withLock { readings in
                if readings.count >= Self.mostReadings { readings.removeFirst() }
                readings.append((key, reading))
            }
        }
        return reading
    }

    private func read(_ reports: FiledReports) async -> FilingDigest {
        await withTaskGroup(of: (Int, Result<FilingText, DataSourceError>)?.self) { group in
            for (place, report) in reports.entries.enumerated() {
                group.addTask { [library] in
                    do throws(DataSourceError) {
                        return (place, .success(try await library.text(of: report.entry, reports.company)))
                    } catch {
                        return (place, .failure(error))
                    }
                }
            }
            group.addTask {
                try? await Task.sleep(for: Self.longestWait)
                return nil
            }
            var texts: [Result<FilingText, DataSourceError>?] = reports.entries.map { _ in nil }
            while texts.contains(where: { $0 == nil }), let next = await group.next(), let (place, text) = next {
                texts[place] = text
            }
            group.cancelAll()
            return FilingDigest(reports, texts)
        }
    }
}

/// What a company's filings say to one persona.
struct FilingReading: Sendable {
    /// Members of the report.
    let members: JSON
    /// For the model, which may cite them.
    let passages: [GivenPassage]
}

/// The reports of a company that are read for a report on it.
struct FiledReports: Sendable {
    let company: TickerDirectory.Entry
    let entries: [(role: String, entry: FilingEntry)]

    /// Those that have items.
    init(_ choice: FilingLibrary.Choice) {
        company = choice.company
        entries = choice.roles.filter { ["10-K", "10-KT", "10-Q"].contains($0.entry.form) }
    }

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
