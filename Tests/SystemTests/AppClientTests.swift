import DossierClient
import Foundation
import JSON
import Synchronization
import Testing
import TestSupport

extension SystemTests.Surface {
    /// The client library for apps with real processes and the simulated models.
    @Suite(.serialized) struct AppClientTests {
        @Test(.timeLimit(.minutes(10)))
        func everyOperationIsCalledAndItsAnswerRead() async throws {
            try await Fleet.with(variables: ["FMP_API_KEY": "simulated", "NEWS_API_KEY": "simulated"]) { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                let simulated = try #require(fleet.environment["ANTHROPIC_BASE_URL"])
                let ingest = #"{"feeds": ["\#(simulated)/web/feeds/news.xml"], "categories": ["business"]}"#
                let read = try await fleet.run("submit", "ingest", "--input", ingest, "--server", fleet.url)
                #expect(read.exit == .code(0), "\(read)")

                let transport = RecordingTransport()
                let dossier = try AppClientTests.dossier(fleet.url, transport)
                try await callJobs(dossier)
                try await callNews(dossier)
                try await callStocks(dossier)
                try await callLearning(dossier, page: simulated + "/web/articles/central-bank-holds-rates")
                try await callService(dossier, fleet, transport)
                try await callAgain(dossier, transport)
                try await callDeletions(dossier)
                try await callWebhooks(dossier)
                try await callExport(dossier)
                try await callErasure(dossier)
                let missing = try await transport.missing(from: dossier.read(.openAPI).value)
                #expect(missing.isEmpty, "these operations were not called")
            }
        }

        /// Webhooks and kinds have no types of their own in the library: they are for servers and tools.
        private func callWebhooks(_ dossier: Dossier) async throws {
            let kinds = try await dossier.send(.get, "/api/v1/kinds", as: [JSONValue].self)
            #expect(kinds.contains { $0["kind"] == "research" })
            #expect(try await dossier.send(.get, "/api/v1/kinds/research", as: JSONValue.self)["credits"] == 1)
            let path = "/api/v1/webhooks/endpoints"
            let made: JSONValue = try await dossier.send(.post, path, body: ["url": "https://example.com/hook"])
            guard case .string(let id)? = made["id"] else { throw SystemFailure("no id in \(made)") }
            let read: JSONValue = try await dossier.send(.get, "\(path)/\(id)")
            #expect(read["enabled"] == true && read["secret"] == nil)
            #expect(try await dossier.send(.get, path, as: [JSONValue].self) == [read])
            let rotated: JSONValue = try await dossier.send(.post, "\(path)/\(id)/rotate", body: [:])
            #expect(rotated["secret"] != nil && rotated["secret"] != made["secret"])
            let test: JSONValue = try await dossier.send(.post, "\(path)/\(id)/test", body: [:])
            guard case .string(let event)? = test["delivery_id"] else { throw SystemFailure("no id in \(test)") }
            let deliveries = try await dossier.send(.get, "/api/v1/webhooks/deliveries", as: [JSONValue].self)
            #expect(deliveries.contains { $0["id"] == .string(event) })
            let _: JSONValue = try await dossier.send(
                .post, "/api/v1/webhooks/deliveries/\(event)/replay", body: [:])
            let _: JSONValue = try await dossier.send(.post, "\(path)/\(id)/replay", body: [:])
            #expect(try await dossier.send(.delete, "\(path)/\(id)", as: JSONValue.self)["deleted"] == true)
        }

        private func callErasure(_ dossier: Dossier) async throws {
            let deletion = try await dossier.deleteAccount()
            #expect(deletion.completeBy > .now)
            let error = await #expect(throws: DossierError.self) {
                try await dossier.read(.credits, policy: .networkOnly)
            }
            #expect(error?.code == .accountRefused)
            let isDone = try await eventually { try await dossier.deletionStatus(deletion.id).status == .completed }
            #expect(isDone)
            #expect(try await dossier.deletionStatus(deletion.id).completedAt != nil)
        }

