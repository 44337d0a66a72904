/// Writes a document as JSON text on one line.
struct JSONTextWriter {
    private var bytes: [UInt8] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func write(_ node: YAMLNode) {
        switch node.content {
        case .scalar(let scalar): write(scalar)
        case .sequence(let elements):
            append("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { append(",") }
                write(element)
            }
            append("]")
        case .mapping(let members):
            append("{")
            for (index, member) in members.enumerated() {
                if index > 0 { append(",") }
                write(string: member.key)
                append(":")
                write(member.value)
            }
            append("}")
        }
    }

    private mutating func write(_ scalar: YAMLScalar) {
        switch scalar {
        case .null: append("null")
        case .bool(let flag): append(flag ? "true" : "false")
        case .number(let literal): append(literal)
        case .string(let text), .notANumber(let text): write(string: text)
        }
    }

    private mutating func write(string text: String) {
        append("\"")
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case 0x0A: append("\\n")
            case 0x0D: append("\\r")
            case 0x09: append("\\t")
            case 0..<0x20:
                let hex = String(byte, radix: 16)
                append("\\u" + String(repeating: "0", count: 4 - hex.count) + hex)
            default: bytes.append(byte)
            }
        }
        append("\"")
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
