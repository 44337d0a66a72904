import CMicrohttpd
import Glibc
import HTTP

/// A request line and headers, checked and copied.
struct RequestHead {
    var request: ServerRequest
    var body: RequestFraming.Body
    var expectsContinue: Bool

    /// The library's bookkeeping for each header, rounded up. It counts into the limit because it takes the same
    /// memory.
    static let bytesPerField = 72

    /// Reads and checks a head: `method`, `rawTarget` and `version` are the words of the request line in the library's
    /// buffer, `target` is the second word before the library split it, with its length.
    ///
    /// - Throws: `malformedRequest`, `headTooLarge`.
    init(
        _ connection: OpaquePointer, method: UnsafePointer<CChar>, rawTarget: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>, target: (parsed: RequestTarget, length: Int), limit: Int, remoteAddress: String
    ) throws(ServerError) {
        let methodLength = strlen(method)
        let size = shim_head_size(connection)
        guard size <= limit else { throw .headTooLarge(limit: limit) }
        // One space separates the words; a NUL inside a word would have shortened it.
        guard rawTarget == method + methodLength + 1, version == rawTarget + target.length + 1 else {
            throw .malformedRequest("malformed request line")
        }
        let start = UnsafeRawPointer(method).assumingMemoryBound(to: UInt8.self)
        let methodBytes = UnsafeBufferPointer(start: start, count: methodLength)
        guard FieldSyntax.isToken(methodBytes) else { throw .malformedRequest("malformed method") }
        let reader = try HeadReader.read(connection, version: version, headEnd: start + size)
        guard size + reader.fieldCount * Self.bytesPerField <= limit else { throw .headTooLarge(limit: limit) }
        body = try reader.framing.body(isVersion10: strcmp(version, "HTTP/1.0") == 0)
        expectsContinue = reader.framing.expectsContinue
        request = ServerRequest(
            Self.method(methodBytes), target.parsed.path, query: target.parsed.query, headers: reader.headers,
            remoteAddress: remoteAddress)
        request.encodedSegments = target.parsed.segments
        if let authority = target.parsed.authority { request.headers["Host"] = authority }
    }

    private static func method(_ bytes: UnsafeBufferPointer<UInt8>) -> HTTPMethod {
        HTTPMethod(rawValue: String(decoding: bytes, as: UTF8.self))
    }
}

/// Copies a request's headers out of libmicrohttpd and checks them.
///
/// The library reads a head as C strings inside one buffer: it cuts a line at a NUL, drops a header without a name and
/// gives a folded line to the wrong header. None of that shows in its output, but each case leaves bytes between two
/// fields that belong to no field. So the reader also checks that a line break and nothing else is between two fields,
/// and refuses the request otherwise. The library writes a NUL over each byte of a line break, so a line that ends with
/// a line feed alone shows as one NUL.
struct HeadReader {
    private(set) var headers = HTTPHeaders()
    private(set) var framing = RequestFraming()
    private var error: ServerError?
    private var end: UnsafePointer<UInt8>
    private let limit: UnsafePointer<UInt8>
    private(set) var fieldCount = 0

    /// - Parameters:
    ///   - version: The last word of the request line, in the library's buffer.
    ///   - headEnd: One past the last byte of the head in the same buffer.
    private init(version: UnsafePointer<UInt8>, headEnd: UnsafePointer<UInt8>) {
        end = version + 8  // "HTTP/1.1"
        limit = headEnd
    }

    /// - Throws: `malformedRequest`.
    static func read(
        _ connection: OpaquePointer, version: UnsafePointer<CChar>, headEnd: UnsafePointer<UInt8>
    ) throws(ServerError) -> HeadReader {
        var reader = version.withMemoryRebound(to: UInt8.self, capacity: 8) {
            HeadReader(version: $0, headEnd: headEnd)
        }
        withUnsafeMutablePointer(to: &reader) { pointer in
            _ = MHD_get_connection_values_n(connection, .HEADER_KIND, collectField, pointer)
        }
        if let error = reader.error { throw error }
        guard reader.isLineBreak(from: reader.end, to: headEnd, lines: 2) else {
            throw .malformedRequest("malformed header")
        }
        return reader
    }

    fileprivate mutating func collect(name: UnsafeBufferPointer<UInt8>, value raw: UnsafeBufferPointer<UInt8>) -> Bool {
        // The library strips the white space before a value, not the white space after it.
        let length = (raw.lastIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? -1) + 1
        let value = UnsafeBufferPointer(rebasing: raw[..<length])
        do throws(ServerError) {
            try check(name: name, value: value)
            try framing.add(name: name, value: value)
            guard let text = Self.text(value) else { throw .malformedRequest("a header is not UTF-8") }
            headers.add(String(decoding: name, as: UTF8.self), text)
            fieldCount += 1
            return true
        } catch {
            self.error = error
            return false
        }
    }

    private mutating func check(
        name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
    ) throws(ServerError) {
        guard let nameStart = name.baseAddress, let valueStart = value.baseAddress, FieldSyntax.isToken(name),
            FieldSyntax.isValue(value), isLineBreak(from: end, to: nameStart, lines: 1),
            isSeparator(from: nameStart + name.count, to: valueStart)
        else { throw .malformedRequest("malformed header") }
        end = valueStart + value.count
    }

    /// Whether there is white space and then exactly this number of line breaks between two places of the head.
    private func isLineBreak(from: UnsafePointer<UInt8>, to: UnsafePointer<UInt8>, lines: Int) -> Bool {
        guard from <= to, to <= limit else { return false }
        let bytes = UnsafeBufferPointer(start: from, count: to - from)
        return bytes.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.elementsEqual(
            repeatElement(0, count: 2 * lines))
    }

    /// Whether there is only white space between a name and its value, and the NUL that the library wrote over the colon.
    private func isSeparator(from: UnsafePointer<UInt8>, to: UnsafePointer<UInt8>) -> Bool {
        guard from <= to, to <= limit else { return false }
        return UnsafeBufferPointer(start: from, count: to - from).allSatisfy {
            $0 == 0 || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t")
        }
    }

    private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        bytes.allSatisfy { $0 < 0x80 }
            ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
    }
}

/// Called by libmicrohttpd for each header, with a `HeadReader` as context.
private func collectField(
    _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?, _ nameLength: Int,
    _ value: UnsafePointer<CChar>?, _ valueLength: Int
) -> MHD_Result {
    guard let reader = context?.assumingMemoryBound(to: HeadReader.self), let name, let value else { return .NO }
    let name8 = UnsafeRawBufferPointer(start: name, count: nameLength)
    let value8 = UnsafeRawBufferPointer(start: value, count: valueLength)
    return name8.withMemoryRebound(to: UInt8.self) { name in
        value8.withMemoryRebound(to: UInt8.self) { value in
            reader.pointee.collect(name: name, value: value) ? .YES : .NO
        }
    }
}
