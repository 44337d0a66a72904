/// One event of a `text/event-stream`.
package struct ServerSentEvent: Hashable, Sendable {
    /// The type; `message` when the stream names none.
    package var event: String
    /// The `data` lines, joined by line feeds.
    package var data: String
    /// The last event id that the stream has given so far; `nil` when there was none.
    package var id: String?
    /// How long to wait before connecting again, when this event says so.
    package var retry: Duration?

    package init(event: String = "message", data: String, id: String? = nil, retry: Duration? = nil) {
        self.event = event
        self.data = data
        self.id = id
        self.retry = retry
    }
}
