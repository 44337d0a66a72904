package import HTTP
import Synchronization

extension ServerResponse {
    /// An event stream: each event is sent immediately, and a comment after each silence, so that proxies keep the
    /// connection and both ends notice when it breaks.
    ///
    /// The events are iterated once, when the response is sent; the next one is requested while the last one is being
    /// sent. The iterating task is cancelled when the client disconnects or the server stops.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - heartbeat: The longest silence.
    ///   - clock: Measures the silence.
    ///   - headers: Are added to the headers of an event stream, or replace them.
    /// - Returns: The response.
    package static func events(
        _ events: some AsyncSequence<ServerEvent, Never> & Sendable, heartbeat: Duration = .seconds(15),
        clock: some Clock<Duration> = ContinuousClock(), headers: HTTPHeaders = [:]
    ) -> ServerResponse {
        var all: HTTPHeaders = [
            "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
        ]
        for field in headers.fields { all[field.name] = field.value }
        return ServerResponse(
            headers: all, body: .stream { EventChunks(events: events, heartbeat: heartbeat, clock: clock) })
    }
}

/// Encoded events, with comments during silences.
struct EventChunks<Events: AsyncSequence<ServerEvent, Never> & Sendable, C: Clock<Duration>>: AsyncSequence,
    Sendable
{
    let events: Events
    let heartbeat: Duration
    let clock: C

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let session: EventSession<C>

        mutating func next() async -> [UInt8]? { await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> [UInt8]? {
            await session.next()
        }
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(session: EventSession(events: events, heartbeat: heartbeat, clock: clock))
    }
}

/// The two tasks of an event stream: one waits for events, the other for silence. Releasing the session ends both.
private final class EventSession<C: Clock<Duration>>: Sendable {
    private let clock: C
    private let channel = EventChannel()
    private let lastSent: LastSent<C.Instant>
    private let source: Task<Void, Never>
    private let heartbeatTask: Task<Void, any Error>

    init(events: some AsyncSequence<ServerEvent, Never> & Sendable, heartbeat: Duration, clock: C) {
        let channel = channel
        let lastSent = LastSent(clock.now)
        self.clock = clock
        self.lastSent = lastSent
        source = Task {
            for await event in events {
                guard await channel.send(event.encoded) else { return }
            }
            channel.end()
        }
        heartbeatTask = Task {
            let comment = ServerEvent(comment: "").encoded
            while true {
                let due = lastSent.time.advanced(by: heartbeat)
                if due > clock.now {
                    try await clock.sleep(until: due, tolerance: nil)
                } else {
                    channel.offer(comment)
                    lastSent.time = clock.now
                }
            }
        }
    }

    func next() async -> [UInt8]? {
        let chunk = await channel.next()
        lastSent.time = clock.now
        return chunk
    }

    deinit {
        source.cancel()
        heartbeatTask.cancel()
        channel.close()
    }
}

private final class LastSent<Instant: Sendable>: Sendable {
    private let value: Mutex<Instant>

    init(_ time: Instant) { value = Mutex(time) }

    var time: Instant {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}

/// One message of an event stream. Source: WHATWG HTML, "Server-sent events".
package struct ServerEvent: Sendable, Equatable {
    /// The client sends it back as `Last-Event-ID` when it reconnects.
    package var id: String?
    /// The event's type; `message` for clients when absent.
    package var event: String?
    /// Any text; its line ends arrive as `\n`. Clients ignore a message without data.
    package var data: String?
    /// Text that clients skip.
    package var comment: String?
    /// The time that the client waits before it reconnects, in whole milliseconds.
    package var retry: Duration?

    package init(
        id: String? = nil, event: String? = nil, data: String? = nil, comment: String? = nil, retry: Duration? = nil
    ) {
        self.id = id
        self.event = event
        self.data = data
        self.comment = comment
        self.retry = retry
    }

    /// The encoded message with the empty line that ends it. Line breaks never leave their field: data and comments are
    /// split into lines, in `id` and `event` line breaks are dropped.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        if let comment { Self.append(comment, as: ": ", to: &bytes) }
        if let id { Self.append(Self.singleLine(id), as: "id: ", to: &bytes) }
        if let event { Self.append(Self.singleLine(event), as: "event: ", to: &bytes) }
        if let retry { Self.append(String(retry.nanoseconds / 1_000_000), as: "retry: ", to: &bytes) }
        if let data { Self.append(data, as: "data: ", to: &bytes) }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private static func append(_ text: String, as field: StaticString, to bytes: inout [UInt8]) {
        let name = UnsafeBufferPointer(start: field.utf8Start, count: field.utf8CodeUnitCount)
        bytes.append(contentsOf: name)
        var previous: UInt8 = 0
        for byte in text.utf8 {
            let isSecondHalf = previous == UInt8(ascii: "\r") && byte == UInt8(ascii: "\n")
            previous = byte
            if isSecondHalf { continue }
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                bytes.append(UInt8(ascii: "\n"))
                bytes.append(contentsOf: name)
            } else {
                bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// NUL is dropped as well: clients ignore an id that has one.
    private static func singleLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\n" && $0 != "\r" && $0 != "\0" }))
    }
}
