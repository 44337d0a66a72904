package import JSON
private import Records

/// Refusal of the one character that no store can keep.
package enum Texts {
    /// - Throws: `invalidText` for the first field that holds a NUL.
    package static func refuseNUL(_ fields: [(name: String, text: String?)]) throws(StoreError) {
        for field in fields where field.text?.utf8.contains(0) == true { throw .invalidText(field: field.name) }
    }

    package static func refuseNUL(in value: JSON, field: String) throws(StoreError) {
        if value.holdsNUL { throw .invalidText(field: field) }
    }

    package static func refuseNUL(in job: NewJob) throws(StoreError) {
        try refuseNUL([
            ("kind", job.kind), ("bundle", job.bundle), ("serial_key", job.serialKey), ("join_key", job.joinKey),
            ("idempotency_key", job.idempotency?.key), ("idempotency_fingerprint", job.idempotency?.fingerprint),
            ("request_id", job.requestID),
        ])
        try refuseNUL(in: job.input, field: "input")
        switch job.source {
        case .ownRun: break
        case .shared(let work):
            try refuseNUL([("shared.key", work.key)])
            try refuseNUL(in: work.input, field: "shared.input")
        case .stored(let result): try refuseNUL(in: result, field: "result")
        }
    }

    package static func refuseNUL(in error: JobError) throws(StoreError) {
        try refuseNUL([
            ("error.code", error.code), ("error.message", error.message), ("error.user_message", error.userMessage),
        ])
    }

    package static func refuseNUL(in effects: [Effect]) throws(StoreError) {
        for effect in effects {
            switch effect {
            case .recordModelCall(let call):
                try refuseNUL([("call.id", call.id), ("call.provider", call.provider), ("call.model", call.model)])
            case .record(let change):
                try refuseNUL(change.record.texts)
            }
        }
    }
}

extension JSON {
    /// Whether any text in the value holds a NUL; in JSON's own notation it hides behind an escape.
    fileprivate var holdsNUL: Bool {
        switch self {
        case .null, .bool, .number: false
        case .string(let text): text.utf8.contains(0)
        case .array(let elements): elements.contains(where: \.holdsNUL)
        case .object(let members): members.contains { $0.key.utf8.contains(0) || $0.value.holdsNUL }
        }
    }
}
