/// What a server may spend on its clients.
package struct HTTPServerConfiguration: Sendable {
    /// `host:port`: `127.0.0.1:5001`, `0.0.0.0:80`, `[::1]:0`, `localhost:8080`. Port 0 lets the system pick one.
    package var address: String
    /// Threads that read requests and write answers.
    package var threads = 2
    /// Connections over all threads. One more gets `ServerError.overloaded` and is closed.
    package var maximumConnections = 10_000
    /// Bytes of request line and headers, with about 70 more for each header. A connection reserves 2 KiB more than
    /// this for as long as it stands, so it decides what an idle client costs.
    package var maximumHeadSize = 6 * 1024
    /// Bytes of a request's body.
    package var maximumBodySize = 1 << 20
    /// For a whole head. Counts from the start of a connection; on a connection that is kept alive, from the end of
    /// `idleTimeout` after the last answer. Trickling bytes does not extend it.
    package var headDeadline: Duration = .seconds(10)
    /// For a whole body, from the end of its head. Trickling bytes does not extend it.
    package var bodyDeadline: Duration = .seconds(30)
    /// Silence after which a connection that waits for its client is closed; whole seconds. A running handler and a
    /// quiet event stream are not silence.
    package var idleTimeout: Duration = .seconds(75)
    /// How long a handler that was cancelled at shutdown may take to answer before it is answered for.
    package var cancellationGrace: Duration = .seconds(2)
    /// Whether a handler starts on the thread that read the request and, if it answers without waiting for anything,
    /// also answers there. Saves two thread changes and four system calls for each request. Turn it off for handlers
    /// that compute for more than some milliseconds before their first `await`, since the thread's other connections
    /// wait meanwhile.
    package var startsHandlersInline = true
    /// Renders what the server itself answers, given the decoded path where one was read. A head that is not HTTP at all, and one far over `maximumHeadSize`,
    /// are answered by libmicrohttpd before this is asked: `400`, `414` or `431` with a short HTML body.
    package var errorResponse: @Sendable (_ error: ServerError, _ path: String?) -> ServerResponse

    package init(
        address: String = "127.0.0.1:0",
        errorResponse: @escaping @Sendable (ServerError, String?) -> ServerResponse = { error, _ in
            error.plainResponse
        }
    ) {
        self.address = address
        self.errorResponse = errorResponse
    }
}
