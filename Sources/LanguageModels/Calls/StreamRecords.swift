/// Splits a streamed body into the providers' records, with any division into chunks.
///
/// All three providers send `data:` fields of server-sent events. Gemini, and some local servers, send errors in
/// between as bare JSON over one or more lines (or as an `error:` field), which a parser of server-sent events drops.
struct StreamRecords {
    private var line: [UInt8] = []
    private var endedWithReturn = false
    private var data: [String] = []
    private var bare = BareJSON()
    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// The records that these bytes complete.
    mutating func receive(_ bytes: [UInt8]) -> [String] {
        var records: [String] = []
        var start = bytes.startIndex
        for (place, byte) in bytes.enumerated() where byte == Self.newline || byte == Self.carriageReturn {
            let isSecondHalf =
                byte == Self.newline && start == place
                && (place == 0 ? endedWithReturn : bytes[place - 1] == Self.carriageReturn)
            line += bytes[start..<place]
            start = place + 1
            if !isSecondHalf { endLine(into: &records) }
        }
        line += bytes[start...]
        if let last = bytes.last { endedWithReturn = last == Self.carriageReturn }
        return records
    }

    /// The last records at the end of the body, which may have no empty line.
    mutating func finish() -> [String] {
        var records: [String] = []
        endLine(into: &records)
        endEvent(into: &records)
        if let rest = bare.flush() { records.append(rest) }
        return records
    }

    private mutating func endLine(into records: inout [String]) {
        let text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        if bare.isOpen {
            if let whole = bare.add(text) { records.append(whole) }
        } else if text.isEmpty {
            endEvent(into: &records)
        } else if text.hasPrefix("data:") {
            data.append(Self.value(of: text, after: 5))
        } else if text.hasPrefix("error:") {
            if let whole = bare.add(Self.value(of: text, after: 6)) { records.append(whole) }
        } else if text.first == "{" || text.first == "[" {
            if let whole = bare.add(text) { records.append(whole) }
        }
    }

    private mutating func endEvent(into records: inout [String]) {
        guard !data.isEmpty else { return }
        records.append(data.joined(separator: "\n"))
        data.removeAll()
    }

    private static func value(of line: String, after prefix: Int) -> String {
        let value = line.dropFirst(prefix)
        return String(value.first == " " ? value.dropFirst() : value)
    }
}

/// Collects lines until their brackets outside of strings balance.
private struct BareJSON {
    private var text = ""
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    var isOpen: Bool { !text.isEmpty }

    mutating func add(_ line: String) -> String? {
        text += text.isEmpty ? line : "\n" + line
        for byte in line.utf8 {
            if isEscaped {
                isEscaped = false
            } else if isInString {
                if byte == UInt8(ascii: "\\") { isEscaped = true }
                if byte == UInt8(ascii: "\"") { isInString = false }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
            }
        }
        return depth <= 0 ? flush() : nil
    }

    mutating func flush() -> String? {
        guard isOpen else { return nil }
        defer { self = BareJSON() }
        return text
    }
}
