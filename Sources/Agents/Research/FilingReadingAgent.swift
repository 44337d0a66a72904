internal import DataSources
internal import DossierAPI
internal import Filings
internal import JSON
internal import JobQueue
internal import Prompts

/// Reads an item of an annual report once for all users: what it says of each theme, with a quote that stands in its
/// passage.
///
/// The job is the service's own and unique by the name of the reading, so that reports on one company share it. The
/// answer is journalled before the reading is stored, so that a worker's death buys nothing twice.
struct FilingReadingAgent: Agent {
    /// Bytes of an item that a model gets, below the length at which some models' prices rise.
    private static let mostBytes = 280_000

    private static let titles = [
        "1": "Business", "1A": "Risk Factors", "7": "Management's Discussion and Analysis",
    ]

    private let library: FilingLibrary?
    private let models: ModelCalls
    private let now: @Sendable () -> Timestamp

    init(library: FilingLibrary?, models: ModelCalls, now: @escaping @Sendable () -> Timestamp) {
        (self.library, self.models, self.now) = (library, models, now)
    }

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let input = try context.input { (try $0["accession"].string(), try $0["item"].string()) }
        let prompt = try context.prompt("read")
        context.progress("open")
        let (filing, wasCut) = try await passages(of: input.0, item: input.1)
        var names: [String: FilingSearch.Passage] = [:]
        var given: [JSON] = []
        for (place, passage) in filing.enumerated() {
            names["p\(place + 1)"] = passage
            given.append(["id": JSON("p\(place + 1)"), "text": JSON(passage.text)])
        }
        var values: JSON = ["item": JSON(input.1), "passages": .array(given)]
        values["title"] = Self.titles[input.1].map { JSON($0) }
        let question = PromptQuestion(
            step: ResearchAgent.readingStep, stage: "read", prompt: prompt, input: values, expectedCharacters: 5000,
            userMessage: "We could not read this filing.")
        var reading = FilingReading(accession: input.0, item: input.1, isWhole: !wasCut)
        reading.job = context.job.lease.job.description
        do throws(AgentError) {
            let answer = try await models.ask(question, in: context)
            let all = answer.content["findings"]?.array ?? []
            reading.findings = all.compactMap { FilingFinding($0, among: names) }
            reading.dropped = all.count - reading.findings.count
            reading.provenance = context.provenance(of: [answer])
        } catch {
            guard case .failed(let failure) = error, failure.error.code == .generationFailed else { throw error }
            // What was paid for goes onto the books, and the next report does not buy it again at once.
            let problem = failure.error.message
            let entry = try await context.journal.step("unread", input: [:]) {
                (["problem": JSON(problem)], failure.effects)
            }
            reading.problem = entry.output["problem"]?.string
        }
        context.progress("store")
        let key = FilingReadings.key(input.0, item: input.1, prompt: prompt)
        return AgentResult(reading.json, records: [.document(reading.document(key: key, at: now()))])
    }

    /// The passages of an item, and whether some are left out.
    private func passages(
        of accession: String, item: String
    ) async throws(AgentError) -> ([FilingSearch.Passage], wasCut: Bool) {
        let text: FilingText?
        do throws(DataSourceError) {
            guard let library else { throw .unavailable(.edgar, status: nil) }
            text = try await library.text(accession)
        } catch {
            throw AgentError(error)
        }
        guard let text, text.filing[item]?.status == .found else {
            throw .notFound("the filing has no such item", userMessage: "We could not find this part of the filing.")
        }
        var room = Self.mostBytes
        let all = FilingSearch(text.filing, items: [item]).all
        let kept = all.prefix { passage in
            room -= passage.text.utf8.count
            return room >= 0
        }
        return (Array(kept), kept.count < all.count)
    }
}

/// What an item says of a theme.
struct FilingFinding: Sendable, Hashable {
    var theme: String
    /// The id of the first paragraph of the passage.
    var passage: String
    var quote: String
    /// In the words of the model: to find the passage by, never to be shown as the filing's.
    var says: String

    /// A finding of an answer whose quote stands in its passage; `nil` for others.
    init?(_ json: JSON, among passages: [String: FilingSearch.Passage]) {
        guard let theme = json["theme"]?.string, let quote = json["quote"]?.string, let says = json["says"]?.string,
            let passage = json["passage"]?.string.flatMap({ passages[$0] }),
            ClaimRules.isQuote(quote, of: passage.text), !MachineOrders.are(in: passage.text)
        else { return nil }
        (self.theme, self.passage, self.quote, self.says) = (theme, passage.id, quote, says)
    }

    init?(stored json: JSON) {
        guard let theme = json["theme"]?.string, let passage = json["passage"]?.string,
            let quote = json["quote"]?.string, let says = json["says"]?.string
        else { return nil }
        (self.theme, self.passage, self.quote, self.says) = (theme, passage, quote, says)
    }

    var json: JSON {
        ["theme": JSON(theme), "passage": JSON(passage), "quote": JSON(quote), "says": JSON(says)]
    }
}

/// An item of a filing as it was read for everybody.
struct FilingReading: Sendable {
    /// An item that could not be read is tried again after a day.
    private static let keptUnread: Int64 = 86_400_000
    private static let keptFor: Int64 = 400 * 86_400_000

    var accession: String
    var item: String
    /// Whether the model got all of the item.
    var isWhole: Bool
    var findings: [FilingFinding] = []
    /// Findings whose quote did not stand in their passage.
    var dropped = 0
    var job: String?
    /// Why there are no findings.
    var problem: String?
    var provenance: JSON = .null

    init(accession: String, item: String, isWhole: Bool) {
        (self.accession, self.item, self.isWhole) = (accession, item, isWhole)
    }

    init?(_ json: JSON) {
        guard let accession = json["accession_number"]?.string, let item = json["item"]?.string else { return nil }
        self.init(accession: accession, item: item, isWhole: json["is_whole"]?.bool ?? true)
        findings = (json["findings"]?.array ?? []).compactMap { FilingFinding(stored: $0) }
        dropped = Int(json["dropped"]?.integer ?? 0)
        job = json["job_id"]?.string
        problem = json["problem"]?.string
        provenance = json["provenance"] ?? .null
    }

    var json: JSON {
        [
            "accession_number": JSON(accession), "item": JSON(item), "is_whole": .bool(isWhole),
            "findings": .array(findings.map(\.json)), "dropped": JSON(dropped), "job_id": JSON(job),
            "problem": JSON(problem), "provenance": provenance,
        ]
    }

    /// What a report says of it: where it comes from and what it cost once.
    var summary: JSON {
        [
            "accession_number": JSON(accession), "item": JSON(item), "findings": JSON(findings.count),
            "job_id": JSON(job), "cost_micro_dollars": provenance["cost_micro_dollars"] ?? 0,
        ]
    }

    func document(key: String, at time: Timestamp) -> CachedDocument {
        let lifetime = problem == nil ? Self.keptFor : Self.keptUnread
        return CachedDocument(
            key: key, text: json.compact, storedAt: time,
            keptUntil: Timestamp(milliseconds: time.milliseconds + lifetime))
    }
}
