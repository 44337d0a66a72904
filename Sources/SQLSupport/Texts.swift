internal import Basics
internal import DossierAPI
package import JobQueue
package import JSON

/// Rejects NUL, the one character that no store can keep.
package enum Texts {
    /// - Throws: `invalidText` for the first field that holds a NUL.
    package static func rejectNUL(_ fields: [(name: String, text: String?)]) throws(StoreError) {
        for field in fields where field.text?.holdsNUL == true { throw .invalidText(field: field.name) }
    }

    package static func rejectNUL(in value: JSON, field: String) throws(StoreError) {
        if value.holdsNUL { throw .invalidText(field: field) }
    }

    /// A value as it is stored.
    ///
    /// - Throws: `invalidText` when it holds a NUL.
    package static func encoded(_ value: JSON, field: String) throws(StoreError) -> String {
        let text = value.compact
        // A NUL is written as this escape. One search in the whole is much quicker than one in each of the thousands of texts
        // of a report; only a value with a text that speaks of the escape is looked through.
        if text.containsBytes(of: #"\u0000"#) { try rejectNUL(in: value, field: field) }
        return text
    }

    package static func rejectNUL(in job: NewJob) throws(StoreError) {
        try rejectNUL([
            ("kind", job.kind), ("subject", job.subject), ("bundle", job.bundle),
            ("concurrency_key", job.concurrencyKey), ("unique_key", job.uniqueKey),
            ("idempotency_key", job.idempotency?.key), ("idempotency_fingerprint", job.idempotency?.fingerprint),
            ("request_id", job.requestID),
        ])
        try rejectNUL(in: job.input, field: "input")
        switch job.source {
        case .ownRun: break
        case .shared(let work):
            try rejectNUL([("shared.key", work.key)])
            try rejectNUL(in: work.input, field: "shared.input")
        case .stored(let result): try rejectNUL(in: result, field: "result")
        }
    }

    package static func rejectNUL(in error: JobError) throws(StoreError) {
        try rejectNUL([
            ("error.code", error.code.rawValue), ("error.message", error.message),
            ("error.user_message", error.userMessage),
        ])
    }

    package static func rejectNUL(in effects: [Effect]) throws(StoreError) {
        for effect in effects {
            switch effect {
            case .recordModelCall(let call):
                try rejectNUL([("call.id", call.id), ("call.provider", call.provider), ("call.model", call.model)])
            case .record(let change):
                try rejectNUL(change.record.texts)
            case .journalBatchLine(let id): try rejectNUL([("batch_line", id)])
            }
        }
    }
}

extension JSON {
    /// Whether any text in the value holds a NUL, which the JSON notation escapes.
    fileprivate var holdsNUL: Bool {
        switch self {
        case .null, .bool, .number: false
        case .string(let text): text.holdsNUL
        case .array(let elements): elements.contains { $0.holdsNUL }
        case .object(let members): members.contains { $0.key.holdsNUL || $0.value.holdsNUL }
        }
    }
}

extension String {
    /// Looked for in the bytes at once: every text that is stored comes by here.
    fileprivate var holdsNUL: Bool { containsBytes(of: "\0") }
}
