internal import Basics
internal import CXML2

/// A page as the parser gives it.
struct HTMLPage: Sendable {
    var tree: HTMLTree
    /// The texts of the page's JSON-LD scripts.
    var structuredData: [[UInt8]]
    /// The text of the `title` element.
    var title: String
}

/// Reads a page into a tree.
final class HTMLReader {
    private var builder = HTMLBuilder()
    private var tags: [UnsafePointer<xmlChar>: HTMLTag] = [:]
    private var keys: [String: HTMLAttribute] = HTMLAttribute.byName
    private var context: htmlParserCtxtPtr?

    /// Reads a page. Broken markup is repaired as far as possible and never an error.
    static func read(_ text: [UInt8]) -> HTMLPage {
        let reader = HTMLReader()
        reader.parse(text)
        return HTMLPage(
            tree: reader.builder.tree, structuredData: reader.builder.structuredData,
            title: String(decoding: reader.builder.title, as: UTF8.self).sanitized.collapsed)
    }

    private func parse(_ text: [UInt8]) {
        var handler = xmlSAXHandler()
        handler.startElement = Self.startElement
        handler.endElement = Self.endElement
        handler.characters = Self.characters
        handler.ignorableWhitespace = Self.characters
        handler.cdataBlock = Self.rawText
        HTMLParser.parse(text, handler, for: self) { context = $0 }
    }

    private func tag(_ name: UnsafePointer<xmlChar>) -> HTMLTag {
        // The parser keeps one copy of each name, so its address identifies it.
        if let tag = tags[name] { return tag }
        let tag = HTMLTag.byName[String(cString: name).sanitized.lowercased()] ?? .otherElement
        tags[name] = tag
        return tag
    }

    private func start(
        _ name: UnsafePointer<xmlChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
        var known: [(key: HTMLAttribute, value: UnsafeBufferPointer<UInt8>)] = []
        var place = attributes
        while let pair = place, let name = pair[0] {
            if let key = keys[String(cString: name).sanitized] {
                let value = pair[1]
                known.append((key, UnsafeBufferPointer(start: value, count: value.map { Int(xmlStrlen($0)) } ?? 0)))
            }
            place = pair + 2
        }
        builder.start(tag(name), attributes: known)
        if let context, HTMLParser.isDeep(context) || builder.isFull { xmlStopParser(context) }
    }

    private static func reader(_ userData: UnsafeMutableRawPointer?) -> HTMLReader? {
        userData.map { Unmanaged<HTMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let startElement: startElementSAXFunc = { userData, name, attributes in
        guard let name else { return }
        reader(userData)?.start(name, attributes)
    }

    private static let endElement: endElementSAXFunc = { userData, name in
        guard let name, let reader = reader(userData) else { return }
        reader.builder.end(reader.tag(name))
    }

    private static let characters: charactersSAXFunc = { userData, text, count in
        reader(userData)?.builder.text(UnsafeBufferPointer(start: text, count: Int(count)), isRaw: false)
    }

    private static let rawText: cdataBlockSAXFunc = { userData, text, count in
        reader(userData)?.builder.text(UnsafeBufferPointer(start: text, count: Int(count)), isRaw: true)
    }
}

/// Removes surplus attributes from a page: the parser compares each attribute of a tag with all before it, so a tag
/// with hundreds of thousands of them would keep it busy for hours.
enum HTMLSource {
    private static let mostAttributes = 256

    /// The page with blanks in place of what a tag has after the limit of attributes; nearly always the page unchanged.
    static func bounded(_ page: [UInt8]) -> [UInt8] {
        var surplus: [Range<Int>] = []
        page.withUnsafeBufferPointer { page in
            var place = 0
            while place < page.count {
                guard page[place] == UInt8(ascii: "<"), place + 1 < page.count, isLetter(page[place + 1]) else {
                    place += 1
                    continue
                }
                place = tagEnd(page, from: place + 1, &surplus)
            }
        }
        guard !surplus.isEmpty else { return page }
        var bounded = page
        for place in surplus.joined() { bounded[place] = UInt8(ascii: " ") }
        return bounded
    }

    /// The position after the end of a tag, at which the search for tags continues. A tag without an end reaches to the
    /// end of the page, as HTML has it.
    private static func tagEnd(
        _ page: UnsafeBufferPointer<UInt8>, from start: Int, _ surplus: inout [Range<Int>]
    ) -> Int {
        var place = start
        var attributes = 0
        var cut: Int?
        while place < page.count {
            let byte = page[place]
            if byte == UInt8(ascii: ">") { break }
            if isSpace(byte) || byte == UInt8(ascii: "/") {
                attributes += 1
                if attributes > mostAttributes { cut = cut ?? place }
                while place + 1 < page.count, isSpace(page[place + 1]) { place += 1 }
            } else if byte == UInt8(ascii: "="), let open = quote(page, after: place) {
                // A value in quotes may be long and hold anything.
                place = open + 1
                while place < page.count, page[place] != page[open] { place += 1 }
                // The next attribute may follow without white space.
                attributes += 1
                if attributes > mostAttributes * 2 { cut = cut ?? place + 1 }
            }
            place += 1
        }
        let end = min(place, page.count)
        if let cut, cut < end { surplus.append(cut..<end) }
        return min(end + 1, page.count)
    }

    /// The position of the quotation mark that opens a value; `nil` for a value without quotes.
    private static func quote(_ page: UnsafeBufferPointer<UInt8>, after equals: Int) -> Int? {
        var place = equals + 1
        while place < page.count, isSpace(page[place]) { place += 1 }
        guard place < page.count, page[place] == UInt8(ascii: "\"") || page[place] == UInt8(ascii: "'") else {
            return nil
        }
        return place
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
