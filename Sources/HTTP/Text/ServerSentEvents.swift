/// The events of a streaming response.
///
/// The sequence ends with the response. A cancelled task gets `HTTPClientError.cancelled` instead of an end, so that an
/// incomplete stream is never taken for a complete one.
package struct ServerSentEvents: AsyncSequence {
    package typealias Element = ServerSentEvent
    package typealias Failure = HTTPClientError

    private let body: AsyncThrowingStream<[UInt8], any Error>
    private let limit: Int

    /// `limit` is the most bytes that one event may take.
    package init(_ body: AsyncThrowingStream<[UInt8], any Error>, limit: Int = 4 << 20) {
        self.body = body
        self.limit = limit
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(chunks: body.makeAsyncIterator(), parser: ServerSentEventParser(limit: limit))
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var chunks: AsyncThrowingStream<[UInt8], any Error>.AsyncIterator
        fileprivate var parser: ServerSentEventParser
        /// The remaining events of the last chunk, in reverse.
        private var pending: [ServerSentEvent] = []

        fileprivate init(chunks: AsyncThrowingStream<[UInt8], any Error>.AsyncIterator, parser: ServerSentEventParser) {
            self.chunks = chunks
            self.parser = parser
        }

        package mutating func next() async throws(HTTPClientError) -> ServerSentEvent? {
            try await next(isolation: nil)
        }

        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(HTTPClientError) -> ServerSentEvent? {
            while pending.isEmpty {
                guard let chunk = try await nextChunk(isolation: actor) else {
                    if Task.isCancelled { throw .cancelled }
                    return nil
                }
                pending = try parser.push(chunk).reversed()
            }
            return pending.removeLast()
        }

        private mutating func nextChunk(isolation actor: isolated (any Actor)?) async throws(HTTPClientError)
            -> [UInt8]?
        {
            do {
                return try await chunks.next(isolation: actor)
            } catch let error as HTTPClientError {
                throw error
            } catch {
                throw .cancelled
            }
        }
    }
}

extension HTTPStreamingResponse {
    /// The body parsed as `text/event-stream`.
    package var events: ServerSentEvents { ServerSentEvents(body) }
}

/// Parses the bytes of a `text/event-stream` by the WHATWG HTML standard, section 9.2.6.
///
/// Chunks may end anywhere: inside a character, between CR and LF, inside the byte order mark. An incomplete event at
/// the end of the stream is dropped, as the standard requires.
package struct ServerSentEventParser: Sendable {
    /// The most bytes that one event (all its lines) may take.
    package let limit: Int

    private var line: [UInt8] = []
    private var lastWasCarriageReturn = false
    private var isFirstLine = true
    private var sizeOfEvent = 0

    private var event = ""
    private var data = ""
    private var hasData = false
    private var lastID: String?
    private var retry: Duration?

    package init(limit: Int = 4 << 20) { self.limit = limit }

    /// Parses the next bytes and returns the events that they complete.
    ///
    /// - Throws: `HTTPClientError.bodyTooLarge` when an event exceeds the limit; the parser cannot be used afterwards.
    package mutating func push(_ bytes: [UInt8]) throws(HTTPClientError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        var start = 0
        for index in bytes.indices {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else { continue }
            let isSecondHalf = byte == UInt8(ascii: "\n") && lastWasCarriageReturn && index == start && line.isEmpty
            lastWasCarriageReturn = byte == UInt8(ascii: "\r")
            if !isSecondHalf {
                try append(bytes[start..<index])
                if let event = endLine() { events.append(event) }
            }
            start = index + 1
        }
        if start < bytes.endIndex {
            lastWasCarriageReturn = false
            try append(bytes[start...])
        }
        return events
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) throws(HTTPClientError) {
        sizeOfEvent += bytes.count
        guard sizeOfEvent <= limit else { throw .bodyTooLarge(limit: limit) }
        line += bytes
    }

    private mutating func endLine() -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        if line.isEmpty { return dispatch() }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            take(field: line[...], value: [])
            return nil
        }
        if colon == 0 {
            // A comment: servers send them to keep a connection open, so they do not count into the size of an event.
            sizeOfEvent -= line.count
            return nil
        }
        var value = line[(colon + 1)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        take(field: line[..<colon], value: value)
        return nil
    }

    private mutating func take(field: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        switch String(decoding: field, as: UTF8.self) {
        case "data":
            if hasData { data += "\n" }
            data += String(decoding: value, as: UTF8.self)
            hasData = true
        case "event": event = String(decoding: value, as: UTF8.self)
        case "id":
            if !value.contains(0) { lastID = value.isEmpty ? nil : String(decoding: value, as: UTF8.self) }
        case "retry":
            if !value.isEmpty, value.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let milliseconds = Int32(String(decoding: value, as: UTF8.self))
            {
                retry = .milliseconds(milliseconds)
            }
        default: break
        }
    }

    /// An event without data is dropped, and its type with it.
    private mutating func dispatch() -> ServerSentEvent? {
        defer {
            event = ""
            data = ""
            hasData = false
            retry = nil
            sizeOfEvent = 0
        }
        guard hasData else { return nil }
        return ServerSentEvent(event: event.isEmpty ? "message" : event, data: data, id: lastID, retry: retry)
    }
}

/// One event of a `text/event-stream`.
package struct ServerSentEvent: Hashable, Sendable {
    /// The type; `message` when the stream gives none.
    package var event = "message"
    /// The `data` lines, joined by line feeds.
    package var data: String
    /// The last event id that the stream has received; `nil` when there was none.
    package var id: String?
    /// The pause before the next connection, if this event sets one.
    package var retry: Duration?
}
