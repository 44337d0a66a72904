internal import Foundation

/// Reads resources through the cache, equal reads at the same time as one request.
struct ResourceReader: Sendable {
    let sender: RequestSender
    private let flights = RequestDeduplicator<Flight, any Sendable>()
    private let changes = Broadcast<Change>()

    private struct Flight: Hashable {
        let account: String
        let name: String
        let type: ObjectIdentifier
        /// A read that begins after a write must not share an answer from before it.
        let removals: Int
    }

    private struct Change: Sendable {
        let account: String
        let name: String
        let cached: any Sendable
    }

    private var cache: ResponseCache { sender.configuration.cache }

    init(sender: RequestSender) { self.sender = sender }

    func read<Value>(_ resource: Resource<Value>, _ policy: CachePolicy) async throws -> Cached<Value> {
        try Task.checkCancellation()
        let account = await sender.authentication.account()
        let stored = policy == .networkOnly ? nil : await cache.value(for: resource, account: account)
        switch policy {
        case .networkOnly:
            return try await fetch(resource, account)
        case .cacheOnly:
            guard let stored else { throw DossierError(.notCached, message: "Nothing is stored for this address.") }
            return stored
        case .cacheFirst:
            guard let stored else { return try await fetch(resource, account) }
            switch stored.freshness {
            case .fresh: return stored
            case .warm, .stale: return refreshed(stored, resource, account)
            case .critical: return try await fetch(resource, account, or: stored)
            }
        case .networkFirst:
            return try await fetch(resource, account, or: stored)
        case .staleWhileRevalidate(let maximumAge):
            let age = stored.map { sender.configuration.now().timeIntervalSince($0.storedAt) }
            guard let stored, let age, age >= 0, age <= maximumAge.inSeconds else {
                return try await fetch(resource, account)
            }
            return stored.freshness == .fresh ? stored : refreshed(stored, resource, account)
        }
    }

    /// The stored value, then every newer one that any read stores.
    func values<Value>(of resource: Resource<Value>) async -> UpdatesSource<Cached<Value>> {
        let account = await sender.authentication.account()
        let changes = changes.listen { $0.account == account && $0.name == resource.name && $0.cached is Cached<Value> }
        let shown = Locked<Date?>(nil)
        let next: @Sendable () async throws -> Cached<Value>? = {
            if shown.withLock({ $0 }) == nil {
                let stored = await cache.value(for: resource, account: account)
                let first: Cached<Value> =
                    if let stored {
                        stored.freshness == .fresh ? stored : refreshed(stored, resource, account)
                    } else {
                        try await fetch(resource, account)
                    }
                shown.withLock { $0 = first.storedAt }
                return first
            }
            while let change = try await changes.next() {
                guard let cached = change.cached as? Cached<Value> else { continue }
                let isNewer = shown.withLock { shown in
                    guard let last = shown, cached.storedAt > last else { return false }
                    shown = cached.storedAt
                    return true
                }
                if isNewer { return cached }
            }
            return nil
        }
        return UpdatesSource(next: next, end: changes.end)
    }

    private func refreshed<Value>(
        _ stored: Cached<Value>, _ resource: Resource<Value>, _ account: String
    ) -> Cached<Value> {
        Task { try await fetch(resource, account) }
        return stored.revalidating
    }

    /// Reads from the network, or takes the stored value when no answer comes. A refusal is thrown.
    private func fetch<Value>(
        _ resource: Resource<Value>, _ account: String, or stored: Cached<Value>?
    ) async throws -> Cached<Value> {
        do {
            return try await fetch(resource, account)
        } catch let error as DossierError {
            guard let stored, error.isRetryable, !error.isRefusal else { throw error }
            return stored
        }
    }

    private func fetch<Value>(_ resource: Resource<Value>, _ account: String) async throws -> Cached<Value> {
        let removals = await cache.removals(of: resource, account: account)
        let flight = Flight(
            account: account, name: resource.name, type: ObjectIdentifier(Value.self), removals: removals)
        let value = try await flights.value(for: flight) { try await load(resource, account, removals) }
        guard let cached = value as? Cached<Value> else {
            throw DossierError(.unreadableAnswer, message: "The answer has another type.")
        }
        return cached
    }

    private func load<Value>(
        _ resource: Resource<Value>, _ account: String, _ removals: Int
    ) async throws -> Cached<Value> {
        let stored = await cache.entry(for: resource, account: account)
        var endpoint = resource.endpoint
        if let tag = stored?.tag { endpoint.headers["If-None-Match"] = tag }
        let answer = try await sender.response(to: endpoint)
        let value: Value
        if answer.status == 304 {
            guard let stored else {
                throw DossierError(
                    .unreadableAnswer, status: 304, message: "Nothing was stored that could be unchanged.")
            }
            value = stored.cached.value
        } else {
            value = try AnswerReader(response: answer, endpoint: endpoint).value()
        }
        let cached = await cache.store(
            value, tag: answer.headers["etag"] ?? stored?.tag, for: resource, account: account,
            unlessRemovedAfter: removals)
        changes.send(Change(account: account, name: resource.name, cached: cached))
        return cached
    }
}
