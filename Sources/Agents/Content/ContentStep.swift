internal import DataSources
internal import JSON
internal import JobQueue

/// The step that reads what stands behind an address, once in the life of the job.
struct ContentStep: Sendable {
    let reader: any ContentReader

    func read(_ url: String, in context: JobContext) async throws(AgentError) -> Content {
        let entry = try await context.journal.step("read", input: ["url": JSON(url)]) { () async throws(AgentError) in
            do throws(ContentError) {
                return (try await reader.read(url).json, [])
            } catch {
                throw AgentError(error)
            }
        }
        do {
            return try Content(JSONField(entry.output))
        } catch {
            throw .failed(
                AgentFailure(
                    .internalFailure("the journalled content cannot be read: \(error)"), isTransient: false,
                    dropStepsFrom: entry.sequence))
        }
    }
}

extension AgentError {
    init(_ error: ContentError) {
        let userMessage: String
        switch error {
        case .cancelled:
            self = .interrupted
            return
        case .invalidURL, .forbiddenAddress: userMessage = "That does not look like the address of a web page."
        case .unsupported, .noText, .tooLarge: userMessage = "We could not find a text to read at that address."
        default: userMessage = "We could not open that address. Please check it, or try again later."
        }
        self = .failed(
            AgentFailure(
                JobError(
                    code: "EXT_4006", message: "The content cannot be read: \(error).", userMessage: userMessage),
                isTransient: error.isTransient))
    }
}

extension Content {
    /// No store keeps a NUL, and pages hold what they like.
    var json: JSON {
        func clean(_ text: String?) -> JSON { JSON(text?.filter { $0 != "\0" }) }
        return [
            "url": clean(url), "kind": JSON(kind.rawValue), "title": clean(title), "site": clean(site),
            "language": clean(language), "published_at": clean(publishedAt), "text": clean(text),
        ]
    }

    init(_ field: JSONField) throws(JSONFieldError) {
        guard let kind = Kind(rawValue: try field["kind"].string()) else {
            throw field["kind"].failure("is no kind of content")
        }
        self.init(
            url: try field["url"].string(), kind: kind, title: try field["title"].optional?.string(),
            site: try field["site"].optional?.string(), language: try field["language"].optional?.string(),
            publishedAt: try field["published_at"].optional?.string(), text: try field["text"].string())
    }
}
