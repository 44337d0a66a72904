internal import CFYAML

/// The events that libfyaml's parser finds in one text.
final class YAMLEventStream {
    private let parser: OpaquePointer
    private let diagnostics: OpaquePointer
    /// The text that the parser reads from; freed after it.
    private let input: UnsafeMutableBufferPointer<CChar>

    init(_ text: String) throws(YAMLError) {
        let start = YAMLPosition(line: 1, column: 1)
        var text = text
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        guard text.utf8.count <= YAMLLimits.inputSize else {
            throw start.failure("the text is larger than \(YAMLLimits.inputSize) bytes")
        }
        if let place = text.utf8.firstIndex(of: 0) {
            let line = text.utf8[..<place].reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
            throw YAMLError(message: "a NUL character is not allowed", line: line, column: 0)
        }
        var settings = fy_diag_cfg()
        fy_diag_cfg_default(&settings)
        settings.fp = nil
        settings.output_fn = { _, _, _, _ in }
        settings.level = FYET_ERROR
        guard let diagnostics = fy_diag_create(&settings) else { throw start.failure("out of memory") }
        fy_diag_set_collect_errors(diagnostics, true)
        var configuration = fy_parse_cfg()
        configuration.flags = fy_parse_cfg_flags(rawValue: FYPCF_QUIET.rawValue | FYPCF_COLLECT_DIAG.rawValue)
        configuration.diag = diagnostics
        guard let parser = fy_parser_create(&configuration) else {
            fy_diag_destroy(diagnostics)
            throw start.failure("out of memory")
        }
        let count = text.utf8.count
        input = .allocate(capacity: count + 1)
        _ = input.initialize(from: text.utf8CString)
        self.parser = parser
        self.diagnostics = diagnostics
        guard fy_parser_set_string(parser, input.baseAddress, count) == 0 else { throw failure() }
    }

    deinit {
        fy_parser_destroy(parser)
        fy_diag_destroy(diagnostics)
        input.deallocate()
    }

    /// The next event; `nil` at the end of the text.
    func next() throws(YAMLError) -> YAMLEvent? {
        while true {
            guard let event = fy_parser_parse(parser) else {
                if fy_parser_get_stream_error(parser) || fy_diag_got_error(diagnostics) { throw failure() }
                return nil
            }
            defer { fy_parser_event_free(parser, event) }
            if let kind = try kind(of: event) {
                return YAMLEvent(
                    kind: kind, anchor: fy_event_get_anchor_token(event).flatMap(text(of:)),
                    position: position(of: event))
            }
        }
    }

    /// `nil` for the start and the end of the stream.
    private func kind(of event: UnsafeMutablePointer<fy_event>) throws(YAMLError) -> YAMLEvent.Kind? {
        if fy_event_get_tag_token(event) != nil {
            throw position(of: event).failure("a tag ('!…') is not allowed")
        }
        switch event.pointee.type {
        case FYET_DOCUMENT_START: return .documentStart
        case FYET_DOCUMENT_END: return .documentEnd
        case FYET_SEQUENCE_START: return .sequenceStart
        case FYET_MAPPING_START: return .mappingStart
        case FYET_SEQUENCE_END, FYET_MAPPING_END: return .collectionEnd
        case FYET_ALIAS: return .alias(fy_event_get_token(event).flatMap(text(of:)) ?? "")
        case FYET_SCALAR: return try scalar(of: event)
        default: return nil
        }
    }

    private func scalar(of event: UnsafeMutablePointer<fy_event>) throws(YAMLError) -> YAMLEvent.Kind {
        // A value that was left out has no token.
        guard let token = fy_event_get_token(event), let text = text(of: token) else {
            return .scalar(.null, text: "", isPlain: true)
        }
        guard !text.utf8.contains(0) else { throw position(of: event).failure("a NUL character is not allowed") }
        let isPlain = fy_token_scalar_style(token) == FYSS_PLAIN
        let scalar = isPlain ? YAMLScalar(plain: text) : YAMLScalar(quoted: text)
        if case .notANumber = scalar { throw position(of: event).failure("\(text) has no place in JSON") }
        return .scalar(scalar, text: text, isPlain: isPlain)
    }

    private func text(of token: OpaquePointer) -> String? {
        var count = 0
        guard let start = fy_token_get_text(token, &count) else { return nil }
        return start.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
    }

    private func position(of event: UnsafeMutablePointer<fy_event>) -> YAMLPosition {
        guard let mark = fy_event_start_mark(event) else { return YAMLPosition(line: 1, column: 1) }
        return YAMLPosition(line: Int(mark.pointee.line) + 1, column: Int(mark.pointee.column) + 1)
    }

    /// The first error that the parser collected.
    private func failure() -> YAMLError {
        var iterator: UnsafeMutableRawPointer?
        guard let first = fy_diag_errors_iterate(diagnostics, &iterator)?.pointee else {
            return YAMLError(message: "this is not YAML", line: 1, column: 0)
        }
        let message = first.msg.map { String(cString: $0) } ?? "this is not YAML"
        return YAMLError(message: message, line: Int(first.line), column: Int(first.column))
    }
}

/// One step of the parser on its way through a text.
struct YAMLEvent {
    enum Kind {
        case documentStart
        case documentEnd
        case scalar(YAMLScalar, text: String, isPlain: Bool)
        case alias(String)
        case sequenceStart
        case mappingStart
        case collectionEnd
    }

    let kind: Kind
    let anchor: String?
    let position: YAMLPosition
}
