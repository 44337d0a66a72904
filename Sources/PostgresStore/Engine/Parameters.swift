import SQLSupport
internal import JobQueue

/// The values of a statement in PostgreSQL's binary form, one after the other in one buffer.
struct Parameters: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Where each value lies; `nil` is NULL.
    private(set) var spans: [Range<Int>?] = []

    /// The numbers by which PostgreSQL knows its types.
    private enum TypeNumber: Int32 {
        case bigint = 20
        case text = 25
        case uuid = 2950
    }

    mutating func add(_ value: Int64?) {
        guard let value else { return spans.append(nil) }
        append { $0.append(value) }
    }

    mutating func add(_ text: String?) {
        guard let text else { return spans.append(nil) }
        append { $0.bytes.append(contentsOf: text.utf8) }
    }

    mutating func add(_ id: JobID?) {
        guard let id else { return spans.append(nil) }
        append { $0.append(id) }
    }

    mutating func add(integers: some Collection<Int64?>) {
        add(integers, of: .bigint) { $0.append($1) }
    }

    mutating func add(texts: some Collection<String?>) {
        add(texts, of: .text) { $0.bytes.append(contentsOf: $1.utf8) }
    }

    mutating func add(ids: some Collection<JobID?>) {
        add(ids, of: .uuid) { $0.append($1) }
    }

    private mutating func append(_ write: (inout Parameters) -> Void) {
        let start = bytes.count
        write(&self)
        spans.append(start..<bytes.count)
    }

    /// An array of one dimension: how many dimensions, whether it may hold NULL, the elements' type, length, first
    /// index; then each element with its length before it.
    private mutating func add<Element>(
        _ elements: some Collection<Element?>, of type: TypeNumber, write: (inout Parameters, Element) -> Void
    ) {
        append { parameters in
            parameters.append(Int32(elements.isEmpty ? 0 : 1))
            parameters.append(Int32(1))
            parameters.append(type.rawValue)
            if elements.isEmpty { return }
            parameters.append(Int32(elements.count))
            parameters.append(Int32(1))
            for element in elements {
                let length = parameters.bytes.count
                parameters.append(Int32(-1))
                guard let element else { continue }
                write(&parameters, element)
                let count = Int32(parameters.bytes.count - length - 4)
                withUnsafeBytes(of: count.bigEndian) {
                    parameters.bytes.replaceSubrange(length..<(length + 4), with: $0)
                }
            }
        }
    }

    private mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ id: JobID) {
        append(id.high)
        append(id.low)
    }
}
