import JSON
import Simulator
import Testing

extension SystemTests.Surface {
    @Suite struct FetchTests {
        private func withSimulator(_ body: (String, Fleet) async throws -> Void) async throws {
            try await Fleet.with { fleet in
                let simulator = Simulator()
                let url = try simulator.start()
                do {
                    try await body(url, fleet)
                } catch {
                    await simulator.stop()
                    throw error
                }
                await simulator.stop()
            }
        }

        @Test(.timeLimit(.minutes(1)))
        func anArticleIsPrintedAsJSON() async throws {
            try await withSimulator { url, fleet in
                let call = ["fetch", url + "/web/articles/central-bank-holds-rates"]
                let result = try await fleet.run(
                    call, variables: Simulator.environment(at: url).mapValues { Optional($0) })
                #expect(result.exit == .code(0), "\(result)")
                let json = try JSON(parsing: result.output)
                #expect(json.object?.keys == ["title", "byline", "site", "language", "published_at", "text"])
                #expect(json["byline"] == "Ada Example" && json["site"] == "Simulated Wire" && json["language"] == "en")
                #expect(json["text"]?.string?.hasPrefix("The central bank left") == true)
                let closed = try await fleet.run(call, variables: ["DOSSIER_FETCH_ALLOW": ""])
                #expect(closed.exit == .code(1) && closed.output.isEmpty)
                #expect(closed.errors == "dossier: the address is not on the public web")
            }
        }

        @Test(.timeLimit(.minutes(1)))
        func aVideoIsPrintedOrTheReasonForTheFailure() async throws {
            try await withSimulator { url, fleet in
                let environment = Simulator.environment(at: url).mapValues { Optional($0) }
                let result = try await fleet.run(["fetch", "https://youtu.be/simulated01"], variables: environment)
                #expect(result.exit == .code(0), "\(result)")
                #expect(try JSON(parsing: result.output)["site"] == "YouTube")
                let silent = try await fleet.run(["fetch", "https://youtu.be/simulated02"], variables: environment)
                #expect(silent.exit == .code(1) && silent.errors == "dossier: the video has no captions")
            }
        }

        @Test(.timeLimit(.minutes(1)))
        func aMalformedAllowanceIsRefused() async throws {
            try await Fleet.with { fleet in
                let result = try await fleet.run(
                    ["fetch", "http://example.com/"], variables: ["DOSSIER_FETCH_ALLOW": "10.0.0.0/99"])
                #expect(result.exit == .code(2) && result.errors.contains("DOSSIER_FETCH_ALLOW"))
            }
        }
    }
}