        private func callExport(_ dossier: Dossier) async throws {
            let job = try await dossier.exportData()
            #expect(try await dossier.exportData().id == job.id)
            let isDone = try await eventually {
                let path = "/api/v1/jobs/\(job.id.rawValue)"
                return try await dossier.send(.get, path, as: JSONValue.self)["status"] == "completed"
            }
            #expect(isDone)
            let lines = try await dossier.exportedData().split(separator: UInt8(ascii: "\n")).map {
                try JSON(parsing: Array($0))
            }
            #expect(lines.first?["type"] == "export" && lines.last?["lines"] == JSON(lines.count - 1))
            let types = Set(lines.compactMap { $0["type"]?.string })
            #expect(types.isSuperset(of: ["account", "preferences", "job", "conversation", "ledger", "watchlist"]))
        }

        private func callDeletions(_ dossier: Dossier) async throws {
            let ledger = try await dossier.page(of: .ledger()).items
            let paid = try #require(ledger.first { $0.type == .settle && $0.kind == "research" }?.jobID)
            let credits = try await dossier.read(.credits, policy: .networkOnly)
            #expect(ledger.first.map { $0.after.remaining + $0.after.held } == credits.remaining + credits.held)
            let settled = ledger.filter { $0.type == .settle && $0.kind == "research" }.map(\.amount)
            #expect(try await dossier.read(.statement()).used["research"] == settled.reduce(0, +))
            #expect(try await dossier.read(.receipt(of: paid)).charged == 1)
            #expect(try await dossier.deleteReport(paid).deleted)
            let error = await #expect(throws: DossierError.self) { try await dossier.deleteReport(paid) }
            #expect(error?.code == .notFound)
            let explained = try #require(try await dossier.page(of: .jobs(kind: .explanation)).items.first?.id)
            #expect(try await dossier.deleteJob(explained).deleted)
            let conversation = try #require(try await dossier.page(of: .conversations()).items.first)
            #expect(try await dossier.deleteConversation(conversation.id).turnsDeleted == conversation.turns)
        }

        private func callJobs(_ dossier: Dossier) async throws {
            let tap = Submission(ResearchInput(ticker: "AAPL", persona: "buffett"))
            var report: ResearchReport?
            var job: Job?
            for try await event in dossier.jobs.run(tap) {
                job = event.job
                if case .completed(let result, _) = event { report = result }
            }
            let id = try #require(job?.id)
            #expect(report?.prose.company.ticker == "AAPL" && report?.facts.isEmpty == false)
            #expect(try await dossier.submissions.unfinished().isEmpty)
            let again: ResearchReport = try await dossier.jobs.result(of: id)
            #expect(again == report)
            let input = try await dossier.jobs.input(of: id, as: JSONValue.self)
            #expect(input["ticker"] == "AAPL" && input["persona"] == "buffett")
            #expect(try await dossier.jobs.job(id).revision == job?.revision)
            #expect(try await dossier.page(of: .jobs(kind: .research)).items.map(\.id) == [id])
            #expect(try await dossier.read(.report(id)).result == report)
            #expect(try await dossier.page(of: .reports()).items.first?.id == id)
            #expect(try await dossier.reportStatus(id).status == .completed)

            let comparing = try await dossier.compare(ComparisonInput(tickers: ["AAPL", "SNOW"], persona: "buffett"))
            for try await _ in dossier.jobs.updates(of: [comparing.id]) {}
            let comparison: Comparison = try await dossier.jobs.result(of: comparing.id)
            #expect(comparison.comparison.by == .companies && comparison.comparison.text != nil)
            #expect(comparison.comparison.columns.map(\.company.ticker) == ["AAPL", "SNOW"])

            let ticket = try await dossier.generateReport(ticker: "SNOW", persona: "wood")
            #expect(try await dossier.jobs.cancel(ticket.reportID).isFinished)
            let retried = try await dossier.jobs.retry(ticket.reportID)
            for try await _ in dossier.jobs.updates(of: [retried.id, id]) {}
            let patient = Submission(ResearchInput(ticker: "AAPL", persona: "graham"), within: .seconds(7200))
            let batched = try await dossier.jobs.submit(patient)
            #expect(batched.estimatedAt.map { $0 > batched.createdAt } == true)
            #expect(try await dossier.jobs.cancel(batched.id).isFinished)
            try await dossier.submissions.discard(patient.id)
            let changes = try await dossier.read(.changes(of: id, since: id))
            #expect(changes.unchanged == report?.facts.count && changes.changed.isEmpty && !changes.verdict.changed)
        }

