internal import Basics
internal import DossierAPI
internal import JSON
internal import JobQueue

/// `/v1`: news as the app for calm investors asks for them.
struct NewsRoutes: Sendable {
    private static let field = "textOrUrl"

    let waiting: AwaitedJobs

    /// `POST /v1/interpret`: whether a text or an address matters to somebody who invests, answered when its job has
    /// ended.
    func interpret(_ call: Call) async throws(APIError) -> Reply {
        let body = try call.body()
        let input = body.value ?? [:]
        if let text = input[Self.field]?.string, Self.isForeignAddress(text) {
            throw .invalid(Self.field, "must be a text, or the address of a web page with http or https")
        }
        var options = Submitter.Options()
        options.uniqueKey = "interpret/" + SHA256.hex(input.canonical)
        options.idempotency = try waiting.jobs.idempotency(call, body)
        do {
            let (job, result) = try await waiting.result(of: "interpret", input: input, options: options, call: call)
            var answer = result
            answer["job_id"] = JSON(job.id.description)
            return Reply(answer)
        } catch {
            throw error.namingTheText(Self.field)
        }
    }

    /// Whether a single word is an address that is not of the web, which nobody means as a text to interpret.
    private static func isForeignAddress(_ text: String) -> Bool {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let word = words.first?.lowercased() else { return false }
        if word.hasPrefix("http://") || word.hasPrefix("https://") { return false }
        if word.hasPrefix("//") || schemes.contains(where: word.hasPrefix) { return true }
        guard let end = word.firstRange(of: "://"), let first = word.first else { return false }
        let scheme = word[..<end.lowerBound]
        return first.isLetter && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// Schemes that are told from words with a colon, and so from texts, by their names alone.
    private static let schemes = ["about:", "blob:", "data:", "file:", "http:", "https:", "javascript:", "mailto:"]
}

extension APIError {
    /// The same error said of the field that holds the text or the address.
    fileprivate func namingTheText(_ field: String) -> APIError {
        var copy = self
        if code == .contentUnavailable { copy.problems = [(field, userMessage)] }
        if details?["field"]?.string == field, problems.contains(where: { $0.problem.contains("pattern") }) {
            copy = .invalid(field, "must hold a text or an address")
        }
        return copy
    }
}
