import Broker
import DossierAPI
import DossierClient
import Foundation
import HTTP
import HTTPServer
import JSON
import JobQueue
import Observability
import SQLiteStore
import Testing

/// A broker that listens, over a database of its own, and a client to ask it with.
struct Service: Sendable {
    let broker: Broker
    let store: SQLiteStore
    let client: HTTPClient
    let url: String
    let port: Int
    let time: ManualTime

    /// Runs a service for as long as the body takes.
    static func with(
        _ change: (inout BrokerConfiguration) -> Void = { _ in }, news: NewsSources = NewsSources(),
        stocks: StockSources = StockSources(), _ body: (Service) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "dossier-broker-\(UUID().uuidString)")
        let store = try await SQLiteStore.open(path: folder.appending(path: "dossier.db").path)
        let outcome: Result<Void, any Error>
        do {
            try await run(over: store, time: ManualTime(), change, news, stocks, body)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await store.close()
        try? FileManager.default.removeItem(at: folder)
        try outcome.get()
    }

    /// Runs another broker over the same store, with the same clock.
    func beside(
        _ change: (inout BrokerConfiguration) -> Void, _ body: (Service) async throws -> Void
    ) async throws { try await Self.run(over: store, time: time, change, NewsSources(), StockSources(), body) }

    private static func run(
        over store: SQLiteStore, time: ManualTime, _ change: (inout BrokerConfiguration) -> Void,
        _ news: NewsSources, _ stocks: StockSources, _ body: (Service) async throws -> Void
    ) async throws {
        var configuration = BrokerConfiguration()
        configuration.rateLimit = 0
        change(&configuration)
        let broker = Broker(
            configuration: configuration, store: store, records: store,
            bundle: try await CurrentBundle(SampleBundle.bundle(), storedIn: store), news: news, stocks: stocks,
            now: { time.now }, logger: .silent)
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(
                address: "127.0.0.1:0", errorResponse: { broker.errorResponse($0, at: $1) }), handler: broker.handler)
        let address = try server.start()
        let running = Task { await broker.run() }
        let service = Service(
            broker: broker, store: store, client: HTTPClient(), url: address.url, port: address.port, time: time)
        let outcome: Result<Void, any Error>
        do {
            try await body(service)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await service.client.shutdown()
        await server.shutdown(grace: .zero)
        running.cancel()
        await running.value
        try outcome.get()
    }

    // MARK: Asking

    /// Asks, and holds the answer's envelope against what every answer must have.
    func ask(
        _ method: HTTPMethod, _ path: String, _ body: JSON? = nil, headers: HTTPHeaders = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await ask(method, path, bytes: body?.utf8 ?? [], headers: headers, sourceLocation: sourceLocation)
    }

    /// Sends bytes, said to be JSON when the headers do not say otherwise.
    func ask(
        _ method: HTTPMethod, _ path: String, bytes: [UInt8], headers: HTTPHeaders = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        var headers = headers
        if !bytes.isEmpty, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
        var limits = HTTPLimits()
        limits.total = .seconds(300)
        let response = try await client.send(
            HTTPRequest(method, url + path, headers: headers, body: bytes, limits: limits))
        try AnswerSchemas.check(response, to: method, path, of: self, sourceLocation: sourceLocation)
        return try Answer(response, toHead: method == .head, sourceLocation: sourceLocation)
    }

    func dossier(_ user: String? = nil) -> DossierClient {
        DossierClient(baseURL: url, user: user, transport: client)
    }

    // MARK: What tests do again and again

    static let order: JSON = ["ticker": "AAPL", "persona": "ann"]

    /// Submits a job that must be accepted; returns its id.
    func submit(
        _ kind: String = "research", input: JSON = order, user: String = "1",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JobID {
        let answer = try await ask(
            .post, "/api/v1/jobs", ["kind": JSON(kind), "input": input], headers: ["X-User-ID": user],
            sourceLocation: sourceLocation)
        try #require(answer.status == 202, "\(answer.text)", sourceLocation: sourceLocation)
        return try #require(answer["data"]?["id"]?.string.flatMap(JobID.init), sourceLocation: sourceLocation)
    }

    /// `3 granted, 2 left, 1 held, 0 used`
    func credits(user: String = "1") async throws -> String {
        let answer = try await ask(.get, "/api/v1/credits", headers: ["X-User-ID": user])
        let credits = try answer.decoded(as: CreditsResource.self)
        return "\(credits.granted) granted, \(credits.remaining) left, \(credits.held) held, \(credits.used) used"
    }
}
