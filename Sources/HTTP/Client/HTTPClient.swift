/// An HTTP client for HTTP/1.1 and HTTP/2 over libcurl. One instance serves a whole program: it keeps connections
/// and carries any number of requests on one thread.
///
/// - Bodies are decompressed (gzip, deflate, brotli), and the limits on them count what comes out.
/// - Only `http` and `https`; no proxies, cookies or credentials from the environment.
/// - A request is never repeated once its body has been sent, whatever happens to the connection.
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

    /// `resolve` looks up every address of a name, for requests that are bound to the public internet.
    init(
        _ configuration: HTTPClientConfiguration = HTTPClientConfiguration(),
        resolve: @escaping @Sendable (String, Duration) async throws(HTTPClientError) -> [IPAddress]
    ) {
        self.configuration = configuration
        self.resolve = resolve
        loop = TransferLoop(configuration)
    }

    deinit { loop.requestStop(after: .zero) }

    /// Sends a request and collects the whole answer. Any status is an answer, not an error.
    package func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        let answer = try await follow(request, mode: .collect)
        let url = answer.transfer.hop.url.text
        return HTTPResponse(status: answer.head.status, headers: answer.head.headers, body: answer.body, url: url)
    }

    /// Sends a request and returns as soon as the head of the answer is here.
    package func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse {
        let buffer = BodyBuffer(capacity: configuration.streamBuffer)
        let answer = try await follow(request, mode: .stream(buffer))
        let reader = BodyReader(client: self, transfer: answer.transfer, buffer: buffer)
        let body = AsyncThrowingStream<[UInt8], any Error> { try await reader.next() }
        return HTTPStreamingResponse(status: answer.head.status, headers: answer.head.headers, body: body)
    }

    /// Ends the client: requests that run get `grace` to finish, then fail with `cancelled`, as new ones do at once.
    /// Returns when every connection is closed. May be called more than once.
    package func shutdown(grace: Duration = .zero) async {
        loop.requestStop(after: grace)
        await loop.waitForStop()
    }

    // MARK: - From hop to hop

    private typealias Answer = (head: ResponseHead, body: [UInt8], transfer: Transfer)

    private func follow(_ request: HTTPRequest, mode: Transfer.Mode) async throws(HTTPClientError) -> Answer {
        let deadline = SuspendingClock.now.advanced(by: request.limits.total)
        var hop = try Hop(request)
        var followed = 0
        while true {
            let route = try await route(for: hop.url, of: request, until: deadline)
            let transfer = Transfer(hop: hop, limits: request.limits, mode: mode, route: route, deadline: deadline)
            switch try await outcome(of: transfer) {
            case .answer(let head, let body): return (head, body, transfer)
            case .redirect(let head):
                guard followed < request.limits.redirects else {
                    throw .tooManyRedirects(limit: request.limits.redirects)
                }
                followed += 1
                hop = try hop.following(head, isGuarded: route.policy != nil)
            }
        }
    }

    /// Checks where the URL leads. Every address of the name has to be permitted, not only the one that is used.
    private func route(
        for url: AbsoluteURL, of request: HTTPRequest, until deadline: SuspendingClock.Instant
    ) async throws(HTTPClientError) -> Route {
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
        return Route(policy: policy, addresses: url.address == nil ? addresses : [])
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
