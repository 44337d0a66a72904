package import HTTP
import Synchronization

extension ServerResponse {
    /// An event stream: each event is sent at once, and a comment whenever nothing was sent for a while, so that proxies
    /// keep the connection and both ends notice when it breaks.
    ///
    /// The events are iterated once, when the answer is sent, and asked for only while the last one is on its way; the
    /// iterating task is cancelled when the client leaves or the server stops. `heartbeat` is the longest silence; `headers`
    /// are added to those of an event stream, or stand in their place.
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

/// Encoded events with comments in the silences between them.
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

/// The two tasks behind an event stream: one waits for events, one for silence. Letting go of it ends both.
private final class EventSession<C: Clock<Duration>>: Sendable {
    private let clock: C
    private let slot = EventSlot()
    private let lastSent: LastSent<C.Instant>
    private let source: Task<Void, Never>
    private let ticker: Task<Void, any Error>

    init(events: some AsyncSequence<ServerEvent, Never> & Sendable, heartbeat: Duration, clock: C) {
        let slot = slot
        let lastSent = LastSent(clock.now)
        self.clock = clock
        self.lastSent = lastSent
        source = Task {
            for await event in events {
                guard await slot.put(event.encoded) else { return }
            }
            slot.end()
        }
        ticker = Task {
            let comment = ServerEvent(comment: "").encoded
            while true {
                let due = lastSent.time.advanced(by: heartbeat)
                if due > clock.now {
                    try await clock.sleep(until: due, tolerance: nil)
                } else {
                    slot.offer(comment)
                    lastSent.time = clock.now
                }
            }
        }
    }

    func next() async -> [UInt8]? {
        let chunk = await slot.next()
        lastSent.time = clock.now
        return chunk
    }

    deinit {
        source.cancel()
        ticker.cancel()
        slot.close()
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
