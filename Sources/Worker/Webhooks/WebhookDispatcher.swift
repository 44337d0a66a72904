internal import Basics
package import HTTP
package import JobQueue
package import Observability
internal import Synchronization

/// Delivers the ends of jobs to endpoints, beside any number of other workers.
///
/// A try is made under a lease in the store, so that the death of a worker delays a delivery and loses none. An answer
/// that was lost is followed by another try: endpoints get each event at least once.
package final class WebhookDispatcher: Sendable {
    private let store: any JobStore & WebhookRepository
    private let transport: any HTTPTransport
    private let configuration: WebhookConfiguration
    private let makeLease: @Sendable () -> String
    private let logger: Logger
    private let metrics: WorkerMetrics
    private let wakeup = Wakeup()
    /// The longest time until a due delivery is found that no job of this process ended.
    private let pollInterval: Duration
    /// The number of the endpoint that was claimed last, so that all endpoints have their turn.
    private let lastEndpoint = Mutex<Int64>(0)
    /// The tries that may begin: a claim takes them, and the end of a try gives one back.
    private let free = Mutex(WebhookConfiguration.triesPerWorker)

    /// - Parameters:
    ///   - store: The deliveries, and the clock that their times are by.
    ///   - transport: Carries the tries.
    ///   - configuration: Pauses and limits.
    ///   - pollInterval: The longest time until due deliveries are looked for.
    ///   - makeLease: Makes a name for a claim that no other claim has.
    ///   - logger: The log.
    ///   - metrics: Counts the tries.
    package init(
        store: any JobStore & WebhookRepository, transport: any HTTPTransport,
        configuration: WebhookConfiguration = WebhookConfiguration(), pollInterval: Duration = .seconds(1),
        makeLease: @escaping @Sendable () -> String, logger: Logger, metrics: WorkerMetrics = WorkerMetrics()
    ) {
        self.metrics = metrics
        (self.store, self.transport, self.configuration) = (store, transport, configuration)
        (self.pollInterval, self.makeLease, self.logger) = (pollInterval, makeLease, logger)
    }

    /// Looks for due deliveries at once, since a job has ended.
    func wake() { wakeup.raise() }

    /// Delivers until the task is cancelled; tries that are under way then are handed back.
    package func run() async {
        await withTaskGroup { group in
            group.addTask { [self] in
                while (try? await Task.sleep(for: pollInterval)) != nil { wakeup.raise() }
                wakeup.finish()
            }
            wakeup.raise()
            for await _ in wakeup.signals {
                let limit = free.withLock { $0 }
                guard limit > 0, !Task.isCancelled else { continue }
                let lease = makeLease()
                for webhook in await claim(limit, as: lease) {
                    free.withLock { $0 -= 1 }
                    group.addTask { [self] in
                        await deliver(webhook, as: lease)
                        free.withLock { $0 += 1 }
                        wakeup.raise()
                    }
                }
            }
        }
    }

    private func claim(_ limit: Int, as lease: String) async -> [ClaimedWebhook] {
        do throws(StoreError) {
            // A read first: most of the time nothing is due, and a claim is a write.
            guard try await store.hasDueWebhooks(at: try await store.now()) else { return [] }
            let claimed = try await store.claimWebhooks(
                as: lease, for: configuration.leaseTime, limit: limit, each: WebhookConfiguration.triesPerEndpoint,
                after: lastEndpoint.withLock { $0 })
            if let last = claimed.last { lastEndpoint.withLock { $0 = last.endpointNumber } }
            return claimed
        } catch {
            logger.debug("cannot claim deliveries of webhooks", ["reason": .string(error.description)])
            return []
        }
    }

    /// Makes one try and records it.
    private func deliver(_ webhook: ClaimedWebhook, as lease: String) async {
        let start = ContinuousClock.now
        do throws(StoreError) {
            let at = try await store.now()
            let (answer, error) = await send(webhook, at: at)
            if error == .cancelled { return try await store.releaseWebhook(webhook, lease: lease) }
            var generator = SystemRandomNumberGenerator()
            // A success counts when all of the answer that is read has come.
            let counted = error != nil && answer?.isSuccess == true ? nil : answer
            let outcome = configuration.outcome(
                of: counted, attempts: webhook.attempts, at: at, variation: Double.random(in: 0...1, using: &generator))
            let attempt = WebhookTry(
                at: at, status: answer?.status, error: problem(answer, error), duration: ContinuousClock.now - start)
            metrics.tried(attempt.error)
            let disabled = try await store.finishWebhook(
                webhook, lease: lease, outcome, after: attempt, disablingAfter: configuration.disableAfter)
            if let disabled {
                logger.warning(
                    "a webhook endpoint was disabled",
                    ["endpoint": .string(disabled.endpoint), "reason": .string(disabled.reason.rawValue)])
            }
        } catch {
            logger.warning(
                "cannot record a delivery of a webhook; it is tried again",
                ["delivery": .string(webhook.event), "reason": .string(error.description)])
        }
    }

    private func problem(_ answer: HTTPResponse?, _ error: HTTPClientError?) -> String? {
        if let error { return error.webhookError }
        guard let answer, !answer.isSuccess else { return nil }
        return (300..<400).contains(answer.status) ? "redirect" : "status"
    }

    /// Sends the request and reads the first part of the answer's body. There may be a head and then an error.
    private func send(
        _ webhook: ClaimedWebhook, at now: Timestamp
    ) async -> (answer: HTTPResponse?, error: HTTPClientError?) {
        let message = WebhookMessage(webhook)
        var limits = HTTPLimits()
        limits.connect = min(limits.connect, configuration.timeout)
        limits.total = configuration.timeout
        limits.idle = configuration.timeout
        let request = HTTPRequest(
            .post, webhook.url, headers: HTTPHeaders(message.headers(at: now, secrets: webhook.secrets)),
            body: message.body, limits: limits, destination: .publicInternet(allowing: configuration.allowing))
        var answer: HTTPResponse?
        do {
            let stream = try await transport.stream(request)
            answer = HTTPResponse(status: stream.status, headers: stream.headers)
            var bytes = 0
            for try await chunk in stream.body {
                bytes += chunk.count
                if bytes >= WebhookConfiguration.answerBytes { break }
            }
            return (answer, nil)
        } catch {
            return (answer, error as? HTTPClientError ?? .connectionLost(host: "", reason: ""))
        }
    }
}
