internal import Articles
package import HTTPServer
internal import JSON

/// A local HTTP server with the wire formats of the model providers, of the SEC and
/// of sources of news, for trying Dossier without keys and for tests.
///
/// ```swift
/// let simulator = Simulator()
/// let url = try simulator.start()
/// simulator.faults.add(FaultRule(.status(529), service: .claude, times: 2))
/// …
/// simulator.calls(to: .claude).count
/// await simulator.stop()
/// ```
///
/// Text is built from the request, says that it is simulated and is the same for the same request. It quotes figures
/// that the request states and makes up none. Company figures are real.
package final class Simulator: Sendable {
    private let core: SimulatorCore
    private let server: HTTPServer

    /// The faults in force; a change takes effect with the next request.
    package var faults: FaultPlan { core.faults }

    package init(_ configuration: SimulatorConfiguration = SimulatorConfiguration()) {
        let core = SimulatorCore(configuration)
        self.core = core
        var settings = HTTPServerConfiguration(address: configuration.address)
        // As much as the providers take in one batch.
        settings.maximumBodySize = 256 << 20
        settings.unfinishedBodies = 512 << 20
        settings.startsHandlersInline = false
        settings.cancellationGrace = .milliseconds(200)
        server = HTTPServer(configuration: settings) { await core.handle($0) }
    }

    /// Starts to listen.
    ///
    /// - Returns: The base URL, without a slash at its end.
    /// - Throws: `HTTPServerError`; a simulator starts once.
    package func start() throws(HTTPServerError) -> String { try server.start().url }

    /// Ends the answers under way and stops.
    package func stop() async { await server.shutdown(grace: .zero) }

    /// The kept requests in order of arrival.
    package func requests() -> [RecordedCall] { core.log.calls }

    /// The kept requests to one service.
    package func calls(to service: SimulatedService) -> [RecordedCall] {
        core.log.calls.filter { $0.service == service }
    }

    /// The number of requests since the start or the last `clear`, kept or not.
    package func count(of service: SimulatedService? = nil) -> Int { core.log.count(of: service) }

    /// Forgets requests, bills, batches, cached prefixes and the use of limits. Faults and limits stay.
    package func clear() { core.clear() }

    /// What the providers billed: calls, and lines of batches.
    package func bill() -> [BillLine] {
        // Bills the lines of batches that are due.
        _ = core.batches.batches(of: nil)
        return core.books.bill.lines
    }

    /// Settings of the batches that are made from now on.
    package func setBatches(_ settings: BatchSettings) { core.batches.settings = settings }

    /// Puts limits in force in place of those before; every bucket starts full.
    package func setLimits(_ limits: [ModelLimit]) { core.books.limits.set(limits) }

    /// Draws the time to the first byte and the speed of each answer; `nil` for the configured pacing.
    package func setLatency(_ latency: Latency?) { core.pacing.latency = latency }

    /// The environment in which Dossier uses a simulator at a base URL for everything.
    package static func environment(at url: String) -> [String: String] {
        [
            // The news lead to pages of the simulator itself.
            "DOSSIER_FETCH_ALLOW": WebAddress(url).host ?? "127.0.0.1",
            "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "simulated", "GEMINI_BASE_URL": url,
            "GEMINI_API_KEY": "simulated", "OPENAI_BASE_URL": url + "/openai/v1", "OPENAI_API_KEY": "simulated",
            "SEC_BASE_URL": url, "SEC_USER_AGENT": "Dossier simulator simulator@example.com",
            "NEWS_API_BASE_URL": url + "/newsapi/v2", "NEWS_API_KEY": "simulated", "YOUTUBE_BASE_URL": url + "/youtube",
            // Its prices are made up, and say so.
            "FMP_BASE_URL": url + "/fmp/stable", "FMP_API_KEY": "simulated",
            "NEWS_FEEDS_BASE_URL": url + "/web/mirror",
        ]
    }
}

/// The data that the binary carries with it.
enum Resource {
    /// The JSON of an embedded file; `null` where it is malformed, which a test rules out.
    static func json(_ bytes: [UInt8]) -> JSON { (try? JSON(parsing: bytes)) ?? .null }
}