        private func callNews(_ dossier: Dossier) async throws {
            let groups = try await dossier.read(.storyGroups())
            let story = try #require(groups.global.first)
            let explanation = try await dossier.jobs.output(
                of: Submission(ExplanationInput(story: story.id, holdings: [])))
            #expect(explanation.explanation.isWritten)
            #expect(try await dossier.updatePreferences(focus: .broad, holdings: ["AAPL", "BRK.B"]).holdingsCount == 2)
            #expect(try await dossier.read(.preferences).holdings?.map(\.ticker) == ["AAPL", "BRK-B"])
            #expect(try await !dossier.page(of: .feed(pageSize: 2)).items.isEmpty)
            #expect(try await !dossier.page(of: .personalizedFeed()).items.isEmpty)
            _ = try await dossier.jobs.output(of: Submission(UntypedInput(kind: .brief, input: [:])))
            #expect(try await dossier.read(.latestBrief).generatedAt != nil)

            var headlines: [Article] = []
            for try await article in dossier.items(of: .headlines(.business, pageSize: 3)) { headlines.append(article) }
            let article = try #require(headlines.first)
            #expect(Set(headlines.map(\.id)).count == headlines.count)
            #expect(try await dossier.read(.article(article.id)).contentIsWhole != nil)
            _ = try await dossier.page(of: .newsSearch("central bank"))
            _ = try await dossier.read(.newsAvailability)
            #expect(try await dossier.read(.summary(of: article.id)).formFactor == .phone)
            let answer = try await dossier.ask("What does it say?", about: article.id, formFactor: .watch)
            #expect(answer.articleID == article.id)
            let lesson = try await dossier.ask("What is a margin of safety?")
            #expect(try await dossier.read(.conversation(lesson.conversationID)).messages?.count == 2)
            #expect(try await dossier.page(of: .conversations()).items.count == 2)
            _ = try await dossier.interpret("Apple announces a new product line and raises its dividend.")
        }

        private func callStocks(_ dossier: Dossier) async throws {
            #expect(try await dossier.read(.stock("AAPL")).name != nil)
            #expect(try await dossier.read(.fundamentals("AAPL", limit: 2)).value.count >= 2)
            #expect(try await dossier.read(.stockSearch("apple")).value.first?.ticker == "AAPL")
            let listed = try await dossier.read(.filings("AAPL")).value
            let annual = try #require(listed.first { $0.role == .annualReport })
            let text = try await dossier.read(.filing(annual.id, item: "1A", limit: 3))
            #expect(text.paragraphs.count == 3 && text.paragraphs.allSatisfy { $0.item == "1A" } && text.next == 3)
            try await dossier.addToWatchlist("AAPL")
            #expect(try await dossier.read(.watchlist).value.map(\.ticker) == ["AAPL"])
            #expect(try await dossier.removeFromWatchlist("AAPL").removed)
            let prices = try await dossier.read(.prices("AAPL"))
            #expect(prices.interval == .day && prices.bars.allSatisfy { $0.low <= $0.high } && prices.bars.count > 200)
            let training = TrainingInput(symbol: "AAPL", lookbackDays: 1095)
            let trained = try await whenFinished { try await dossier.read(.training(training)) }
            #expect(trained.status == "success")
            let quality = try await whenFinished {
                try await dossier.read(.forecastQuality(ForecastInput(symbol: "AAPL")))
            }
            #expect(quality.qualityScore <= 1)
        }

        /// A training takes longer than the server lets a request wait where the machine is busy; the job goes on, and the
        /// next request gets its result.
        private func whenFinished<Value>(_ request: () async throws -> Value) async throws -> Value {
            while true {
                do { return try await request() } catch let error as DossierError where error.status == 504 {}
            }
        }

