import Basics
import HTTP
import JSON
import JobQueue
import Learning
import SQLSupport
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@testable import Broker

/// The lines of an archive, compared with what the API shows.
@Suite(.timeLimit(.minutes(10))) struct UserArchiveTests {
    private static let ann = "kestrelquartz"
    private static let bob = "otherosprey"
    private static let tokens = SessionTokens(
        secret: Secret("our secret, which has 32 letters"), provider: IdentityProvider(secrets: []))

    private final class Lines: ArchiveSink {
        private let kept = Mutex<[String]>([])
        var all: [String] { kept.withLock { $0 } }

        func write(_ line: String) { kept.withLock { $0.append(line) } }
    }

    private static func with(_ body: (TestService) async throws -> Void) async throws {
        try await TestService.with({ $0.authentication = .jwt(tokens) }, body)
    }

    /// The lines of a user's archive.
    private static func lines(of user: UserID, _ service: TestService) async throws -> [JSON] {
        let sink = Lines()
        // The plans of the tests' services.
        let plans = CurrentPlans(Plans().overridden(startingCredits: nil, requestsPerMinute: 0))
        let archive = try await UserArchive(service.store, service.store, plans: plans).archive(user, to: sink)
        let lines = try sink.all.map { try JSON(parsing: $0) }
        #expect(archive?.lines == lines.count - 1)
        #expect(lines.last == ["type": "end", "lines": JSON(lines.count - 1)])
        #expect(sink.all.allSatisfy { $0.hasPrefix("{\"type\":\"") && !$0.contains("\n") })
        return lines
    }

    @Test func everyLineHasTheFormOfTheAPIAndNoneIsOfAnotherUser() async throws {
        try await Self.with { service in
            let user = try await Self.plant(Self.ann, in: service, jobs: 120)
            _ = try await Self.plant(Self.bob, in: service, jobs: 3)
            let reader = try Reader(service, Self.ann)
            let account = try await reader.data("/api/v1/users/me")
            let ledger = try await reader.data("/api/v1/credits/ledger?per_page=200")
            let lines = try await Self.lines(of: user, service)

            #expect(!lines.contains { $0.compact.contains(Self.bob) }, "nothing of another user")
            #expect(!lines.contains { $0.compact.contains("whsec_") || $0.compact.contains("c2VjcmV0") })
            let first = try #require(lines.first)
            #expect(first["type"] == "export" && first["version"] == 1 && first["subject"] == JSON(Self.ann))
            #expect(first["made_at"]?.string.flatMap { Timestamp(iso8601: $0) } != nil)

            let things = Things(lines)
            #expect(things["account"] == [account])
            let preferences = try await reader.plain("/v1/preferences")
            let watchlist = try await reader.data("/api/v1/watchlist").array
            let brief = try await reader.plain("/v1/brief/latest")
            #expect(things["preferences"] == [preferences])
            #expect(things["watchlist"] == watchlist && watchlist?.count == 2)
            #expect(things["brief"] == [brief])
            let ownSession = try #require(try await reader.data("/api/v1/auth/sessions").array?.first)
            #expect(things["session"] == [ownSession] && ownSession["device"] == JSON("\(Self.ann) phone"))
            #expect(things["ledger", "movement"] == ledger.array)
            let endpoints = try await reader.data("/api/v1/webhooks/endpoints").array ?? []
            #expect(things["webhook_endpoint"] == endpoints.map { $0.without("secrets") } && endpoints.count == 1)
            for line in things["conversation"] {
                let id = try #require(line["id"]?.string)
                #expect(try await reader.data("/api/v1/conversations/\(id)") == line)
                #expect(line["messages"]?.array?.count == 2)
            }
            for line in things["recall_card", "form"] {
                let id = try #require(line["id"]?.string)
                #expect(try await reader.data("/api/v1/recall/\(id)") == line)
            }
            #expect(things["conversation"].count == 1 && things["recall_card"].count == 1)
        }
    }

    @Test func allJobsAreThereWithInputResultAndErrorOnSeveralPages() async throws {
        try await Self.with { service in
            let user = try await Self.plant(Self.ann, in: service, jobs: 230)
            let reader = try Reader(service, Self.ann)
            let jobs = Things(try await Self.lines(of: user, service))["job"]
            var shown: [JSON] = []
            for page in 1...3 { shown += try await reader.data("/api/v1/jobs?per_page=100&page=\(page)").array ?? [] }
            #expect(jobs.map { $0.without("input").without("result") } == shown && shown.count == 234)
            for job in jobs.filter({ $0["kind"] == "research" }) {
                let id = try #require(job["id"]?.string)
                #expect(try await reader.data("/api/v1/jobs/\(id)/input") == job["input"])
                if job["status"] == "completed" {
                    #expect(try await reader.data("/api/v1/jobs/\(id)/result") == job["result"])
                } else {
                    #expect(job["result"] == .null && job["error"]?["code"] == "BIZ_2003")
                }
            }
            let archives = jobs.filter { $0["kind"] == "export" }
            #expect(archives.count == 1)
            #expect(archives.allSatisfy { $0["input"] == nil && $0["result"] == nil && $0["status"] == "completed" })
        }
    }

    @Test func anUnknownUserAndTheServiceHaveNone() async throws {
        try await TestService.with { service in
            let archive = UserArchive(service.store, service.store, plans: CurrentPlans())
            for user in [UserID(rawValue: 99), .system] {
                let sink = Lines()
                let made = try await archive.archive(user, to: sink)
                #expect(made == nil && sink.all.isEmpty)
            }
        }
    }

    // MARK: Planted data

    /// Gives a new user a word in everything that a user can have, and jobs that were cancelled, besides two of research,
    /// one of a conversation and one of an earlier archive.
    private static func plant(_ word: String, in service: TestService, jobs: Int) async throws -> UserID {
        let store = service.store
        let user = try await store.account(for: word).id
        let now = try await store.now()
        _ = try await store.startSession(
            Session(id: JobID.random(at: now).description, user: user, device: "\(word) phone", createdAt: now),
            with: StoredRefreshToken(digest: "digest of \(word)", seed: "seed"))
        try await store.change(
            preferencesOf: user,
            PreferencesChange(
                holdings: [Holding(ticker: "AAPL", label: "\(word) label", notes: word)], timeZone: "Europe/Berlin"))
        _ = try await store.watch("AAPL", name: "\(word) name", by: user, limit: 10)
        _ = try await store.watch("MSFT", name: nil, by: user, limit: 10)
        let endpoint = WebhookEndpoint(
            id: "ep_\(word)", owner: user, url: "https://hooks.example/\(word)", events: .all, description: word,
            secrets: [WebhookSecret(base64: "c2VjcmV0", createdAt: now)], createdAt: now)
        _ = try await store.createWebhookEndpoint(endpoint, idempotency: nil, limit: 10)
        let card = LearningCard(
            RecallQuestion(
                form: .open, question: "\(word)?", options: [], answer: word, concept: word, sourceSpan: word,
                source: .init(url: "https://a.example/", title: word, kind: "article"), analysis: "j"),
            of: user, at: now)
        let worker = try await FakeWorker(service)
        for index in 0..<jobs {
            let job = try await submit("note", ["text": JSON("\(word) \(index)")], of: user, to: store)
            _ = try await store.cancel(job, of: user)
        }
        for fails in [false, true] {
            let input: JSON = ["ticker": "AAPL", "question": JSON(word)]
            let lease = try await worker.claim(try await submit("research", input, cost: 1, of: user, to: store))
            if fails {
                try await worker.fail(lease)
            } else {
                try await worker.complete(lease, with: ["text": JSON(word)])
            }
        }
        let chat = try await worker.claim(try await submit("chat", ["question": JSON(word)], of: user, to: store))
        let turn = ConversationTurn(
            job: chat.job.description, conversation: chat.job.description, user: user, subject: "article:a1",
            question: "\(word)?", answer: word, citations: "[]", askedAt: now, answeredAt: now)
        let records: [RecordChange] = [
            .turn(turn), .recallCard(card.record),
            .brief(Brief(user: user, items: word == ann ? "[]" : "[{\"title\":\"\(word)\"}]", generatedAt: now)),
        ]
        try await store.complete(chat, with: ["answer": JSON(word)], effects: records.map { .record($0) })
        let export = try await worker.claim(try await submit("export", [:], of: user, to: store))
        try await worker.complete(export, with: ["lines": 1])
        return user
    }

    private static func submit(
        _ kind: String, _ input: JSON, cost: Int = 0, of user: UserID, to store: SQLiteStore
    ) async throws -> JobID {
        let now = try await store.now()
        let job = NewJob(
            id: .random(at: now), user: user, kind: kind, input: input, bundle: "b", cost: cost,
            deadline: now + .seconds(600), startingCredits: 10)
        guard case .accepted(let accepted) = try await store.submit(job) else { throw CancellationError() }
        return accepted.id
    }

    // MARK: Comparing

    /// Reads what the API shows a user.
    private struct Reader {
        let service: TestService
        let headers: HTTPHeaders

        init(_ service: TestService, _ subject: String) throws {
            self.service = service
            headers = ["Authorization": "Bearer \(try UserArchiveTests.tokens.issue(to: subject).accessToken)"]
        }

        func data(_ path: String) async throws -> JSON {
            let answer = try await service.ask(.get, path, headers: headers)
            #expect(answer.status == 200, "\(path): \(answer.text)")
            return answer["data"] ?? .null
        }

        func plain(_ path: String) async throws -> JSON {
            try await service.plain(.get, path, headers: headers).json
        }
    }

    /// The things of an archive by type, without the type.
    private struct Things {
        let lines: [JSON]

        init(_ lines: [JSON]) { self.lines = lines }

        /// `name` is the archive's name for a thing's own member `type`.
        subscript(type: String, name: String? = nil) -> [JSON] {
            lines.filter { $0["type"] == JSON(type) }.map { line in
                guard let name else { return line.without("type") }
                var members = JSONObject()
                for (member, value) in line.object ?? [:] where member != "type" {
                    members[member == name ? "type" : member] = value
                }
                return .object(members)
            }
        }
    }
}

extension JSON {
    fileprivate func without(_ name: String) -> JSON {
        .object(JSONObject((object ?? [:]).filter { $0.key != name }.map { ($0.key, $0.value) }))
    }
}

extension JobID {
    fileprivate static func random(at now: Timestamp) -> JobID {
        var generator = SystemRandomNumberGenerator()
        return JobID(at: now, using: &generator)
    }
}
