/// A whole answer, its body decompressed.
public struct HTTPResponse: Sendable {
    public var status: Int
    public var headers: HTTPHeaders
    public var body: [UInt8]
    /// Where the answer came from after redirects.
    public var url: String

    public init(status: Int, headers: HTTPHeaders = [:], body: [UInt8] = [], url: String = "") {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }

    public var isSuccess: Bool { (200..<300).contains(status) }

    /// The body as UTF-8, with U+FFFD for what is not.
    public var text: String { String(decoding: body, as: UTF8.self) }
}

/// An answer whose head is here and whose body is still coming.
public struct HTTPStreamingResponse: Sendable {
    public var status: Int
    public var headers: HTTPHeaders
    /// The body in the chunks in which it arrives. Reading slowly slows the sender down; dropping the sequence or
    /// cancelling the task closes the connection. Throws `HTTPClientError`.
    public var body: AsyncThrowingStream<[UInt8], any Error>

    public init(status: Int, headers: HTTPHeaders, body: AsyncThrowingStream<[UInt8], any Error>) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public var isSuccess: Bool { (200..<300).contains(status) }
}
