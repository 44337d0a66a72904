package import JobQueue

/// The budgets and models of a catalogue as the processes of the fleet know them, read from the database.
package struct FleetStatus: Sendable {
    /// The state of a model's circuit breaker.
    package enum BreakerState: String, Sendable {
        case closed, open
        /// The time of the opening is over; one call finds out whether the model is back.
        case probing
    }

    package struct Budget: Sendable {
        package var name: String
        /// What the provider told, and what `models.yaml` sets.
        package var limits: [BucketLevel]
        /// The calls of the last hour that were refused with 429.
        package var refusalsHour: Int64
        /// The rest of a pause that the provider asked for.
        package var blockedFor: Duration?
    }

    package struct Model: Sendable {
        /// The id in the catalogue.
        package var id: String
        package var provider: String
        package var state: BreakerState
        /// The rest of an opening.
        package var opensAgainIn: Duration?
        package var clocks: [ClockReading]
        /// The stalled calls of the last hour.
        package var stallsHour: Int64
    }

    package var budgets: [Budget] = []
    package var models: [Model] = []

    /// Reads the status of all models of tiers.
    package init(of catalogue: ModelCatalogue, in store: any ModelMonitoring) async throws(StoreError) {
        let monitored = catalogue.monitoredBudgets
        guard !monitored.isEmpty else { return }
        let replies = try await store.exchange(monitored.map(\.question))
        let hour = (replies.first?.timestamp ?? Timestamp(milliseconds: 0)) - .seconds(3600)
        let latencies = try await store.modelLatencies(since: hour)
        let sums = try await store.modelCallSums(since: hour)
        for (budget, reply) in zip(monitored, replies) {
            budgets.append(
                Budget(
                    name: budget.name, limits: reply.buckets, refusalsHour: reply.refusals,
                    blockedFor: reply.blockedFor))
            for id in budget.models {
                let opening = reply.openings.filter { [.provider, .model(id)].contains($0.scope) }.map(\.rest).max()
                let stalls = sums.filter { $0.model == id && $0.provider == budget.provider && $0.state == .stalled }
                models.append(
                    Model(
                        id: id, provider: budget.provider,
                        state: opening.map { $0 > .zero ? .open : .probing } ?? .closed, opensAgainIn: opening,
                        clocks: catalogue.models[id]?.clocks(of: latencies) ?? [],
                        stallsHour: stalls.reduce(0) { $0 + $1.calls }))
            }
        }
    }
}
