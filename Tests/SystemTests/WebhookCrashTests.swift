import Basics
import BrokerClient
import DossierAPI
import HTTP
import HTTPServer
import JSON
import Synchronization
import Testing

extension SystemTests.Crashes {
    /// Deliveries of webhooks by real processes that are killed in the middle.
    @Suite(.serialized) struct WebhookCrashTests {
        private static let jobs = 12

        /// A receiver that keeps what it got, and answers only from some time on.
        private final class Receiver: Sendable {
            private let server: HTTPServer
            private let requests: Requests
            let url: String

            init() throws {
                let requests = Requests()
                server = HTTPServer(
                    configuration: HTTPServerConfiguration(
                        address: "127.0.0.1:0", errorResponse: { error, _ in ServerResponse(status: error.status) })
                ) { request in
                    if requests.add(request) { return ServerResponse(status: 204) }
                    // The worker that asks dies before it hears.
                    try? await Task.sleep(for: .seconds(3600))
                    return ServerResponse(status: 500)
                }
                self.requests = requests
                url = try server.start().url
            }

            var isAnswering: Bool {
                get { requests.state.withLock(\.isAnswering) }
                set { requests.state.withLock { $0.isAnswering = newValue } }
            }

            var all: [ServerRequest] { requests.state.withLock(\.requests) }

            func stop() async { await server.shutdown(grace: .zero) }
        }

        private final class Requests: Sendable {
            struct State {
                var requests: [ServerRequest] = []
                var isAnswering = false
            }

            let state = Mutex(State())

            func add(_ request: ServerRequest) -> Bool {
                state.withLock {
                    $0.requests.append(request)
                    return $0.isAnswering
                }
            }
        }

        @Test(.timeLimit(.minutes(10)), arguments: DatabaseEngine.allCases)
        func everyEndIsDeliveredAlthoughWorkersAreKilledInTheMiddle(engine: DatabaseEngine) async throws {
            let receiver = try Receiver()
            let variables: Fleet.Variables = [
                "DOSSIER_WEBHOOK_TIMEOUT": "5 s", "DOSSIER_STARTING_CREDITS": "100",
                "DOSSIER_WEBHOOK_SCHEDULE": Array(repeating: "500 ms", count: 40).joined(separator: ", "),
            ]
            try await Fleet.with(
                variables: variables,
                database: { folder in
                    switch engine {
                    case .sqlite: SQLiteFleetDatabase(in: folder)
                    case .postgres: try await PostgresFleetDatabase()
                    }
                }
            ) { fleet in
                try await fleet.startBroker()
                let made = try await fleet.send(
                    .post, "/api/v1/webhooks/endpoints", body: ["url": JSON(receiver.url + "/hook")])
                let secret = try #require(made.data["secret"]?.string, "\(made.body)")
                let worker = try await fleet.startWorker()
                var ends: [String: String] = [:]
                for number in 0..<Self.jobs {
                    let id = try await fleet.submit().id
                    if number % 4 == 0 { _ = try await fleet.client().cancel(id) }
                    ends[id] = "job." + (try await fleet.end(of: id).status)
                }
                // The first tries are under way when their worker dies.
                try await eventually("a try") { receiver.all.count >= 4 }
                try await worker.crash()
                receiver.isAnswering = true
                _ = try await fleet.startWorker()
                try await eventually(within: .seconds(240), "the deliveries") {
                    let open = try await fleet.send(.get, "/api/v1/webhooks/deliveries?status=delivered")
                    return open.data.array?.count == Self.jobs
                }
                var seen: [String: Set<String>] = [:]
                for request in receiver.all {
                    let event = try JSON(parsing: request.body)
                    let job = try #require(event["data"]?["job_id"]?.string)
                    #expect(event["type"]?.string == ends[job] && request.body.count < 4096)
                    seen[job, default: []].insert(try #require(request.headers["webhook-id"]))
                    let timestamp = try #require(request.headers["webhook-timestamp"])
                    let id = try #require(request.headers["webhook-id"])
                    let key = try #require(Base64.decode(String(secret.dropFirst("whsec_".count))))
                    let code = HMAC.sha256(Array("\(id).\(timestamp).".utf8) + request.body, key: key)
                    #expect(request.headers["webhook-signature"] == "v1," + Base64.encode(code))
                }
                #expect(Set(seen.keys) == Set(ends.keys))
                #expect(seen.values.allSatisfy { $0.count == 1 }, "each end of a job is one event")
                let list = try await fleet.run("webhooks", "list", "--deliveries", "--json")
                #expect(list.output.split(separator: "\n").count == Self.jobs, "\(list.errors)")
                let id = try #require(seen.values.first?.first)
                let count = receiver.all.count
                let replay = try await fleet.run("webhooks", "replay", id, id, "--json")
                #expect(replay.exit == .code(0), "\(replay.errors)")
                try await eventually("the replay") { receiver.all.count > count }
                let endpoint = try #require(made.data["id"]?.string)
                let test = try await fleet.run("webhooks", "test", endpoint, "--json")
                let event = try JSON(parsing: test.output)["delivery_id"]?.string
                try await eventually("the test") { receiver.all.contains { $0.headers["webhook-id"] == event } }
                #expect(!fleet.logs.contains { $0.contains(secret.dropFirst("whsec_".count)) }, "the log has a secret")
                try await fleet.expectCleanAudit()
            }
            await receiver.stop()
        }
    }
}
