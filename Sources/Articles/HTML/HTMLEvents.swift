internal import Basics
internal import CXML2

/// The elements and texts of a document in their order, for readers that need every attribute of an element.
package protocol HTMLEventHandler: AnyObject {
    /// An element begins; names are in small letters, and a value is empty where an attribute has none.
    func start(_ name: String, attributes: [(name: String, value: String)])
    /// An element ends; elements that the document leaves open end where HTML says so.
    func end(_ name: String)
    /// A part of a text, with its entities resolved.
    func text(_ bytes: UnsafeBufferPointer<UInt8>)
}

/// Reports the events of one document to a handler.
package final class HTMLEvents {
    private let handler: any HTMLEventHandler
    private var names: [UnsafePointer<xmlChar>: String] = [:]
    private var context: htmlParserCtxtPtr?

    private init(_ handler: any HTMLEventHandler) { self.handler = handler }

    /// Reports a document in UTF-8 to a handler.
    package static func read(_ document: [UInt8], to handler: any HTMLEventHandler) {
        HTMLEvents(handler).parse(document)
    }

    private func parse(_ document: [UInt8]) {
        var sax = xmlSAXHandler()
        sax.startElement = { userData, name, attributes in
            guard let name else { return }
            HTMLEvents.events(userData)?.start(name, attributes)
        }
        sax.endElement = { userData, name in
            guard let name, let events = HTMLEvents.events(userData) else { return }
            events.handler.end(events.name(name))
        }
        sax.characters = Self.characters
        sax.ignorableWhitespace = Self.characters
        HTMLParser.parse(document, sax, for: self) { context = $0 }
    }

    /// The parser keeps one copy of each name, so its address identifies it.
    private func name(_ pointer: UnsafePointer<xmlChar>) -> String {
        if let name = names[pointer] { return name }
        let name = String(cString: pointer).sanitized.lowercased()
        names[pointer] = name
        return name
    }

    private func start(
        _ name: UnsafePointer<xmlChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) {
        var pairs: [(name: String, value: String)] = []
        var place = attributes
        while let pair = place, let key = pair[0] {
            let value = pair[1].map { String(cString: $0) } ?? ""
            pairs.append((String(cString: key).lowercased(), value))
            place = pair + 2
        }
        handler.start(self.name(name), attributes: pairs)
        if let context, HTMLParser.isDeep(context) { xmlStopParser(context) }
    }

    private static func events(_ userData: UnsafeMutableRawPointer?) -> HTMLEvents? {
        userData.map { Unmanaged<HTMLEvents>.fromOpaque($0).takeUnretainedValue() }
    }

    private static let characters: charactersSAXFunc = { userData, text, count in
        guard let events = events(userData) else { return }
        events.handler.text(UnsafeBufferPointer(start: text, count: Int(count)))
    }
}
