internal import JSON

/// Something that took time, as a part of a trace.
package struct Span: Sendable, Hashable {
    /// A span's role, by OpenTelemetry's numbers.
    package enum Kind: Int, Sendable, Hashable {
        case `internal` = 1
        case server = 2
        /// A question to another service.
        case client = 3
        /// Work that is handed over.
        case producer = 4
        /// Work that was taken over.
        case consumer = 5
    }

    package enum Attribute: Sendable, Hashable {
        case text(String)
        case integer(Int64)
        case number(Double)
        case flag(Bool)
    }

    package var trace: TraceID
    package var id: SpanID
    /// `nil` for the first of a trace.
    package var parent: SpanID?
    package var name: String
    package var kind: Kind
    /// Nanoseconds since 1970.
    package var start: Int64
    /// Nanoseconds since 1970.
    package var end: Int64
    package var attributes: [(String, Attribute)] = []
    /// `nil` for success.
    package var problem: String?

    package init(
        trace: TraceID, id: SpanID = .random(), parent: SpanID?, name: String, kind: Kind = .internal, start: Int64,
        end: Int64, attributes: [(String, Attribute)] = [], problem: String? = nil
    ) {
        self.trace = trace
        self.id = id
        self.parent = parent
        self.name = name
        self.kind = kind
        self.start = start
        self.end = max(start, end)
        self.attributes = attributes
        self.problem = problem
    }

    package static func == (left: Span, right: Span) -> Bool { left.trace == right.trace && left.id == right.id }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The id of a trace: 32 hexadecimal digits. That of a job is derived from its id, so that all processes agree on it.
package struct TraceID: Sendable, Hashable, CustomStringConvertible {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package var description: String { hex(high) + hex(low) }

    /// The span of the whole trace, the same in every process.
    package var root: SpanID { child(0) }

    /// A span of the trace with a number that is the same in every process.
    package func child(_ number: Int64) -> SpanID {
        SpanID(mixed(high ^ mixed(low ^ mixed(UInt64(bitPattern: number) &+ 0x9E37_79B9_7F4A_7C15))))
    }
}

/// Names a span within its trace: 16 hexadecimal digits, not all zero.
package struct SpanID: Sendable, Hashable, CustomStringConvertible {
    package let value: UInt64

    package init(_ value: UInt64) { self.value = value == 0 ? 1 : value }

    package static func random() -> SpanID { SpanID(.random(in: 1 ... .max)) }

    package var description: String { hex(value) }
}

/// Spreads a difference in a few bits over all bits (the last step of SplitMix64).
private func mixed(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
}

private func hex(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}

extension Span {
    /// The span as OTLP writes it in JSON: ids in hexadecimal, 64-bit numbers as text, kinds by number.
    var otlp: JSON {
        var body: JSONObject = [
            "traceId": JSON("\(trace)"), "spanId": JSON("\(id)"), "parentSpanId": JSON(parent?.description ?? ""),
            "name": JSON(name), "kind": JSON(kind.rawValue), "startTimeUnixNano": JSON("\(start)"),
            "endTimeUnixNano": JSON("\(end)"), "attributes": OTLP.attributes(attributes),
        ]
        body["status"] = problem.map { ["code": 2, "message": JSON($0)] } ?? ["code": 0]
        return .object(body)
    }
}
