package import Basics
package import HTTP

/// Fetches the addresses of users and feeds: from the public web only, within a size limit.
package struct WebFetcher: Sendable {
    private let transport: any HTTPTransport
    private let allowing: [String]

    /// Sites answer programs whose user agent does not begin like a browser's with an error page.
    private static let userAgent = "Mozilla/5.0 (compatible; Dossier)"

    /// - Parameters:
    ///   - transport: an `HTTPClient`, which holds the guard.
    ///   - allowing: hosts or CIDR blocks that may be reached although they are private.
    package init(transport: any HTTPTransport, allowing: [String] = []) {
        self.transport = transport
        self.allowing = allowing
    }

    /// The limits of one page: 8 MiB after decompression, 30 s in all, 10 s of silence, five redirects.
    package static var limits: HTTPLimits {
        var limits = HTTPLimits()
        limits.connect = .seconds(10)
        limits.total = .seconds(30)
        limits.idle = .seconds(10)
        limits.body = 8 << 20
        limits.redirects = 5
        return limits
    }

    /// The answer of a server, with any status.
    func get(_ url: String, accept: String, headers: [(String, String)] = []) async throws(FetchError) -> HTTPResponse {
        let request = HTTPRequest(
            .get, url,
            headers: HTTPHeaders(
                [("User-Agent", Self.userAgent), ("Accept", accept), ("Accept-Language", "en-US,en;q=0.8,*;q=0.5")]
                    + headers), limits: Self.limits, destination: .publicInternet(allowing: allowing))
        do {
            return try await transport.send(request)
        } catch {
            throw FetchError(error)
        }
    }
}

/// Spaces the requests of this process so that they never exceed the allowed rate.
///
/// Turns are granted in the order of the calls, each at least `interval` after the previous one; a turn whose task is
/// cancelled while it waits is lost, which only makes the pace slower.
package actor RequestPacer {
    private let interval: Duration
    private let time: TimeSource
    private var nextTurn: Duration?

    package init(requestsPerSecond: Int, time: TimeSource = .system) {
        interval = .seconds(1) / max(1, requestsPerSecond)
        self.time = time
    }

    /// The one pace of this process towards the SEC, which allows ten requests a second to one user in all.
    package static let edgar = RequestPacer(requestsPerSecond: 10)

    /// Returns when a request may leave.
    package func waitForTurn() async throws {
        let now = time.uptime()
        let turn = max(now, nextTurn ?? now)
        nextTurn = turn + interval
        if turn > now { try await time.sleep(turn - now) }
    }
}
