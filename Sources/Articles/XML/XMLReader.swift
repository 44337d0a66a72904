internal import Basics

/// An element of an XML document.
struct XMLElement: Sendable {
    enum Content: Sendable {
        case element(XMLElement)
        case text(String)
    }

    /// Without prefix, in lower case.
    var name: String
    /// The namespace of the prefix; the prefix itself when the document declares none; empty without either.
    var namespace: String = ""
    /// By name without prefix, except `xml:base` and `xml:lang`.
    var attributes: [String: String] = [:]
    var content: [Content] = []

    var elements: [XMLElement] {
        content.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// All text below, unchanged.
    var text: String {
        content.reduce(into: "") { text, piece in
            switch piece {
            case .text(let piece): text += piece
            case .element(let element): text += element.text
            }
        }
    }

    func first(_ name: String, in namespaces: [String] = [""]) -> XMLElement? {
        elements.first { $0.name == name && namespaces.contains($0.namespace) }
    }

    /// The element's content as HTML.
    var innerHTML: String {
        content.reduce(into: "") { html, piece in
            switch piece {
            case .text(let text): html += Self.escaped(text)
            case .element(let element):
                let attributes = ["href", "src", "alt"].compactMap { key in
                    element.attributes[key].map { " \(key)=\"\(Self.escaped($0))\"" }
                }
                html += "<\(element.name)\(attributes.joined())>\(element.innerHTML)</\(element.name)>"
            }
        }
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}

internal import CXML2

/// libxml2's parser of XML over one document: it reports elements and texts, expands nothing, opens nothing, and goes
/// on after errors. Documents deeper than 256 elements end there.
final class XMLReader {
    private var open: [XMLElement] = []
    private var root: XMLElement?
    private var elements = 0
    /// Text comes in small pieces.
    private var pending: [UInt8] = []
    private var sanitizer = TextSanitizer()
    private var context: xmlParserCtxtPtr?

    private static let maximumElements = 500_000
    private static let library: Void = xmlInitParser()

    /// The root of a document in UTF-8; elements still open at its end are closed. `nil` when there is no element.
    static func read(_ text: [UInt8]) -> XMLElement? {
        _ = library
        let reader = XMLReader()
        reader.parse(XMLSource.prepared(text))
        while !reader.open.isEmpty { reader.end() }
        return reader.root
    }

    private func parse(_ text: [UInt8]) {
        guard !text.isEmpty, text.count < Int32.max / 2 else { return }
        text.withUnsafeBytes { buffer in
            let start = buffer.bindMemory(to: CChar.self).baseAddress
            guard let context = xmlCreateMemoryParserCtxt(start, Int32(buffer.count)) else { return }
            defer { xmlFreeParserCtxt(context) }
            self.context = context
            var handler = xmlSAXHandler()
            handler.initialized = XML_SAX2_MAGIC
            handler.startElementNs = Self.startElement
            handler.endElementNs = { userData, _, _, _ in XMLReader.reader(userData)?.end() }
            handler.characters = Self.characters
            handler.ignorableWhitespace = Self.characters
            handler.cdataBlock = Self.characters
            context.pointee.sax.pointee = handler
            context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
            let options = [XML_PARSE_RECOVER, XML_PARSE_NOERROR, XML_PARSE_NOWARNING, XML_PARSE_NONET]
            xmlCtxtUseOptions(context, Int32(options.reduce(0) { $0 | $1.rawValue }))
            context.pointee.sax2 = 1
            xmlParseDocument(context)
            self.context = nil
        }
    }

    private func end() {
        flush()
        guard let element = open.popLast() else { return }
        if open.isEmpty {
            root = root ?? element
        } else {
            open[open.count - 1].content.append(.element(element))
        }
    }

    private func flush() {
        guard !pending.isEmpty else { return }
        sanitizer.sanitize(&pending)
        open[open.count - 1].content.append(.text(String(decoding: pending, as: UTF8.self)))
        pending.removeAll(keepingCapacity: true)
    }

    private static func reader(_ userData: UnsafeMutableRawPointer?) -> XMLReader? {
        userData.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let characters: charactersSAXFunc = { userData, text, count in
        guard let reader = reader(userData), !reader.open.isEmpty else { return }
        reader.pending += UnsafeBufferPointer(start: text, count: Int(count))
    }

    private static let startElement: startElementNsSAX2Func = {
        userData, name, prefix, uri, _, _, attributeCount, _, attributes in
        guard let reader = reader(userData), let name else { return }
        var element = XMLElement(name: String(cString: name).sanitized.lowercased())
        if let namespace = uri ?? prefix { element.namespace = String(cString: namespace).sanitized }
        for index in 0..<Int(attributeCount) {
            // Name, prefix, namespace, begin and end of the value.
            guard let attributes, let local = attributes[index * 5], let begin = attributes[index * 5 + 3],
                let end = attributes[index * 5 + 4]
            else { continue }
            let isXML = attributes[index * 5 + 1].map { String(cString: $0) } == "xml"
            let key = (isXML ? "xml:" : "") + String(cString: local).sanitized.lowercased()
            let value = UnsafeBufferPointer(start: begin, count: end - begin)
            // In attributes the parser leaves references to `&` and `<` as they are.
            element.attributes[key] = HTMLEntities.decode(String(decoding: value, as: UTF8.self))
        }
        reader.flush()
        reader.open.append(element)
        reader.elements += 1
        if reader.elements > maximumElements, let context = reader.context { xmlStopParser(context) }
    }
}
