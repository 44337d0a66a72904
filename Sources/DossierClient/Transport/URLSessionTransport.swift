internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// `URLSession` with one session for reads and one for event streams, so that streams never take a connection from
/// requests. No cookies, no disk cache, no credentials of the system; redirects only within the same origin.
///
/// Only `GET` uses kept connections. When a kept connection dies before the first byte of an answer, libcurl sends a
/// request without a body again by itself, and leaves one with a body hanging; so all others get a connection of their
/// own, in a session of their own: what libcurl may use again is not for the server alone to say.
public final class URLSessionTransport: Transport {
    private let reads: ExchangeSession
    private let streams: ExchangeSession

    /// Makes a transport with sessions of its own.
    public init() {
        reads = ExchangeSession(connections: 6)
        streams = ExchangeSession(connections: 64)
    }

    deinit {
        for session in [reads, streams] { session.invalidate() }
    }

    /// Sends a request and returns the whole answer.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let isRead = request.method == .get
        let session = isRead ? reads : ExchangeSession(connections: 1)
        let exchange = session.start(request, keepsConnection: isRead)
        defer { if isRead { exchange.cancel() } else { session.invalidate() } }
        let head = try await exchange.head()
        var body = Data()
        while let chunk = try await exchange.body.next() { body.append(chunk) }
        return TransportResponse(status: head.status, headers: head.headers, body: body)
    }

    /// Sends a request and returns with the head of the answer. Leaving the body ends the connection.
    public func stream(_ request: TransportRequest) async throws -> TransportStream {
        let exchange = streams.start(request, keepsConnection: false)
        let head: Exchange.Head
        do {
            head = try await exchange.head()
        } catch {
            exchange.cancel()
            throw error
        }
        // Held by the sequence, so that a body that nobody reads ends its connection, too.
        let owner = ExchangeOwner(exchange)
        return TransportStream(
            status: head.status, headers: head.headers,
            updates: Updates {
                UpdatesSource(next: { try await owner.exchange.body.next() }, end: { owner.exchange.cancel() })
            })
    }
}

/// Cancels its exchange when nobody can read it any more.
private final class ExchangeOwner: Sendable {
    let exchange: Exchange
    init(_ exchange: Exchange) { self.exchange = exchange }
    deinit { exchange.cancel() }
}
