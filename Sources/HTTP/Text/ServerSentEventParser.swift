/// Turns the bytes of a `text/event-stream` into events, after the WHATWG HTML standard, section 9.2.6.
///
/// Bytes may be cut anywhere: inside a character, between CR and LF, inside the byte order mark. An event that the
/// stream leaves unfinished at its end is dropped, as the standard asks.
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

    /// Takes the next bytes and returns the events that they complete.
    ///
    /// - Throws: `HTTPClientError.bodyTooLarge` when an event passes the limit; the parser is of no use afterwards.
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
            // A comment: servers send them for ever to keep a connection open, so they are no part of an event.
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

    /// An event without data is none, but what it says of the type is forgotten all the same.
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
