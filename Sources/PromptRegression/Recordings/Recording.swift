internal import Basics
package import JSON
package import LanguageModels
internal import Prompts

/// A model's answer to one canonical request, kept in a file.
///
/// The file holds the hash of the request that it answers and a digest of itself, so that an answer that was edited by
/// hand, or put in the place of another, is found out.
package struct Recording: Sendable, Hashable {
    package var requestHash: String
    package var outcome: AnswerOutcome
    /// The details of an outcome that is no answer: the category of a refusal, where it was cut off.
    package var detail: String?
    /// The fault of an answer without the form asked for, in words for the model that has to repair it.
    package var problem: String?
    /// Whether the simulator answered: such an answer says nothing about how good a prompt is.
    package var isSimulated: Bool
    /// Whether the call went by batch.
    package var isHalfPrice = false
    /// The time of the recording, as `2026-11-21T09:30:00Z`.
    package var recordedAt: String
    package var response: ModelResponse

    package init(
        requestHash: String, outcome: AnswerOutcome, detail: String? = nil, problem: String? = nil, isSimulated: Bool,
        recordedAt: String, response: ModelResponse
    ) {
        self.requestHash = requestHash
        self.outcome = outcome
        self.detail = detail
        self.problem = problem
        self.isSimulated = isSimulated
        self.recordedAt = recordedAt
        self.response = response
    }

    /// The cost of the call at the full price, by which models are compared.
    var fullCost: Int64 { response.cost.rawValue * (isHalfPrice ? 2 : 1) }

    private var content: JSON {
        var body: JSON = [
            "format": 1, "request_sha256": JSON(requestHash), "simulated": JSON(isSimulated),
            "recorded_at": JSON(recordedAt), "outcome": JSON(outcome.rawValue),
        ]
        if isHalfPrice { body["half_price"] = true }
        body["detail"] = detail.map { JSON($0) }
        body["problem"] = problem.map { JSON($0) }
        body["response"] = response.encoded
        return body
    }

    /// The file's content: everything, and the digest of everything.
    package var json: JSON {
        var body = content
        body["sha256"] = JSON(SHA256.hex(body.canonical))
        return body
    }

    /// The reason that a file is not a trusted recording.
    package enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
        case unreadable(String)
        /// The digest does not fit the content.
        case altered

        package var description: String {
            switch self {
            case .unreadable(let reason): "it cannot be read: \(reason)"
            case .altered: "it was changed after it was recorded: its digest does not fit its content"
            }
        }
    }

    /// Reads a file's text and compares it with its own digest.
    package init(parsing text: String) throws(Failure) {
        let root: JSON
        do {
            root = try JSON(parsing: text)
        } catch {
            throw .unreadable("\(error)")
        }
        var content = root
        content["sha256"] = nil
        guard root["sha256"]?.string == SHA256.hex(content.canonical) else { throw .altered }
        do {
            try self.init(JSONField(root))
        } catch {
            throw .unreadable("\(error)")
        }
    }

    private init(_ field: JSONField) throws(JSONFieldError) {
        guard try field["format"].integer() == 1 else { throw field["format"].failure("must be 1") }
        guard let outcome = AnswerOutcome(rawValue: try field["outcome"].string()) else {
            throw field["outcome"].failure("is not known")
        }
        self.init(
            requestHash: try field["request_sha256"].string(), outcome: outcome,
            detail: try field["detail"].optional?.string(), problem: try field["problem"].optional?.string(),
            isSimulated: try field["simulated"].bool(),
            recordedAt: try field["recorded_at"].string(),
            response: try ModelResponse(decoding: field["response"]))
        isHalfPrice = try field["half_price"].optional?.bool() ?? false
    }
}

/// Removes secrets and personal data from recordings: keys, tokens, e-mail addresses.
package struct Redactor: Sendable {
    static let mark = "[redacted]"
    /// Shorter texts occur in too many places by chance.
    private static let shortestSecret = 6

    private let secrets: [String]

    /// - Parameter secrets: The keys that are configured, as they are.
    package init(secrets: [String] = []) {
        self.secrets = secrets.filter { $0.utf8.count >= Self.shortestSecret }.sorted { $0.count > $1.count }
    }

    /// A value with every text in it redacted.
    func redact(_ value: JSON) -> JSON {
        switch value {
        case .string(let text): .string(redact(text))
        case .array(let elements): .array(elements.map(redact))
        case .object(let members): .object(JSONObject(members.map { (redact($0.key), redact($0.value)) }))
        case .null, .bool, .number: value
        }
    }

    func redact(_ text: String) -> String {
        var text = text
        for secret in secrets {
            text = text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: Self.mark)
        }
        for pattern in Self.patterns {
            // What cannot be searched to its end may hold a secret.
            guard let replaced = pattern.replacingMatches(in: text, with: Self.mark) else { return Self.mark }
            text = replaced
        }
        return text
    }

    private static let patterns = [
        // Keys of Anthropic and OpenAI, of Google, of GitHub, of Amazon.
        #"\bsk-[A-Za-z0-9_\-]{8,}"#, #"\bAIza[A-Za-z0-9_\-]{20,}"#, #"\bgh[pousr]_[A-Za-z0-9]{20,}"#,
        #"\bAKIA[0-9A-Z]{16}\b"#,
        #"(?i)\bbearer\s+[A-Za-z0-9._~+/\-]{8,}=*"#,
        // JSON Web Tokens.
        #"\beyJ[A-Za-z0-9_\-]{6,}\.[A-Za-z0-9_\-]{6,}\.[A-Za-z0-9_\-]*"#,
        // Addresses of e-mail.
        #"[A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)*\.[A-Za-z]{2,}"#,
        // Headers keep their name, so that a reader sees the kind of the removed text.
        #"(?i)(?:authorization|proxy-authorization|x-api-key|x-goog-api-key|api[_-]?key|cookie)["']?\s*[:=]\s*["']?\K"#
            + #"(?:(?:bearer|basic)\s+)?[^\s"',;}\[]{6,}"#,
    ].map { text in
        guard let pattern = CompiledPattern(text) else { preconditionFailure("no pattern: \(text)") }
        return pattern
    }
}
