import CMicrohttpd
import HTTP

/// Gives a response to libmicrohttpd.
struct ResponseEncoder {
    let isHead: Bool
    /// Whether the connection is closed after this response.
    let isClosing: Bool
    /// The source of a stream's chunks.
    let exchange: Exchange?

    /// - Throws: `unsendableResponse`.
    func queue(_ response: ServerResponse, on connection: OpaquePointer) throws(ServerError) -> MHD_Result {
        guard (200...599).contains(response.status) else { throw .unsendableResponse("status \(response.status)") }
        guard let native = body(of: response) else { throw .unsendableResponse("out of memory") }
        defer { MHD_destroy_response(native) }
        var isClosing = isClosing
        for field in response.headers.fields {
            switch field.name.utf8.count {
            // The server decides the framing.
            case 14 where FieldSyntax.matches(field.name.utf8, "content-length"),
                17 where FieldSyntax.matches(field.name.utf8, "transfer-encoding"):
                continue
            case 10 where FieldSyntax.matches(field.name.utf8, "connection"):
                isClosing = isClosing || FieldSyntax.matches(field.value.utf8, "close")
            default:
                // A line break would let foreign text add headers or a whole second response.
                guard FieldSyntax.isToken(field.name.utf8), FieldSyntax.isValue(field.value.utf8),
                    MHD_add_response_header(native, field.name, field.value) == .YES || field.value.isEmpty
                else { throw .unsendableResponse("a header") }
            }
        }
        if isClosing { _ = MHD_add_response_header(native, "Connection", "close") }
        return MHD_queue_response(connection, UInt32(response.status), native)
    }

    private func body(of response: ServerResponse) -> OpaquePointer? {
        switch response.body {
        case .bytes(let bytes):
            return bytes.withUnsafeBytes { buffer in
                MHD_create_response_from_buffer(
                    buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .stream, .download:
            guard let exchange else { return nil }
            let context = Unmanaged.passRetained(exchange)
            let native = MHD_create_response_from_callback(
                shim_size_unknown, Self.blockSize, readStream, context.toOpaque(), releaseStream)
            if native == nil { context.release() }
            // For HEAD the library would still send the end of a chunked body; closing the connection avoids chunks.
            if isHead, let native { shim_close_after_response(native) }
            return native
        }
    }

    /// The library's buffer for clients that do not understand chunks; the others read into the connection's memory.
    private static let blockSize = 2048
}

/// Called by libmicrohttpd when it has room for more of a stream.
private func readStream(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
    guard let context, let buffer else { return shim_end_with_error }
    return Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue().read(
        into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
}

/// Called by libmicrohttpd when it no longer needs a stream.
private func releaseStream(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<Exchange>.fromOpaque(context).release()
}
