internal import JSON
package import JobQueue

/// The output of a step as stores keep it.
package struct StoredOutput: Sendable {
    /// The output as compact JSON; empty where the compressed bytes are kept.
    package let text: String
    /// The compressed output, when that is smaller.
    package let packed: [UInt8]?
    /// The bytes of the output as compact JSON.
    package let count: Int

    /// Encodes the output of a step, with the beginning that other steps share encoded once for all of them.
    ///
    /// - Throws: `invalidText` for a text that holds a NUL, `overLimit` for an output that is too long.
    package init(_ step: Step) throws(StoreError) {
        if let output = step.shared, let beginning = try Self.beginning(of: output.shared) {
            try Texts.rejectNUL(in: .object(output.own), field: Self.field)
            let rest = output.rest
            let length = output.shared.text.utf8.count + rest.utf8.count
            try JobLimit.stepOutput.check(length)
            if let bytes = CompressedText.bytes(of: rest, after: beginning, length: length) {
                (text, packed, count) = ("", bytes, length)
                return
            }
        }
        try Texts.rejectNUL(in: step.output, field: Self.field)
        let whole = step.output.compact
        count = whole.utf8.count
        try JobLimit.stepOutput.check(count)
        packed = CompressedText.bytes(of: whole)
        text = packed == nil ? whole : ""
    }

    private static let field = "step.output"

    private static func beginning(of shared: SharedMembers) throws(StoreError) -> [UInt8]? {
        try shared.stored { () throws(StoreError) in
            try Texts.rejectNUL(in: .object(shared.members), field: field)
            return CompressedText.beginning(of: shared.text)
        }
    }
}
