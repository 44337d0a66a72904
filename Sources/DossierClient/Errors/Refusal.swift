internal import Foundation

extension DossierError {
    /// The error of an answer, in any of the three forms: the envelope, that of `/v1` and of forecasts, and that of
    /// `/api/analyze`.
    init(refusal body: Data, status: Int, headers: [String: String]) {
        let answer = (try? JSONDecoder().decode(JSONValue.self, from: body)) ?? .null
        // The envelope has an object where the others have a sentence.
        let error = answer["error"]?["code"] == nil ? answer : answer["error"] ?? answer
        let details = error["details"] ?? .null
        let sentences = [answer["error"]?.string, error["message"]?.string, details.string]
        let jobID = [details["job_id"], error["job_id"], error["trace_id"]].lazy.compactMap { $0?.string }.first
        self.init(
            error["code"]?.string.map { Code(rawValue: $0) } ?? Code(status: status), status: status,
            message: sentences.compactMap { $0 }.joined(separator: ": "), userMessage: error["user_message"]?.string,
            action: error["action"]?.string.flatMap { Action(rawValue: $0) },
            retryAfter: AnswerReader.retryAfter(headers)
                ?? error["retry_after"]?.integer.map { .seconds(max(0, min($0, 1_000_000_000))) },
            requestID: answer["meta"]?["request_id"]?.string ?? headers["x-request-id"],
            jobID: jobID.map { Job.ID(rawValue: $0) }, fields: Self.fields(details, error["message"]?.string ?? ""),
            details: Self.members(error, details))
    }

    private static func fields(_ details: JSONValue, _ message: String) -> [FieldProblem] {
        if let field = details["field"]?.string {
            return [FieldProblem(path: field.split(separator: ".").map(String.init), message: message)]
        }
        guard case .array(let problems) = details else { return [] }
        return problems.compactMap { problem in
            guard case .array(let path)? = problem["path"] else { return nil }
            return FieldProblem(
                path: path.compactMap { $0.string ?? $0.integer.map { String($0) } },
                message: problem["message"]?.string ?? "")
        }
    }

    /// `details`, or what stands beside the sentences where there is no envelope, such as `current_credits`.
    private static func members(_ error: JSONValue, _ details: JSONValue) -> [String: JSONValue] {
        if case .object(let members) = details { return members }
        guard case .object(let members) = error else { return [:] }
        let others = ["error", "message", "user_message", "action", "code", "details", "success", "meta", "data"]
        return members.filter { !others.contains($0.key) }
    }

    /// The failure of a job, as an error of who waits for it.
    init(failure: Job.Failure?, of job: Job.ID) {
        self.init(
            failure?.code ?? .internal, message: failure?.message ?? "The job failed.",
            userMessage: failure?.userMessage, jobID: job)
    }
}

extension DossierError.Code {
    /// For an answer without a code.
    fileprivate init(status: Int) {
        switch status {
        case 401, 403: self = .unauthorized
        case 404: self = .notFound
        case 409: self = .conflict
        case 413: self = .tooLarge
        case 422: self = .validationFailed
        case 429: self = .rateLimited
        case 503: self = .overloaded
        case 500...599: self = .internal
        default: self = .malformed
        }
    }
}
