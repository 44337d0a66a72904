extension JSON {
    /// The value on one line, in its own order, without spaces.
    public var compact: String { text(JSONWriter(layout: .compact)) }

    /// The value over several lines with an indent of two spaces.
    public var pretty: String { text(JSONWriter(layout: .pretty)) }

    /// The one form to hash: keys sorted by their UTF-8 bytes, numbers in canonical notation, no spaces.
    public var canonical: String { text(JSONWriter(layout: .canonical)) }

    /// Like `compact`, as UTF-8 bytes.
    public var utf8: [UInt8] {
        var writer = JSONWriter(layout: .compact)
        writer.write(self, depth: 0)
        return writer.bytes
    }

    private func text(_ writer: JSONWriter) -> String {
        var writer = writer
        writer.write(self, depth: 0)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSON: CustomStringConvertible {
    /// The value on one line; see `compact`.
    public var description: String { compact }
}

private struct JSONWriter {
    enum Layout { case compact, pretty, canonical }

    let layout: Layout
    var bytes: [UInt8] = []

    init(layout: Layout) {
        self.layout = layout
        bytes.reserveCapacity(512)
    }

    mutating func write(_ value: JSON, depth: Int) {
        switch value {
        case .null: append("null")
        case .bool(let flag): append(flag ? "true" : "false")
        case .number(let number): append(layout == .canonical ? number.canonical : number.literal)
        case .string(let text): writeString(text)
        case .array(let elements):
            writeList("[", "]", elements, depth) { writer, element in writer.write(element, depth: depth + 1) }
        case .object(let members):
            if layout == .canonical {
                writeMembers(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }, depth)
            } else {
                writeMembers(members, depth)
            }
        }
    }

    private mutating func writeMembers(_ members: some Sequence<JSONObject.Element>, _ depth: Int) {
        writeList("{", "}", members, depth) { writer, member in
            writer.writeString(member.key)
            writer.append(writer.layout == .pretty ? ": " : ":")
            writer.write(member.value, depth: depth + 1)
        }
    }

    private mutating func writeList<Items: Sequence>(
        _ open: StaticString, _ close: StaticString, _ items: Items, _ depth: Int,
        _ writeItem: (inout JSONWriter, Items.Element) -> Void
    ) {
        append(open)
        var isFirst = true
        for item in items {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            breakLine(depth + 1)
            writeItem(&self, item)
        }
        if !isFirst { breakLine(depth) }
        append(close)
    }

    private mutating func breakLine(_ depth: Int) {
        guard layout == .pretty else { return }
        bytes.append(0x0A)
        bytes.append(contentsOf: repeatElement(0x20, count: depth * 2))
    }

    private mutating func writeString(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for place in 0..<utf8.count {
                let byte = utf8[place]
                guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { continue }
                bytes.append(contentsOf: utf8[start..<place])
                writeEscaped(byte)
                start = place + 1
            }
            bytes.append(contentsOf: utf8[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func writeEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        default:
            let hex = String(byte, radix: 16)
            append("\\u" + String(repeating: "0", count: 4 - hex.count) + hex)
        }
    }

    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
