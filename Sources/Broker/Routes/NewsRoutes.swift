internal import Digest
internal import DossierAPI
internal import JSON
internal import JobQueue

/// `/v1`: news as the app for calm investors asks for them.
struct NewsRoutes: Sendable {
    let waiting: AwaitedJobs

    /// `POST /v1/interpret`: whether a text or an address matters to somebody who invests, answered when its job has
    /// ended.
    func interpret(_ call: Call) async throws(APIError) -> Reply {
        let body = try call.body()
        let input = body.value ?? [:]
        var options = Submitter.Options()
        options.joinKey = "interpret/" + SHA256.hex(input.canonical)
        options.idempotency = try waiting.jobs.idempotency(call, body)
        let (job, result) = try await waiting.result(of: "interpret", input: input, options: options, call: call)
        var answer = result
        answer["job_id"] = JSON(job.id.description)
        return Reply(answer)
    }
}