        private func callLearning(_ dossier: Dossier, page: String) async throws {
            let analysis = try await dossier.analyze(
                AnalysisInput(
                    contentURL: page, userIDHash: "h", goalID: "g", goalDescription: "Understand interest rates"))
            #expect(!analysis.concepts.isEmpty)
            let due = try await dossier.page(of: .dueCards())
            let card = try #require(due.items.first, "the analysis made no card")
            #expect(analysis.recallQuestions.contains { $0.cardID == card.id })
            let export = try await dossier.read(.recallExport())
            #expect(export.cards.map(\.id).contains(card.id))
            #expect(try await dossier.importCards(export.value).unchanged == export.cards.count)

            let grade = try await dossier.answer(card.id, with: card.options?.first ?? "x")
            #expect(grade.cardID == card.id && grade.counted)
            #expect(try await dossier.read(.recallCard(card.id)).reviews?.count == 1)
            #expect(try await dossier.page(of: .recallConcepts()).items.first?.concept == card.concept)
            for open in due.items where open.type == .open {
                #expect(try await dossier.rate(open.id, .good).rating == .good)
            }
            #expect(try await dossier.removeCard(card.id).removed)
        }

        private func callService(_ dossier: Dossier, _ fleet: Fleet, _ transport: RecordingTransport) async throws {
            #expect(try await dossier.read(.health).status == "ok")
            #expect(try await dossier.read(.readiness).status == "ready")
            #expect(try await dossier.read(.metrics).value.contains("# TYPE"))
            #expect(try await dossier.read(.personas).value.contains { $0.id == "buffett" })
            let credits = try await dossier.read(.credits, policy: .networkOnly)
            #expect(credits.granted == credits.remaining + credits.held + credits.used)
            #expect(try await dossier.read(.currentUser).credits == credits.value)
            // This server takes no tokens; it says so in a form that the library reads.
            let old = TokenPair(accessToken: "a", refreshToken: "r", expiresAt: .distantPast)
            let session = TokenSession(
                server: dossier.server, storage: MemoryTokenStorage(old), transport: transport)
            for call in [{ try await session.signIn(supabaseToken: "s") }, { _ = try await session.authorized() }] {
                let error = await #expect(throws: DossierError.self) { try await call() }
                #expect(error?.code == .notFound, "\(String(describing: error))")
            }
        }

