/// A whole answer, its body decompressed.
package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// Where the answer came from after redirects.
    package var url: String

    package init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], url: String = "") {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }

    package var isSuccess: Bool { (200..<300).contains(status) }

    /// The body as UTF-8, with U+FFFD for what is not.
    package var text: String { String(decoding: body, as: UTF8.self) }
}

/// An answer whose head is here and whose body is still coming.
package struct HTTPStreamingResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    /// The body in the chunks in which it arrives. Reading slowly slows the sender down; dropping the sequence or
    /// cancelling the task closes the connection. Throws `HTTPClientError`.
    package var body: AsyncThrowingStream<[UInt8], any Error>

    package init(status: Int, headers: HTTPHeaders, body: AsyncThrowingStream<[UInt8], any Error>) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package var isSuccess: Bool { (200..<300).contains(status) }
}
