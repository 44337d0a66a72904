/// Status and headers of an answer.
struct ResponseHead: Sendable, Equatable {
    var status: Int
    var headers = HTTPHeaders()

    /// Without the headers that speak of the body as it was sent: libcurl has decompressed it.
    var decoded: ResponseHead {
        guard headers["Content-Encoding"] != nil else { return self }
        var head = self
        head.headers["Content-Encoding"] = nil
        head.headers["Content-Length"] = nil
        return head
    }
}