        /// What the library writes is what the server wrote, without what the library does not know.
        private func callAgain(_ dossier: Dossier, _ transport: RecordingTransport) async throws {
            func check<Value: Codable>(_ value: Value, _ member: String? = nil) throws {
                let whole = try JSONDecoder().decode(JSONValue.self, from: transport.lastBody)
                let wire = member.flatMap { whole[$0] } ?? whole
                let written = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder.dossier.encode(value))
                #expect(difference(written, wire) == nil, "\(Value.self)")
                // The type of a result says its kind.
                #expect(lost(written, wire).filter { $0 != ".kind" } == [], "\(Value.self)")
            }
            let reports = try await dossier.page(of: .reports())
            let done = try #require(reports.items.first { $0.status == .completed })
            try check(reports.items, "data")
            try check(try await dossier.read(.report(done.id), policy: .networkOnly).value, "data")
            try check(try await dossier.read(.storyGroups(), policy: .networkOnly).value)
            try check(try await dossier.page(of: .feed()).items, "items")
            try check(try await dossier.page(of: .personalizedFeed()).items, "items")
            try check(try await dossier.page(of: .headlines()).items, "data")
            try check(try await dossier.read(.stock("AAPL"), policy: .networkOnly).value, "data")
            try check(try await dossier.read(.preferences, policy: .networkOnly).value)
            try check(try await dossier.read(.latestBrief, policy: .networkOnly).value)
            try check(try await dossier.read(.newsAvailability, policy: .networkOnly).value, "data")
            try check(try await dossier.read(.personas, policy: .networkOnly).value, "data")
            try check(try await dossier.read(.fundamentals("AAPL"), policy: .networkOnly).value, "data")
            try check(try await dossier.read(.stockSearch("apple"), policy: .networkOnly).value, "data")
            let filings = try await dossier.read(.filings("AAPL"), policy: .networkOnly).value
            try check(filings, "data")
            let filing = try #require(filings.first)
            try check(try await dossier.read(.filing(filing.id, limit: 5), policy: .networkOnly).value, "data")
            try check(try await dossier.addToWatchlist("AAPL"), "data")
            try check(try await dossier.read(.watchlist, policy: .networkOnly).value, "data")
            try check(try await dossier.page(of: .jobs()).items, "data")
            try check(try await dossier.jobs.job(done.id), "data")
            try check(try await dossier.reportStatus(done.id), "data")
            try check(try await dossier.generateReport(ticker: "SNOW", persona: "lynch"), "data")
            try check(try await dossier.jobs.result(of: done.id, as: ResearchReport.self), "data")
            let story = try #require(try await dossier.read(.storyGroups()).global.first)
            let told = try await dossier.jobs.submit(Submission(ExplanationInput(story: story.id, holdings: ["AAPL"])))
            for try await _ in dossier.jobs.updates(of: told.id) {}
            try check(try await dossier.jobs.result(of: told.id, as: Explanation.self), "data")
            try check(try await dossier.interpret("Apple announces a new product line and raises its dividend."))
            let article = try #require(try await dossier.page(of: .headlines()).items.first)
            try check(try await dossier.read(.article(article.id), policy: .networkOnly).value, "data")
            try check(try await dossier.read(.summary(of: article.id), policy: .networkOnly).value, "data")
            let answer = try await dossier.ask("What does it say?", about: article.id)
            try check(answer, "data")
            try check(try await dossier.ask("What is a margin of safety?"), "data")
            try check(try await dossier.page(of: .conversations()).items, "data")
            try check(
                try await dossier.read(.conversation(answer.conversationID), policy: .networkOnly).value, "data")
            try check(try await dossier.page(of: .dueCards()).items, "data")
            try check(try await dossier.page(of: .recallConcepts()).items, "data")
            try check(try await dossier.updatePreferences(focus: .balanced))
            try check(try await dossier.read(.prices("AAPL"), policy: .networkOnly).value, "data")
            try check(try await dossier.read(.changes(of: done.id, since: done.id), policy: .networkOnly).value, "data")
            try check(try await dossier.read(.recallExport()).value, "data")
            try check(try await dossier.read(.currentUser, policy: .networkOnly).value, "data")
            let training = TrainingInput(symbol: "AAPL", lookbackDays: 1095)
            try check(
                try await whenFinished { try await dossier.read(.training(training), policy: .networkOnly).value })
            try check(
                try await whenFinished {
                    try await dossier.read(.forecastQuality(ForecastInput(symbol: "AAPL")), policy: .networkOnly).value
                })
        }

        /// Where something was written that the wire does not have.
        private func difference(_ written: JSONValue, _ wire: JSONValue, _ place: String = "") -> String? {
            switch (written, wire) {
            case (.object(let members), .object(let others)):
                return members.lazy.compactMap { name, value in
                    others[name].map { difference(value, $0, "\(place).\(name)") } ?? "\(place).\(name) is new"
                }.first
            case (.array(let elements), .array(let others)):
                if elements.count != others.count { return "\(place) has \(elements.count) elements" }
                return zip(elements, others).lazy.compactMap { difference($0, $1, place + "[]") }.first
            case (.string(let text), .string(let other)):
                // The wire has three forms of a time, the library one.
                return text == other || (time(text) != nil && time(text) == time(other)) ? nil : "\(place): \(text)"
            case (.integer(let number), .number(let other)): return Double(number) == other ? nil : place
            case (.number(let number), .integer(let other)): return number == Double(other) ? nil : place
            default: return written == wire ? nil : "\(place): \(written) is not \(wire)"
            }
        }

        /// The places where the wire has something that was not written. Nulls are lost, and a text for what is not known.
        private func lost(_ written: JSONValue?, _ wire: JSONValue, _ place: String = "") -> Set<String> {
            switch (written, wire) {
            case (_, .null), (nil, ""): []
            case (nil, _): [place]
            case (.object(let members)?, .object(let others)):
                others.reduce(into: []) { $0.formUnion(lost(members[$1.key], $1.value, "\(place).\($1.key)")) }
            case (.array(let elements)?, .array(let others)):
                zip(elements, others).reduce(into: []) { $0.formUnion(lost($1.0, $1.1, place + "[]")) }
            default: []
            }
        }

        private func time(_ text: String) -> Date? {
            try? JSONDecoder.dossier.decode([Date].self, from: Data("[\"\(text)\"]".utf8)).first
        }

        // MARK: A bad network

        @Test(.timeLimit(.minutes(5)))
        func oneTapIsOneJobAndOneCreditThroughABadNetwork() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                let port = try #require(URL(string: fleet.url)?.port)
                // Every kind of trouble, again and again, for each kind of request.
                let fates: [HostileProxy.Fate] = [
                    .dropBefore, .dropAfter, .cut(after: 760), .garbage, .portal, .answer(503, "busy"), .duplicate,
                    .answer(429, #"{"error":{"code":"VAL_3006","message":""}}"#), .pass,
                ]
                let proxy = try HostileProxy(to: UInt16(port)) { fates[$0.number % fates.count] }
                defer { proxy.close() }
                let folder = URL(filePath: fleet.folder).appending(path: "app")
                for number in 1...3 {
                    let tap = Submission(ResearchInput(ticker: "AAPL", persona: "buffett"))
                    var output: ResearchReport?
                    var launches = 0
                    while output == nil, launches < 50 {
                        launches += 1
                        // A new client each time: the app was killed and launched again.
                        let dossier = try AppClientTests.dossier(
                            proxy.url.absoluteString, URLSessionTransport(), folder)
                        let saved = try await dossier.submissions.unfinished().first
                        let again = try saved?.submission(of: ResearchInput.self) ?? tap
                        #expect(again == tap)
                        output = try? await dossier.jobs.output(of: again)
                    }
                    #expect(output?.prose.company.ticker == "AAPL")
                    try await fleet.expectBalance(used: number)
                }
                let direct = try AppClientTests.dossier(fleet.url, URLSessionTransport())
                #expect(try await direct.page(of: .jobs()).totalItems == 3)
                try await fleet.expectCleanAudit()
            }
        }

        private static func dossier(
            _ url: String, _ transport: any Transport, _ folder: URL? = nil
        ) throws -> Dossier {
            var configuration = Dossier.Configuration(directory: folder)
            configuration.transport = transport
            configuration.connectivity = ConnectivityMonitor()
            configuration.retryBudget = .unlimited
            // Pauses are a hundredth of what they are for people; deadlines stay.
            configuration.pacing.sleep = { try await Task.sleep(for: $0 < .seconds(20) ? $0 / 100 : $0) }
            let server = try #require(URL(string: url))
            return Dossier(
                server: server, authentication: DevelopmentAuthentication(user: "1"), configuration: configuration)
        }
    }
}

