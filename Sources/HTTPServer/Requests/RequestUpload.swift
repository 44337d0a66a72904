import HTTP

/// A request whose body is arriving.
struct RequestUpload {
    enum Progress: Equatable {
        case more
        /// The discarded bytes exceed their limit, too.
        case tooLarge
        /// The memory for unfinished bodies is used up, or the share of the address; its limit in bytes.
        case noMemory(limit: Int)
    }

    var request: ServerRequest
    let limit: Int
    /// The bytes over the limit that are still read, so that a client that sends before it reads gets the response: a
    /// connection that is closed with unread bytes is reset, and the response lost.
    private let allowance: Int
    /// More than `limit` arrived or was announced: the rest is read and dropped, and the response is 413.
    private(set) var isTooLarge = false
    /// Bytes read and dropped.
    private(set) var discarded = 0
    /// Bytes taken from the budget.
    private(set) var reserved = 0
    private let announced: Int?
    private let budget: BodyBudget
    private let address: IPAddress?

    /// `address` is the one whose share of the budget counts.
    init(
        request: ServerRequest, framing: RequestFraming.Body, limit: Int, allowance: Int, budget: BodyBudget,
        address: IPAddress?
    ) {
        self.request = request
        self.limit = limit
        self.allowance = allowance
        self.budget = budget
        self.address = address
        switch framing {
        case .none, .chunked: announced = nil
        case .length(let length):
            announced = length
            isTooLarge = length > limit
        }
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Progress {
        let count = request.body.count + bytes.count
        guard !isTooLarge, count <= limit else {
            isTooLarge = true
            discarded += count
            request.body = []
            release()
            return discarded <= limit + allowance ? .more : .tooLarge
        }
        if let limit = reserve(count) {
            request.body = []
            release()
            return .noMemory(limit: limit)
        }
        request.body.append(contentsOf: bytes)
        return .more
    }

    /// Gives the budget back: the body is complete, or not wanted any more.
    mutating func release() {
        budget.release(reserved, of: address)
        reserved = 0
    }

    /// An announced length is not proof of a body: memory follows the bytes that have arrived.
    ///
    /// - Returns: The limit that is reached.
    private mutating func reserve(_ count: Int) -> Int? {
        guard count > reserved else { return nil }
        let wanted = min(max(count, 2 * reserved, 4096), max(count, announced ?? limit))
        if let limit = budget.take(wanted - reserved, for: address) { return limit }
        reserved = wanted
        request.body.reserveCapacity(wanted)
        return nil
    }
}
