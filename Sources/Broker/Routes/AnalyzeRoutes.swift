internal import Basics
internal import DossierAPI
internal import JSON
internal import JobQueue

/// `POST /api/analyze`: what an article or a video teaches, answered when its job has ended.
struct AnalyzeRoutes: Sendable {
    static let kind = "analyze"

    let waiting: AwaitedJobs

    func analyze(_ call: Call) async throws(APIError) -> Reply {
        let body = try call.body()
        var input = body.value ?? [:]
        for name in ["known_concepts", "weak_concepts"] where input[name] == .null { input[name] = nil }
        var options = Submitter.Options()
        options.uniqueKey = "analyze/" + SHA256.hex(input.canonical)
        options.idempotency = try waiting.jobs.idempotency(call, body)
        do {
            let (job, result) = try await waiting.result(of: Self.kind, input: input, options: options, call: call)
            var answer = result
            answer["trace_id"] = JSON(job.id.description)
            return Reply(answer)
        } catch {
            throw error.namingTheAddress
        }
    }
}

extension APIError {
    /// The same error with what is wrong about the address said of the field that holds it.
    fileprivate var namingTheAddress: APIError {
        var copy = self
        if code == .contentUnavailable { copy.problems = [("content_url", message)] }
        for index in copy.problems.indices where copy.problems[index].path == "content_url" {
            guard copy.problems[index].problem.contains("pattern") else { continue }
            copy.problems[index].problem = "must be the address of a web page, with http or https"
            if details?["field"] == "content_url" { copy.message = "'content_url' \(copy.problems[index].problem)." }
        }
        return copy
    }
}
