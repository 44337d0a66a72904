internal import Basics
package import JSON
package import LanguageModels

/// A model's answer to one canonical request, kept in a file.
///
/// The file holds the hash of the request that it answers and a digest of itself, so that an answer that was edited by
/// hand, or put in the place of another, is found out.
package struct Recording: Sendable, Hashable {
    package var requestHash: String
    package var outcome: AnswerOutcome
    /// The details of an outcome that is no answer: the category of a refusal, where it was cut off.
    package var detail: String?
    /// Whether the simulator answered: such an answer says nothing about how good a prompt is.
    package var isSimulated: Bool
    /// When it was made, as `2026-11-21T09:30:00Z`.
    package var recordedAt: String
    package var response: ModelResponse

    package init(
        requestHash: String, outcome: AnswerOutcome, detail: String? = nil, isSimulated: Bool, recordedAt: String,
        response: ModelResponse
    ) {
        self.requestHash = requestHash
        self.outcome = outcome
        self.detail = detail
        self.isSimulated = isSimulated
        self.recordedAt = recordedAt
        self.response = response
    }

    private var content: JSON {
        var body: JSON = [
            "format": 1, "request_sha256": JSON(requestHash), "simulated": JSON(isSimulated),
            "recorded_at": JSON(recordedAt), "outcome": JSON(outcome.rawValue),
        ]
        body["detail"] = detail.map { JSON($0) }
        body["response"] = response.encoded
        return body
    }

    /// The file's content: everything, and the digest of everything.
    package var json: JSON {
        var body = content
        body["sha256"] = JSON(SHA256.hex(body.canonical))
        return body
    }

    /// Why a file is no recording that can be trusted.
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

    /// Reads a file's text and holds it against its own digest.
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
            detail: try field["detail"].optional?.string(), isSimulated: try field["simulated"].bool(),
            recordedAt: try field["recorded_at"].string(),
            response: try ModelResponse(decoding: field["response"]))
    }
}
