import DossierAPI
import Foundation
import HTTP
import JSON
import Simulator
import Testing

extension SystemTests.Surface {
    @Suite(.serialized) struct SecretTests {
        private static let marker = "marker-5b1f0c7e"

        @Test(.timeLimit(.minutes(10)))
        func keysAreInNoLogAnswerOrFile() async throws {
            let key = Self.marker
            try await Fleet.with(variables: [
                "ANTHROPIC_API_KEY": "\(key)-claude", "FMP_API_KEY": "\(key)-fmp", "OPENAI_API_KEY": "\(key)-openai",
                "NEWS_API_KEY": "\(key)-news", "SUPABASE_JWT_SECRET": "\(key)-supabase",
                "DOSSIER_JWT_SECRET": "\(key)-tokens-and-as-long-as-they-must-be", "DOSSIER_AUTH": "gateway",
                "DOSSIER_GATEWAY_SECRET": "\(key)-gateway",
            ]) { fleet in
                // The prices' address answers with errors, and nothing listens at the second model's.
                let variables: Fleet.Variables = [
                    "FMP_BASE_URL": fleet.environment["ANTHROPIC_BASE_URL"], "GEMINI_API_KEY": "\(key)-gemini",
                    "GEMINI_BASE_URL": "http://127.0.0.1:1", "NEWS_API_BASE_URL": "http://127.0.0.1:1",
                ]
                for (number, fault) in [FaultAction.status(401), .status(400), .refusal].enumerated() {
                    fleet.fail(fault, user: number + 1)
                }
                try await fleet.startBroker(["--verbose"], variables: variables)
                let worker = try await fleet.startWorker(["--verbose"], variables: variables)
                var said = try await runJobs(in: fleet)
                worker.signal(SIGTERM)
                _ = try await worker.ended()
                said += await commands(in: fleet, variables)
                for text in said { #expect(!text.contains(key), "a key was shown: \(text.prefix(400))") }
                for log in fleet.logs { #expect(!log.contains(key), "a key stands in a log") }
                for name in try fleet.files() {
                    let bytes = FileManager.default.contents(atPath: fleet.folder + "/" + name) ?? Data()
                    #expect(bytes.range(of: Data(key.utf8)) == nil, "a key stands in \(name)")
                }
                #expect(try fleet.files().contains("dossier.db"))
            }
        }

        /// All answers to a client about jobs that fail in several ways and one that completes.
        private func runJobs(in fleet: Fleet) async throws -> [String] {
            var said: [String] = []
            for user in 1...4 {
                func send(_ method: HTTPMethod, _ path: String, _ body: JSON? = nil) async throws -> Fleet.Answer {
                    let headers: HTTPHeaders = ["X-Gateway-Secret": Self.marker + "-gateway"]
                    let answer = try await fleet.send(method, path, user: user, headers: headers, body: body)
                    said.append("\(answer)")
                    return answer
                }
                _ = try await send(.get, "/api/v1/news/top-headlines")
                let order: JSON = ["kind": "research", "input": ["ticker": "AAPL", "persona": "buffett"]]
                let id = try await send(.post, "/api/v1/jobs", order).data["id"]?.string ?? ""
                var job = try await send(.get, "/api/v1/jobs/\(id)?wait=60")
                while ["pending", "processing"].contains(job.data["status"]?.string) {
                    job = try await send(.get, "/api/v1/jobs/\(id)?wait=60")
                }
                #expect(job.data["status"]?.string == (user == 4 ? "completed" : "failed"), "\(job)")
                _ = try await send(.get, "/api/v1/jobs/\(id)/result")
                let refused = try await fleet.send(.get, "/api/v1/jobs/\(id)", user: user)
                #expect(refused.status == 401, "a request passed by the gateway")
                said.append("\(refused)")
            }
            return said
        }

        private func commands(in fleet: Fleet, _ variables: Fleet.Variables) async -> [String] {
            var said: [String] = []
            for words in [["doctor"], ["doctor", "--json"], ["costs"], ["prompts", "list"], ["jobs", "list"]] {
                guard let result = try? await fleet.run(words, variables: variables) else { continue }
                said += [result.output, result.errors]
            }
            return said
        }
    }
}
