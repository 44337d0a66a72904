internal import Articles
internal import Basics
internal import DossierAPI
internal import JSON
internal import JobQueue

/// `POST /api/analyze` and `POST /v1/interpret`: readings of an article, a video or a text, answered when their job has
/// ended.
struct AnalysisRoutes: Sendable {
    private static let textField = "textOrUrl"

    let jobs: JobService
    let availability: ModelAvailability
    /// Reads the tickers that a user holds.
    let holdings: @Sendable (UserID) async throws(StoreError) -> [String]

    /// `POST /api/analyze`: the lessons of an article or a video.
    func analyze(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let body = try context.body()
        var input = body.value ?? [:]
        for name in ["known_concepts", "weak_concepts"] where input[name] == .null { input[name] = nil }
        // Labels of the app, which change nothing in the answer.
        var form = input
        (form["goal_id"], form["user_id_hash"]) = (nil, nil)
        form["content_url"] = input["content_url"].map(Self.sameAddress)
        do {
            return try await jobs.answer(
                of: "analyze", input: input, sameFor: form, idempotency: try context.idempotency(body),
                idField: "trace_id",
                availability, context)
        } catch {
            throw error.describingAddressField
        }
    }

    /// `POST /v1/interpret`: whether a text or a page matters to an investor.
    func interpret(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let body = try context.body()
        let input = body.value ?? [:]
        if let text = input[Self.textField]?.string, Self.isOtherAddress(text) {
            throw .invalid(Self.textField, "must be a text, or the address of a web page with http or https")
        }
        // An interpretation says what the reader holds of it.
        var form = input
        form[Self.textField] = input[Self.textField].map(Self.sameAddress)
        do throws(StoreError) {
            form["holdings"] = JSON(
                try await holdings(context.user).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        } catch {
            throw APIError(error)
        }
        do {
            return try await jobs.answer(
                of: "interpret", input: input, sameFor: form, idempotency: try context.idempotency(body), availability,
                context)
        } catch {
            throw error.describingTextField(Self.textField)
        }
    }

    /// The form that all spellings of an address have in common, without parameters that track the reader; a text as it
    /// is, without the white space around it.
    private static func sameAddress(_ given: JSON) -> JSON {
        guard let text = given.string?.trimmed else { return given }
        let isAddress = text.utf8.count <= longestAddress && !text.contains(where: \.isWhitespace)
        return JSON(isAddress ? CanonicalURL.normalized(text) ?? text : text)
    }

    /// Whether a single word is an address outside the web, which no client means as a text to interpret.
    private static func isOtherAddress(_ text: String) -> Bool {
        guard text.utf8.count <= longestAddress else { return false }
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let word = words.first?.lowercased() else { return false }
        if word.hasPrefix("http://") || word.hasPrefix("https://") { return false }
        if word.hasPrefix("//") || schemes.contains(where: word.hasPrefix) { return true }
        guard let end = word.firstRange(of: "://"), let first = word.first else { return false }
        let scheme = word[..<end.lowerBound]
        return first.isLetter && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    }

    /// In bytes. A longer word is a text.
    private static let longestAddress = 8192

    /// Schemes that the name alone distinguishes from a word with a colon.
    private static let schemes = ["about:", "blob:", "data:", "file:", "http:", "https:", "javascript:", "mailto:"]
}

extension APIError {
    /// The same error, with problems of the address reported for the field that holds it.
    fileprivate var describingAddressField: APIError {
        var copy = self
        if code == .contentUnavailable { copy.problems = [("content_url", message)] }
        for index in copy.problems.indices where copy.problems[index].path == "content_url" {
            guard copy.problems[index].problem.contains("pattern") else { continue }
            copy.problems[index].problem = "must be the address of a web page, with http or https"
            if details?["field"] == "content_url" { copy.message = "'content_url' \(copy.problems[index].problem)." }
        }
        return copy
    }

    /// The same error, with its problem reported for the field that holds the text or the address.
    fileprivate func describingTextField(_ field: String) -> APIError {
        var copy = self
        if code == .contentUnavailable { copy.problems = [(field, userMessage)] }
        if details?["field"]?.string == field, problems.contains(where: { $0.problem.contains("pattern") }) {
            copy = .invalid(field, "must hold a text or an address")
        }
        return copy
    }
}
