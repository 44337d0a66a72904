import CMicrohttpd
import Glibc
import HTTP

/// A request line and headers, checked and copied.
struct RequestHead {
    var request: ServerRequest
    var body: RequestFraming.Body
    var expectsContinue: Bool

    /// What the library keeps for each header beside its text, rounded up; counted into the limit because it comes out of
    /// the same memory.
    static let bytesPerField = 72

    /// Reads and checks a head: `method`, `rawTarget` and `version` are the words of the request line in the library's
    /// buffer, `target` is the second of them as it was before the library cut it up, with its length.
    /// - Throws: `malformedRequest`, `headTooLarge`.
    init(
        _ connection: OpaquePointer, method: UnsafePointer<CChar>, rawTarget: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>, target: (parsed: RequestTarget, length: Int), limit: Int, remoteAddress: String
    ) throws(ServerError) {
        let methodLength = strlen(method)
        let size = shim_head_size(connection)
        guard size <= limit else { throw .headTooLarge(limit: limit) }
        // The words stand one space apart; a NUL inside one would have cut it short.
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
