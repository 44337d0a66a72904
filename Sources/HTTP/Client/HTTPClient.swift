/// An HTTP client for HTTP/1.1 and HTTP/2 over libcurl. One instance serves a whole program: it keeps connections and
/// carries any number of requests on one thread.
///
/// - Bodies are decompressed (gzip, deflate, brotli), and their limits count decompressed bytes.
/// - Only `http` and `https`; no proxies, cookies or credentials from the environment.
/// - A request is never repeated once its body has been sent, even if the connection is lost.
package final class HTTPClient: HTTPTransport {
    let loop: TransferLoop
    private let resolve: @Sendable (_ host: String, _ time: Duration) async throws(HTTPClientError) -> [IPAddress]
    private let configuration: HTTPClientConfiguration

    package convenience init(_ configuration: HTTPClientConfiguration = HTTPClientConfiguration()) {
        let resolver = NameResolver()
        self.init(configuration) { (host, time) async throws(HTTPClientError) in
            try await resolver.addresses(of: host, within: time)
        }
    }

    /// `resolve` looks up every address of a name, for requests to `HTTPDestination.publicInternet`.
    init(
        _ configuration: HTTPClientConfiguration = HTTPClientConfiguration(),
        resolve: @escaping @Sendable (String, Duration) async throws(HTTPClientError) -> [IPAddress]
    ) {
        self.configuration = configuration
        self.resolve = resolve
        loop = TransferLoop(configuration)
    }

    deinit { loop.requestStop(after: .zero) }

    /// Sends a request and collects the response. Any status is a response, not an error.
    package func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        let received = try await follow(request, mode: .collect)
        let url = received.transfer.hop.url.text
        return HTTPResponse(status: received.head.status, headers: received.head.headers, body: received.body, url: url)
    }

    /// Sends a request and returns as soon as the head of the response has arrived.
    package func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse {
        let buffer = BodyBuffer(capacity: configuration.streamBuffer)
        let received = try await follow(request, mode: .stream(buffer))
        let reader = BodyReader(client: self, transfer: received.transfer, buffer: buffer)
        let body = AsyncThrowingStream<[UInt8], any Error> { try await reader.next() }
        return HTTPStreamingResponse(status: received.head.status, headers: received.head.headers, body: body)
    }

    /// Ends the client. Running requests get `grace` to finish, then fail with `cancelled`; new requests fail
    /// immediately. Returns when every connection is closed. May be called more than once.
    package func shutdown(grace: Duration = .zero) async {
        loop.requestStop(after: grace)
        await loop.waitForStop()
    }

    // MARK: - Redirects

    private typealias Received = (head: ResponseHead, body: [UInt8], transfer: Transfer)

    private func follow(_ request: HTTPRequest, mode: Transfer.Mode) async throws(HTTPClientError) -> Received {
        let deadline = SuspendingClock.now.advanced(by: request.limits.total)
        var hop = try Hop(request)
        var followed = 0
        while true {
            let connection = try await connectionPolicy(for: hop.url, of: request, until: deadline)
            let transfer = Transfer(
                hop: hop, limits: request.limits, mode: mode, connection: connection, deadline: deadline)
            switch try await outcome(of: transfer) {
            case .response(let head, let body): return (head, body, transfer)
            case .redirect(let head):
                guard followed < request.limits.redirects else {
                    throw .tooManyRedirects(limit: request.limits.redirects)
                }
                followed += 1
                hop = try hop.following(head, isGuarded: connection.policy != nil)
            }
        }
    }

    /// Checks the addresses of the URL. Every address of the name has to be permitted, not only the one in use.
    private func connectionPolicy(
        for url: AbsoluteURL, of request: HTTPRequest, until deadline: SuspendingClock.Instant
    ) async throws(HTTPClientError) -> ConnectionPolicy {
        guard case .publicInternet(let allowing) = request.destination else { return .anywhere }
        guard !url.hasUser else { throw .invalidURL(url.text) }
        let policy = AddressPolicy(allowing: allowing, ports: configuration.publicPorts)
        let addresses: [IPAddress]
        if let address = url.address {
            addresses = [address]
        } else {
            let time = min(request.limits.connect, SuspendingClock.now.duration(to: deadline))
            addresses = try await resolve(url.host, time)
        }
        if let refused = addresses.first(where: { !policy.permits($0, of: url.host) }) {
            throw .forbiddenAddress(host: url.host, address: refused.description)
        }
        if addresses.contains(where: { !policy.permits(port: url.port, at: $0, of: url.host) }) {
            throw .forbiddenPort(host: url.host, port: url.port)
        }
        return ConnectionPolicy(policy: policy, addresses: url.address == nil ? addresses : [])
    }

    private func outcome(of transfer: Transfer) async throws(HTTPClientError) -> Transfer.Outcome {
        guard transfer.deadline > .now else { throw .timedOut(host: transfer.hop.url.host) }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                transfer.waiter = waiter
                loop.start(transfer)
            }
        } onCancel: {
            loop.cancel(transfer)
        }
        return try result.get()
    }
}

/// The settings of an `HTTPClient` for all requests.
package struct HTTPClientConfiguration: Sendable {
    /// Connections to one host (name and port) at a time; further requests wait for one. 0 for no limit.
    package var connectionsPerHost = 0
    /// Connections kept open without a request.
    package var idleConnections = 64
    /// Bytes of a streamed body that are buffered for the reader before the sender is slowed down. At most one more
    /// chunk of 16 KiB and the kernel's buffers come on top.
    package var streamBuffer = 64 << 10
    /// Sent when a request has no `User-Agent` of its own.
    package var userAgent = "Dossier"
    /// A file of trusted certificates (PEM) that replaces the system's.
    package var trustedCertificates: String?
    /// The usual ports of web servers, which requests to `HTTPDestination.publicInternet` may use.
    package var publicPorts: Set<Int> = [
        80, 81, 443, 591, 3000, 4443, 5000, 8000, 8008, 8080, 8081, 8088, 8090, 8180, 8443, 8800, 8880, 8888, 9443,
    ]

    package init() {}
}

/// The addresses to which one hop may connect.
struct ConnectionPolicy: Sendable {
    /// `nil` for any address.
    var policy: AddressPolicy?
    /// The checked addresses, which replace the lookup of the name; empty to let libcurl resolve it.
    var addresses: [IPAddress] = []

    static let anywhere = ConnectionPolicy()
}