extension TokenSession {
    /// Signs a request of its own.
    fileprivate func authorized() async throws -> TransportRequest {
        var request = TransportRequest(.get, URL(filePath: "/"))
        try await authorize(&request)
        return request
    }
}

/// Keeps which operations were called.
private final class RecordingTransport: Transport {
    private let inner = URLSessionTransport()
    private let called = Mutex<Set<String>>([])
    private let body = Mutex(Data())

    /// The body of the last answer.
    var lastBody: Data { body.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        note(request)
        let response = try await inner.send(request)
        body.withLock { $0 = response.body }
        return response
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream {
        note(request)
        return try await inner.stream(request)
    }

    private func note(_ request: TransportRequest) {
        called.withLock { _ = $0.insert("\(request.method.rawValue) \(request.url.path)") }
    }

    /// The operations of the API's description that were not called. The library is for apps: it calls no address of
    /// operators and no page.
    func missing(from document: JSONValue) throws -> [String] {
        guard case .object(let paths)? = document["paths"] else { throw SystemFailure("the document has no paths") }
        let called = called.withLock { $0 }.map { $0.split(separator: "/", omittingEmptySubsequences: false) }
        return paths.flatMap { path, operations -> [String] in
            guard case .object(let methods) = operations else { return [] }
            let names = Set(methods.keys.map { $0.uppercased() }).intersection(["GET", "POST", "PUT", "DELETE"])
            return names.filter { method in
                let wanted = "\(method) \(path)".split(separator: "/", omittingEmptySubsequences: false)
                return !called.contains { call in
                    call.count == wanted.count && zip(call, wanted).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
                }
            }.map { "\($0) \(path)" }
        }.filter { !$0.contains(" /api/v1/admin/") && $0 != "GET /docs" }.sorted()
    }
}
