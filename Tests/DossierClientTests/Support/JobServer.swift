import Foundation
import Synchronization

@testable import DossierClient

/// A server of jobs behind a scripted transport: it makes one job for each key, and each job is completed when it has
/// been read a few times.
final class JobServer: Sendable {
    struct State {
        var jobs: [String: (id: String, body: Data, reads: Int)] = [:]
    }

    private let state = Mutex(State())
    let transport: ScriptedTransport

    /// Loses answers that the server has given, and gives others before it sees a request.
    init(
        ending: String = "completed", loses: @escaping @Sendable (TransportRequest, Int) -> Bool = { _, _ in false },
        refuses: @escaping @Sendable (TransportRequest, Int) -> TransportResponse? = { _, _ in nil }
    ) {
        let answer = Mutex<(@Sendable (TransportRequest) -> TransportResponse)?>(nil)
        transport = ScriptedTransport { request, number in
            if let refusal = refuses(request, number) { return refusal }
            let response = answer.withLock { $0 }?(request) ?? .dossier(500)
            if loses(request, number) { throw DossierError(.connectionLost) }
            return response
        }
        answer.withLock { $0 = { [weak self] in self?.answer($0, ending) ?? .dossier(500) } }
    }

    /// Jobs by key.
    var jobs: [String: String] { state.withLock { $0.jobs.mapValues(\.id) } }

    private func answer(_ request: TransportRequest, _ ending: String) -> TransportResponse {
        let path = request.url.path
        return state.withLock { state in
            if request.method == .post, path == "/api/v1/jobs" {
                let key = request.headers["Idempotency-Key"] ?? UUID().uuidString
                if let known = state.jobs[key], known.body != request.body {
                    return .failure(409, "BIZ_2006")
                }
                let job = state.jobs[key] ?? ("j\(state.jobs.count + 1)", request.body ?? Data(), 0)
                state.jobs[key] = job
                return .data(jobJSON(job.id), status: 202)
            }
            guard let found = state.jobs.first(where: { path.contains($0.value.id) }) else {
                return .failure(404, "BIZ_2005")
            }
            if path.hasSuffix("/result") { return .data(#"{"answer":42}"#) }
            state.jobs[found.key]?.reads += 1
            let reads = found.value.reads + 1
            let status = path.hasSuffix("/cancel") ? "cancelled" : reads < 3 ? "processing" : ending
            return .data(
                jobJSON(found.value.id, status, progress: min(100, reads * 30)), headers: ["ETag": "\"\(reads)\""])
        }
    }
}

/// An input of a kind that was added on the server.
struct QuizInput: JobInput {
    struct Output: Codable, Sendable, Equatable { let answer: Int }
    var kind: Job.Kind { "quiz" }
    let topic: String
    var lastSeenAt: Date?
}
