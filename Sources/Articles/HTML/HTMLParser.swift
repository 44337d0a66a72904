internal import CXML2

/// libxml2's HTML parser over one document in UTF-8: it reports events, and nothing else of the library is used. It opens
/// no file and no connection, repairs broken markup, and knows no entities but those of HTML.
enum HTMLParser {
    /// Elements that are open at once; a document with more is cut there, since the parser looks through all of them.
    private static let openElements = 2000

    private static let library: Void = xmlInitParser()

    /// Parses a document.
    ///
    /// - Parameters:
    ///   - document: A document, of which surplus attributes are not read.
    ///   - events: The functions that get the events, with the receiver as their user data.
    ///   - receiver: What the functions report to.
    ///   - keep: Gets the parser before the first event, and `nil` after the last one.
    static func parse(
        _ document: [UInt8], _ events: xmlSAXHandler, for receiver: AnyObject, keep: (htmlParserCtxtPtr?) -> Void
    ) {
        _ = library
        let document = HTMLSource.bounded(document)
        guard !document.isEmpty, document.count < Int32.max / 2 else { return }
        document.withUnsafeBytes { buffer in
            let start = buffer.bindMemory(to: CChar.self).baseAddress
            guard let context = htmlCreateMemoryParserCtxt(start, Int32(buffer.count)) else { return }
            defer { htmlFreeParserCtxt(context) }
            keep(context)
            context.pointee.sax.pointee = events
            context.pointee.userData = Unmanaged.passUnretained(receiver).toOpaque()
            let options = [
                HTML_PARSE_RECOVER, HTML_PARSE_NOERROR, HTML_PARSE_NOWARNING, HTML_PARSE_NONET,
                HTML_PARSE_IGNORE_ENC, HTML_PARSE_NOIMPLIED,
            ]
            htmlCtxtUseOptions(context, Int32(options.reduce(0) { $0 | $1.rawValue }))
            if let encoding = xmlFindCharEncodingHandler("UTF-8") { xmlSwitchToEncoding(context, encoding) }
            htmlParseDocument(context)
            keep(nil)
        }
    }

    /// Whether more elements are open than a document may have.
    static func isDeep(_ parser: htmlParserCtxtPtr) -> Bool { Int(parser.pointee.nameNr) > openElements }
}
