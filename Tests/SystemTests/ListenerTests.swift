import DossierAPI
import Foundation
import HTTP
import JSON
import Testing

extension SystemTests.Surface {
    /// The listeners of a broker: the public one with its limits, and the one of operators.
    @Suite(.serialized) struct ListenerTests {
        @Test(.timeLimit(.minutes(5)))
        func operatorsHaveAListenerOfTheirOwn() async throws {
            try await Fleet.with { fleet in
                let broker = try await fleet.startBroker(variables: ["DOSSIER_ADMIN_LISTEN": "127.0.0.1:0"])
                let record = try await broker.errors.record("listening for operators")
                let url = try #require(record["url"]?.string)
                let shown = try await fleet.transport.send(HTTPRequest(.get, url + "/metrics"))
                #expect(shown.status == 200 && shown.text.contains("dossier_http_requests_total"))
                #expect(try await fleet.transport.send(HTTPRequest(.get, url + "/api/v1/credits")).status == 404)
                #expect(try await fleet.transport.send(HTTPRequest(.get, fleet.url + "/metrics")).status == 404)
                #expect(try await fleet.transport.send(HTTPRequest(.get, fleet.url + "/api/v1/credits")).status == 200)
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func aWorkerServesItsOwnMetrics() async throws {
            try await Fleet.with { fleet in
                _ = try await fleet.startBroker()
                let worker = try await fleet.startWorker(["--metrics", "127.0.0.1:0"])
                let url = try #require(try await worker.errors.record("serving metrics")["url"]?.string)
                let job = try await fleet.submit()
                _ = try await fleet.end(of: job.id)
                let shown = try await fleet.transport.send(HTTPRequest(.get, url)).text
                for part in [
                    "dossier_build_info{version=", #"dossier_jobs_ended_total{kind="research",status="completed""#,
                    #"dossier_job_pickup_seconds_count{kind="research""#,
                    "gen_ai_client_operation_duration_seconds_count",
                    "process_resident_memory_bytes",
                ] { #expect(shown.contains(part), "\(part) is missing in \(shown)") }
                let taken = try await fleet.run(["worker", "--metrics", String(url.dropFirst(7).prefix { $0 != "/" })])
                #expect(taken.exit != .code(0) && taken.errors.contains("--metrics"), "\(taken)")
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func aStartInDevelopmentWarnsThatNobodySignsIn() async throws {
            try await Fleet.with { fleet in
                let broker = try await fleet.startBroker()
                let warning = try await broker.errors.record(
                    "nobody signs in: every client of this machine may act as any user")
                #expect(warning["level"] == "warning")
                let refused = try await fleet.run("serve", variables: ["DOSSIER_ADMIN_LISTEN": "0.0.0.0:0"])
                #expect(refused.exit == .code(2) && refused.errors.contains("0.0.0.0:0"), "\(refused)")
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func aGatewaysBrokerLogsFailedSignInsWithoutBeingAsked() async throws {
            try await Fleet.with { fleet in
                let broker = try await fleet.startBroker(variables: [
                    "DOSSIER_AUTH": "gateway", "DOSSIER_GATEWAY_SECRET": "a secret of the gateway",
                ])
                let url = fleet.url
                let answer = try await fleet.transport.send(
                    HTTPRequest(.get, url + "/api/v1/credits", headers: ["X-Gateway-Secret": "another secret"]))
                #expect(answer.status == 401)
                let line = try await broker.errors.record("sign-in failed")
                #expect(line["address"] == "127.0.0.1" && line["code"] == "AUTH_1003")
                #expect(!broker.errors.text.contains("another secret"))
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func connectionsOfOneAddressAreLimited() async throws {
            try await Fleet.with { fleet in
                let broker = try await fleet.startBroker(variables: [
                    "DOSSIER_CONNECTIONS_PER_ADDRESS": "5", "DOSSIER_RATE_LIMIT": "0",
                ])
                let job = try await fleet.submit().id
                var streams: [HTTPStreamingResponse] = []
                for _ in 0..<30 {
                    let request = HTTPRequest(.get, fleet.url + "/api/v1/jobs/\(job)/events")
                    if let stream = try? await fleet.transport.stream(request) { streams.append(stream) }
                }
                let open = streams.count { $0.status == 200 }
                #expect((1...5).contains(open), "\(streams.map(\.status))")
                #expect(streams.contains { $0.status == 503 })
                let line = try await broker.errors.record("request refused at a limit")
                #expect(line["setting"] == "DOSSIER_CONNECTIONS_PER_ADDRESS")
            }
        }
    }
}
