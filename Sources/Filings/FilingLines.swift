internal import Articles
internal import Basics

/// Turns a document into the lines that a reader sees: hidden text is left out before anything else is done.
final class FilingLines: HTMLEventHandler {
    private struct Open {
        var name: String
        var style: FilingStyle
        /// By which the document's style sheets find it.
        var keys: [String]
        /// Whether a block of details shows what is inside.
        var isOpen: Bool
    }

    private(set) var lines: [FilingLine] = []
    private var open: [Open] = []
    private var sheet = FilingStyleSheet()
    private var sheetText: [UInt8] = []
    private var text: [UInt8] = []
    private var endsInSpace = true
    private var hasPlain = false
    private var hasBold = false
    private var largest = 0.0
    private var links = false
    private var beginsPage = false
    private var breaks = 0
    private var newlines = 0
    /// Elements around the present place: rows of tables, preformatted text, and those whose text is never shown.
    private var rows = 0
    private var preformatted = 0
    private var silent = 0

    private static let silentNames: Set<String> = [
        "script", "style", "template", "noscript", "head", "title", "ix:header", "ix:hidden", "ix:references",
        "ix:resources", "rp", "select", "textarea",
        "datalist",
        "object", "iframe", "svg", "audio", "video", "canvas", "noembed", "noframes",
    ]
    private static let blocks: Set<String> = [
        "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "li", "ul", "ol", "dl", "dt", "dd", "table", "tr", "center",
        "blockquote", "pre", "body", "html", "section", "article", "header", "footer", "hr", "page", "document", "type",
        "sequence", "filename", "description", "text", "caption",
    ]
    /// Characters of a row's text after which a block inside a cell is a line of its own.
    private static let longCell = 200

    static func read(_ document: [UInt8]) -> [FilingLine] {
        let reader = FilingLines()
        let bytes = CharacterEncoding.utf8(document)
        reader.preformatted = isPlain(bytes) ? 1 : 0
        HTMLEvents.read(bytes, to: reader)
        reader.flush()
        return reader.lines
    }

    /// Whether a document has no blocks of HTML, as filings of the 1990s have not.
    private static func isPlain(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(200_000)
        var index = start.startIndex
        while index + 3 < start.endIndex {
            if start[index] == UInt8(ascii: "<") {
                let first = start[index + 1] | 0x20
                let second = start[index + 2] | 0x20
                let next = start[index + 3]
                let ends = next == UInt8(ascii: " ") || next == UInt8(ascii: ">")
                if first == UInt8(ascii: "p"), [UInt8(ascii: ">") | 0x20, 0x20].contains(second) { return false }
                if first == UInt8(ascii: "d"), second == UInt8(ascii: "i") { return false }
                if first == UInt8(ascii: "t"), second == UInt8(ascii: "d"), ends { return false }
                if first == UInt8(ascii: "b"), second == UInt8(ascii: "r"), ends { return false }
            }
            index += 1
        }
        return true
    }

    func start(_ name: String, attributes: [(name: String, value: String)]) {
        var style = open.last?.style ?? FilingStyle()
        style.breaksBefore = false
        style.breaksAfter = false
        if name == "b" || name == "strong" || name == "th" || (name.count == 2 && name.first == "h" && name != "hr") {
            style.isBold = true
        }
        // What is inside a closed block of details, but for its summary.
        if name != "summary", open.last?.name == "details", open.last?.isOpen == false { style.isHidden = true }
        var isOpen = name != "dialog" && name != "details"
        var inline = ""
        var classes = ""
        var id = ""
        for (key, value) in attributes {
            switch key {
            case "style": inline = value
            case "class": classes = value
            case "id": id = value
            case "hidden": style.isHidden = true
            case "open": isOpen = true
            case "color": style.colour = FilingColour.value(value.lowercased()) ?? style.colour
            case "bgcolor": style.background = FilingColour.ground(value.lowercased()) ?? style.background
            case "href": if value.hasPrefix("#") { links = true }
            default: break
            }
        }
        var keys: [String] = []
        if !sheet.isEmpty {
            keys = FilingStyleSheet.keys(name: name, classes: classes, id: id) + attributes.map { "[" + $0.name }
            sheet.apply(to: &style, keys: keys) { key in open.contains { $0.keys.contains(key) } }
        }
        if !inline.isEmpty { style.apply(inline) }
        if !isOpen, name == "dialog" { style.isHidden = true }
        if Self.silentNames.contains(name) { silent += 1 }
        boundary(name)
        if name == "tr" { rows += 1 }
        if name == "pre" { preformatted += 1 }
        if style.breaksBefore || name == "page" {
            flush()
            beginsPage = true
        }
        open.append(Open(name: name, style: style, keys: keys, isOpen: isOpen))
    }

