/// One event of a `text/event-stream`.
public struct ServerSentEvent: Hashable, Sendable {
    /// The type; `message` when the stream names none.
    public var event: String
    /// The `data` lines, joined by line feeds.
    public var data: String
    /// The last event id that the stream has given so far; `nil` when there was none.
    public var id: String?
    /// How long to wait before connecting again, when this event says so.
    public var retry: Duration?

    public init(event: String = "message", data: String, id: String? = nil, retry: Duration? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
    }
}
