import Basics
import HTTP
import HTTPServer
import JobQueue
import JSON
import Observability
import SQLSupport
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@testable import Worker

/// Deliveries to a receiver over loopback that fails in every way.
@Suite(.timeLimit(.minutes(10))) struct WebhookDispatcherTests {
    /// A receiver whose answers depend on the path, with the requests that it got.
    private final class Receiver: Sendable {
        private let server: HTTPServer
        private let seen: SeenRequests
        let url: String

        init(_ answer: @escaping @Sendable (String, Int) async -> ServerResponse) throws {
            let seen = SeenRequests()
            server = HTTPServer(
                configuration: HTTPServerConfiguration(
                    address: "127.0.0.1:0", errorResponse: { error, _ in ServerResponse(status: error.status) })
            ) { request in
                await answer(request.path, seen.add(request))
            }
            url = try server.start().url
            self.seen = seen
        }

        func requests(at path: String) -> [ServerRequest] { seen.requests(at: path) }

        func stop() async { await server.shutdown(grace: .zero) }
    }

    private final class SeenRequests: Sendable {
        private let requests = Mutex<[ServerRequest]>([])

        /// The number of requests for its path before it.
        func add(_ request: ServerRequest) -> Int {
            requests.withLock { requests in
                let earlier = requests.count { $0.path == request.path }
                requests.append(request)
                return earlier
            }
        }

        func requests(at path: String) -> [ServerRequest] { requests.withLock { $0.filter { $0.path == path } } }
    }

    private static let key = "a key of the test"
    private static let user = UserID(rawValue: 1)

    private func endpoint(_ id: String, at url: String, in store: SQLiteStore) async throws {
        let now = try await store.now()
        _ = try await store.createWebhookEndpoint(
            WebhookEndpoint(
                id: id, owner: Self.user, url: url,
                secrets: [WebhookSecret(base64: Base64.encode(Array(Self.key.utf8)), createdAt: now)], createdAt: now),
            idempotency: nil, limit: 100)
    }

    private func delivery(_ event: String, in store: SQLiteStore) async throws -> WebhookDelivery {
        let found = try await store.webhookDeliveries(of: Self.user, WebhookDeliveryFilter(), below: .max, limit: 1000)
        return try #require(found.first { $0.event == event })
    }

    /// Waits until a delivery meets the condition.
    private func wait(
        for event: String, in store: SQLiteStore, until isReached: (WebhookDelivery) -> Bool
    ) async throws -> WebhookDelivery {
        while true {
            let delivery = try await delivery(event, in: store)
            if isReached(delivery) { return delivery }
            await Task.yield()
        }
    }

    private func with(
        schedule: [Duration] = [.zero, .zero], timeout: Duration = .seconds(60), disableAfter: Duration = .seconds(600),
        allowing: [String] = ["127.0.0.1"],
        _ answer: @escaping @Sendable (String, Int) async -> ServerResponse,
        _ body: (SQLiteStore, Receiver) async throws -> Void
    ) async throws {
        try await Fixture.with { fixture in
            let receiver = try Receiver(answer)
            let client = HTTPClient()
            var configuration = WebhookConfiguration()
            (configuration.schedule, configuration.timeout) = (schedule, timeout)
            (configuration.disableAfter, configuration.allowing) = (disableAfter, allowing)
            let number = TestSupport.Counter()
            let dispatcher = WebhookDispatcher(
                store: fixture.store, transport: client, configuration: configuration,
                pollInterval: .milliseconds(10), makeLease: { "claim \(number.increment())" }, logger: .silent)
            let running = Task { await dispatcher.run() }
            let result: Result<Void, any Error>
            do {
                try await body(fixture.store, receiver)
                result = .success(())
            } catch {
                result = .failure(error)
            }
            running.cancel()
            await receiver.stop()
            await running.value
            await client.shutdown()
            try result.get()
        }
    }

    @Test func aDeliveryIsTheSignedEventAndIsRecorded() async throws {
        try await with({ _, _ in ServerResponse(status: 204) }) { store, receiver in
            try await endpoint("ep", at: receiver.url + "/hook?a=b", in: store)
            _ = try await store.addWebhookTest("msg_1", to: "ep", of: nil)
            let delivery = try await wait(for: "msg_1", in: store) { $0.status == .delivered }
            #expect(delivery.tries.map(\.status) == [204] && delivery.tries[0].error == nil)
            let request = try #require(receiver.requests(at: "/hook").first)
            #expect(request.method == .post && request.query.map(\.name) == ["a"])
            #expect(request.headers["Content-Type"] == "application/json")
            #expect(request.headers["User-Agent"] == "Dossier-Webhooks/1")
            #expect(request.headers["webhook-id"] == "msg_1")
            let timestamp = try #require(request.headers["webhook-timestamp"])
            let signed = Array("msg_1.\(timestamp).".utf8) + request.body
            let signature = "v1," + Base64.encode(HMAC.sha256(signed, key: Array(Self.key.utf8)))
            #expect(request.headers["webhook-signature"] == signature)
            #expect(try JSON(parsing: request.body)["type"] == "webhook.test")
        }
    }

    @Test func aReceiverMayFailInEveryWay() async throws {
        let endless = ServerResponse(
            body: .stream { AsyncStream { continuation in continuation.yield([UInt8](repeating: 32, count: 100_000)) } }
        )
        var cut = ServerResponse(
            body: .stream {
                AsyncStream {
                    $0.yield([1]); $0.finish()
                }
            })
        cut.abortsConnection = true
        let aborted = cut
        try await with(timeout: .seconds(5)) { path, _ in
            switch path {
            case "/moved": ServerResponse(status: 302, headers: ["Location": "/elsewhere"])
            case "/wrong": ServerResponse(status: 400)
            case "/broken": ServerResponse(status: 500)
            case "/cut": aborted
            case "/endless": endless
            case "/silent": await never()
            default: ServerResponse()
            }
        } _: { store, receiver in
            let expected: [(String, WebhookDelivery.Status, Int?, String?)] = [
                ("moved", .failed, 302, "redirect"), ("wrong", .failed, 400, "status"),
                ("broken", .failed, 500, "status"), ("cut", .failed, 200, "connection_lost"),
                ("endless", .delivered, 200, nil), ("silent", .failed, nil, "timeout"),
                ("refused", .failed, nil, "cannot_connect"), ("good", .delivered, 200, nil),
            ]
            for (name, _, _, _) in expected {
                let url = name == "refused" ? "http://127.0.0.1:1/" : receiver.url + "/" + name
                try await endpoint(name, at: url, in: store)
                _ = try await store.addWebhookTest("msg_\(name)", to: name, of: nil)
            }
            for (name, status, code, error) in expected {
                let delivery = try await wait(for: "msg_\(name)", in: store) { $0.status != .pending }
                #expect(delivery.status == status, "\(name)")
                let tries = status == .failed ? 3 : 1
                #expect(delivery.tries.count == tries, "\(name)")
                #expect(delivery.tries.allSatisfy { $0.status == code && $0.error == error }, "\(delivery.tries)")
            }
            #expect(receiver.requests(at: "/elsewhere").isEmpty)
            let bodies = receiver.requests(at: "/broken").map(\.body)
            #expect(bodies.count == 3 && Set(bodies).count == 1, "each try has the same bytes")
        }
    }

    @Test func aPrivateAddressIsRefusedAtEachTry() async throws {
        try await with(allowing: []) { _, _ in
            ServerResponse()
        } _: { store, receiver in
            try await endpoint("ep", at: receiver.url + "/hook", in: store)
            _ = try await store.addWebhookTest("msg_1", to: "ep", of: nil)
            let delivery = try await wait(for: "msg_1", in: store) { $0.status == .failed }
            #expect(delivery.tries.map(\.error) == ["not_public", "not_public", "not_public"])
            #expect(receiver.requests(at: "/hook").isEmpty)
        }
    }

    @Test func aReceiverThatHealsIsDeliveredTo() async throws {
        try await with { _, earlier in
            ServerResponse(status: earlier < 2 ? 503 : 200)
        } _: { store, receiver in
            try await endpoint("ep", at: receiver.url + "/hook", in: store)
            _ = try await store.addWebhookTest("msg_1", to: "ep", of: nil)
            let delivery = try await wait(for: "msg_1", in: store) { $0.status == .delivered }
            #expect(delivery.tries.map(\.status) == [503, 503, 200])
            #expect(try await store.webhookEndpoint("ep", of: nil)?.failingSince == nil)
        }
    }

    @Test func anEndpointThatIsGoneOrOnlyFailsIsDisabled() async throws {
        try await with(schedule: [.seconds(900)], disableAfter: .zero) { path, _ in
            ServerResponse(status: path == "/gone" ? 410 : 500)
        } _: { store, receiver in
            for name in ["gone", "failing"] {
                try await endpoint(name, at: receiver.url + "/" + name, in: store)
                _ = try await store.addWebhookTest("msg_\(name)", to: name, of: nil)
                let delivery = try await wait(for: "msg_\(name)", in: store) { $0.status != .pending }
                #expect(delivery.status == .held)
                #expect(try await store.webhookEndpoint(name, of: nil)?.disabledBecause?.rawValue == name)
            }
        }
    }

    @Test func aSlowEndpointGetsFourTriesAtOnceAndDelaysNoOther() async throws {
        let open = Signal()
        let running = TestSupport.Counter()
        try await with { path, _ in
            if path == "/slow" {
                running.increment()
                await open.wait()
            }
            return ServerResponse()
        } _: { store, receiver in
            for name in ["slow", "quick"] { try await endpoint(name, at: receiver.url + "/" + name, in: store) }
            for number in 0..<10 { _ = try await store.addWebhookTest("msg_s\(number)", to: "slow", of: nil) }
            while running.count < 4 { await Task.yield() }
            for number in 0..<10 { _ = try await store.addWebhookTest("msg_q\(number)", to: "quick", of: nil) }
            for number in 0..<10 {
                _ = try await wait(for: "msg_q\(number)", in: store) { $0.status == .delivered }
            }
            #expect(running.count == 4)
            open.fire()
            for number in 0..<10 {
                _ = try await wait(for: "msg_s\(number)", in: store) { $0.status == .delivered }
            }
        }
    }

    @Test func aDispatcherThatStopsHandsItsTriesBack() async throws {
        let arrived = Signal()
        try await Fixture.with { fixture in
            let receiver = try Receiver { _, _ in
                arrived.fire()
                return await never()
            }
            let client = HTTPClient()
            var configuration = WebhookConfiguration()
            configuration.allowing = ["127.0.0.1"]
            let dispatcher = WebhookDispatcher(
                store: fixture.store, transport: client, configuration: configuration, pollInterval: .milliseconds(10),
                makeLease: { "claim" }, logger: .silent)
            let running = Task { await dispatcher.run() }
            try await endpoint("ep", at: receiver.url + "/hook", in: fixture.store)
            _ = try await fixture.store.addWebhookTest("msg_1", to: "ep", of: nil)
            await arrived.wait()
            running.cancel()
            await running.value
            let claimed = try await fixture.store.claimWebhooks(
                as: "other", for: .seconds(60), limit: 9, each: 4, after: 0)
            #expect(claimed.map(\.event) == ["msg_1"] && claimed.first?.attempts == 0)
            await receiver.stop()
            await client.shutdown()
        }
    }
}

/// An answer that comes only when the request's task is cancelled.
private func never() async -> ServerResponse {
    try? await Task.sleep(for: .seconds(3600))
    return ServerResponse()
}