    func end(_ name: String) {
        // The parser ends every element that it began, innermost first.
        guard let place = open.lastIndex(where: { $0.name == name }) else { return }
        boundary(name)
        for closed in open[place...].reversed() {
            if Self.silentNames.contains(closed.name) { silent -= 1 }
            if closed.name == "tr" {
                rows -= 1
                flush(isRow: true)
            }
            if closed.name == "pre" { preformatted -= 1 }
            if closed.style.breaksAfter {
                flush()
                beginsPage = true
            }
        }
        open.removeSubrange(place...)
        if name == "style" {
            sheet.add(String(decoding: sheetText, as: UTF8.self).sanitized)
            sheetText = []
        }
    }

    private func boundary(_ name: String) {
        switch name {
        case "br":
            space()
            breaks += 1
            if breaks >= 4, rows == 0 { flush() }
        case "td", "th": space()
        case "tr": flush(isRow: rows > 0)
        case _ where Self.blocks.contains(name):
            if rows > 0 {
                space()
                if text.count > Self.longCell { flush(isRow: true) }
            } else {
                flush()
            }
        default: break
        }
    }

    private func space() {
        guard !endsInSpace else { return }
        text.append(0x20)
        endsInSpace = true
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if open.last?.name == "style", sheetText.count < 1_000_000 { sheetText += bytes }
        guard silent == 0, open.last?.style.showsText ?? true else { return }
        let isBold = open.last?.style.isBold ?? false
        let size = open.last?.style.size ?? 10
        for byte in bytes {
            if byte == 0x20 || (0x09...0x0D).contains(byte) {
                if preformatted > 0, byte == 0x0A {
                    newlines += 1
                    if newlines >= 2 { flush() }
                }
                space()
            } else {
                newlines = 0
                breaks = 0
                if isBold { hasBold = true } else { hasPlain = true }
                if size > largest { largest = size }
                text.append(byte)
                endsInSpace = false
            }
        }
    }

    private func flush(isRow: Bool = false) {
        defer {
            text.removeAll(keepingCapacity: true)
            endsInSpace = true
            hasBold = false
            hasPlain = false
            largest = 0
            links = false
            newlines = 0
            breaks = 0
        }
        guard !text.isEmpty else { return }
        let clean = Self.clean(text)
        guard !clean.isEmpty else { return }
        lines.append(
            FilingLine(
                text: clean, isBold: hasBold && !hasPlain, size: largest, isRow: isRow, beginsPage: beginsPage,
                isLink: links))
        beginsPage = false
    }

    /// A text without invisible characters, with single spaces, and with the characters that Windows-1252 has where
    /// Unicode has controls.
    private static func clean(_ bytes: [UInt8]) -> String {
        var clean = String.UnicodeScalarView()
        var isSpace = true
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            switch scalar.value {
            case 0x20, 0xA0, 0x09...0x0D, 0x2000...0x200A, 0x202F, 0x3000, 0x2028, 0x2029, 0x205F:
                if !isSpace { clean.append(" ") }
                isSpace = true
            case 0x80...0x9F:
                guard let known = windows1252[Int(scalar.value) - 0x80] else { continue }
                clean.append(known)
                isSpace = false
            case 0...0x1F, 0x7F, 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFEFF, 0x61C, 0x180E,
                0xFE00...0xFE0F, 0xFFF9...0xFFFD, 0xE0000...0xE0FFF, 0x034F, 0x115F, 0x1160, 0x3164, 0xFFA0:
                continue
            default:
                clean.append(scalar)
                isSpace = false
            }
        }
        if isSpace, !clean.isEmpty { clean.removeLast() }
        return String(clean)
    }

    private static let windows1252: [Unicode.Scalar?] = [
        "€", nil, "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", nil, "Ž", nil, nil, "‘", "’", "“", "”", "•",
        "–", "—", "˜", "™", "š", "›", "œ", nil, "ž", "Ÿ",
    ]
}
