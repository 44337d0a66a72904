internal import DataSources
internal import JSON
internal import JobQueue

/// The step that reads what stands behind an address, once in the life of the job.
struct ContentStep: Sendable {
    let reader: any ContentReader

    func read(_ url: String, in context: JobContext) async throws(AgentError) -> Content {
        let entry = try await context.journal.step("read", input: ["url": JSON(url)]) { () async throws(AgentError) in
            do throws(FetchError) {
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
    init(_ error: FetchError) {
        let userMessage: String
        switch error {
        case .cancelled:
            self = .interrupted
            return
        case .invalidURL, .forbiddenAddress: userMessage = "That does not look like the address of a web page."
        case .notAPage, .noText, .tooLarge: userMessage = "We could not find a text to read at that address."
        case .video: userMessage = "We could not read what is said in that video."
        default: userMessage = "We could not open that address. Please check it, or try again later."
        }
        self = .failed(
            AgentFailure(
                JobError(
                    code: "EXT_4006", message: "The content cannot be read: \(error).", userMessage: userMessage),
                isTransient: error.isTransient))
    }
}
