internal import CValijson
internal import JSON

/// valijson, which decides whether a value is valid.
///
/// `@unchecked Sendable`: the schema behind the pointer is not changed after it was compiled, every validation has
/// results of its own, and validators, of which one serves one call at a time, are lent under a mutex.
final class SchemaValidator: @unchecked Sendable {
    enum Answer {
        case valid, invalid
        /// The value could not be judged, for a reason such as a text that is too long for a pattern.
        case failed(String)
    }

    private let schema: OpaquePointer

    init(_ schema: JSON) throws(JSONSchemaError) {
        var error: UnsafeMutablePointer<CChar>?
        let compiled = Self.withText(schema) { cvalijson_compile($0, $1, &error) }
        guard let compiled else {
            throw JSONSchemaError(pointer: "#", problem: Self.take(error) ?? "the schema cannot be read")
        }
        self.schema = compiled
    }

    deinit { cvalijson_destroy(schema) }

    func answer(_ value: JSON) -> Answer {
        var error: UnsafeMutablePointer<CChar>?
        let answer = Self.withText(value) { cvalijson_validate(schema, $0, $1, nil, nil, &error) }
        switch answer {
        case CVALIJSON_YES: return .valid
        case CVALIJSON_NO: return .invalid
        default: return .failed(Self.take(error) ?? "cannot be judged")
        }
    }

    /// valijson's own words, for what nothing better was found to say; never empty.
    func findings(_ value: JSON) -> [JSONSchema.Violation] {
        var findings: [JSONSchema.Violation] = []
        var error: UnsafeMutablePointer<CChar>?
        withUnsafeMutablePointer(to: &findings) { list in
            _ = Self.withText(value) { text, count in
                cvalijson_validate(
                    schema, text, count,
                    { context, path, message in
                        guard let context, let path, let message else { return }
                        let list = context.assumingMemoryBound(to: [JSONSchema.Violation].self)
                        let steps = SchemaValidator.path(String(cString: path))
                        let problem = "does not fit: \(String(cString: message))"
                        list.pointee.append(JSONSchema.Violation(path: steps, problem: problem))
                    }, list, &error)
            }
        }
        if let message = Self.take(error) {
            findings = [JSONSchema.Violation(path: "", problem: "does not fit: \(message)")]
        }
        return findings.isEmpty ? [JSONSchema.Violation(path: "", problem: "does not fit its schema")] : findings
    }

    /// Whether a pattern is found in a text; `nil` when the pattern or the text cannot be used.
    static func matches(_ pattern: String, _ text: String) -> Bool? {
        var text = text
        let answer = text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cvalijson_matches(pattern, $0.baseAddress, $0.count, nil) }
        }
        return answer == CVALIJSON_ERROR ? nil : answer == CVALIJSON_YES
    }

    /// Bytes of text that a pattern is tried on.
    static var longestMatchedText: Int { cvalijson_longest_matched_text() }

    /// `<root>[holdings][2]` as `holdings[2]`.
    static func path(_ context: String) -> String {
        let steps = context.split(separator: "[").dropFirst().map { $0.hasSuffix("]") ? $0.dropLast() : $0 }
        return steps.reduce(into: "") { path, step in
            if step.allSatisfy(\.isNumber) {
                path += "[\(step)]"
            } else {
                path += path.isEmpty ? "\(step)" : ".\(step)"
            }
        }
    }

    private static func withText<Result>(_ value: JSON, _ body: (UnsafePointer<CChar>?, Int) -> Result) -> Result {
        value.utf8.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { body($0.baseAddress, $0.count) }
        }
    }

    private static func take(_ error: UnsafeMutablePointer<CChar>?) -> String? {
        guard let error else { return nil }
        defer { cvalijson_free(error) }
        return String(cString: error)
    }
}
