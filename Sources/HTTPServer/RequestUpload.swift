/// A request whose body is arriving.
struct RequestUpload {
    var request: ServerRequest
    let limit: Int
    /// More than `limit` came, or was announced: the rest is read and dropped, and the answer is 413.
    private(set) var isTooLarge: Bool
    /// Bytes read and dropped.
    private(set) var discarded = 0

    init(request: ServerRequest, framing: RequestFraming.Body, limit: Int) {
        self.request = request
        self.limit = limit
        switch framing {
        case .none, .chunked: isTooLarge = false
        case .length(let length):
            isTooLarge = length > limit
            // What is announced has not been sent yet: no more than this is promised for it.
            if !isTooLarge { self.request.body.reserveCapacity(min(length, 64 << 10)) }
        }
    }

    /// How much of a body over the limit is still read, so that a client that sends before it listens hears the answer; a
    /// connection closed with unread bytes would be reset and the answer lost.
    static func discardLimit(_ limit: Int) -> Int { limit.addingReportingOverflow(16 << 20).partialValue }

    /// - Returns: `false` when even the limit for what is discarded has passed.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isTooLarge || request.body.count + bytes.count > limit {
            isTooLarge = true
            discarded += request.body.count + bytes.count
            request.body = []
        } else {
            request.body.append(contentsOf: bytes)
        }
        return discarded <= Self.discardLimit(limit)
    }
}
