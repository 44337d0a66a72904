/// Turns XML in the wild into XML that a parser accepts: no declarations of types or entities, references to characters
/// as HTML knows them, `&` where it is literal.
enum XMLSource {
    /// `text`: in UTF-8. Without a document type there are no entities to expand, so nothing can grow.
    static func prepared(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var place = prologEnd(text)
        while place < text.count {
            let byte = text[place]
            if byte == UInt8(ascii: "&") {
                let (replacement, length) = reference(text, at: place)
                result += replacement
                place += length
            } else if byte == UInt8(ascii: "<"), let end = markedSectionEnd(text, at: place) {
                result += text[place..<end].filter(isAllowed)
                place = end
            } else {
                if isAllowed(byte) { result.append(byte) }
                place += 1
            }
        }
        return result
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte >= 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// The start of the first element: after the XML declaration, comments, instructions and the document type.
    private static func prologEnd(_ text: [UInt8]) -> Int {
        var place = 0
        while let open = text[place...].firstIndex(of: UInt8(ascii: "<")), open + 1 < text.count {
            let rest = text[open...]
            if rest.starts(with: "<!--".utf8) {
                guard let end = end(of: "-->", in: text, from: open + 4) else { return text.count }
                place = end
            } else if text[open + 1] == UInt8(ascii: "?") {
                guard let end = end(of: "?>", in: text, from: open) else { return text.count }
                place = end
            } else if text[open + 1] == UInt8(ascii: "!") {
                place = typeEnd(text, from: open)
            } else {
                return open
            }
        }
        return text.count
    }

    /// The position after `<!DOCTYPE … [ … ]>`.
    private static func typeEnd(_ text: [UInt8], from start: Int) -> Int {
        var depth = 0
        var quote: UInt8?
        for place in start..<text.count {
            let byte = text[place]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "<") {
                depth += 1
            } else if byte == UInt8(ascii: "]") {
                depth -= 1
            } else if byte == UInt8(ascii: ">") {
                depth -= 1
                if depth == 0 { return place + 1 }
            }
        }
        return text.count
    }

    /// The end of a comment or a CDATA section, in which references mean nothing.
    private static func markedSectionEnd(_ text: [UInt8], at place: Int) -> Int? {
        let rest = text[place...]
        // One that is never closed takes all the rest.
        if rest.starts(with: "<!--".utf8) { return end(of: "-->", in: text, from: place + 4) ?? text.count }
        if rest.starts(with: "<![CDATA[".utf8) { return end(of: "]]>", in: text, from: place + 9) ?? text.count }
        return nil
    }

    private static func end(of mark: String, in text: [UInt8], from start: Int) -> Int? {
        let mark = Array(mark.utf8)
        var place = start
        while place + mark.count <= text.count {
            guard let next = text[place...].firstIndex(of: mark[0]), next + mark.count <= text.count else { return nil }
            if text[next...].starts(with: mark) { return next + mark.count }
            place = next + 1
        }
        return nil
    }

    private static func reference(_ text: [UInt8], at place: Int) -> ([UInt8], Int) {
        let limit = min(place + 34, text.count)
        guard let end = text[place..<limit].firstIndex(of: UInt8(ascii: ";")) else { return (Array("&amp;".utf8), 1) }
        let body = String(decoding: text[(place + 1)..<end], as: UTF8.self)
        if ["amp", "lt", "gt", "quot", "apos"].contains(body) { return (Array(text[place...end]), end + 1 - place) }
        guard body.utf8.allSatisfy({ $0 < 0x80 }), let scalar = HTMLEntities.scalar(of: body[...]) else {
            return (Array("&amp;".utf8), 1)
        }
        switch scalar {
        case "<": return (Array("&lt;".utf8), end + 1 - place)
        case "&": return (Array("&amp;".utf8), end + 1 - place)
        case "\"": return (Array("&quot;".utf8), end + 1 - place)
        default:
            let isText = scalar.value >= 0x20 && scalar.value & 0xFFFE != 0xFFFE || [9, 10, 13].contains(scalar.value)
            return (isText ? Array(String(scalar).utf8) : [], end + 1 - place)
        }
    }
}
