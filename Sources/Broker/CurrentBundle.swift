package import JobQueue
package import Prompts
internal import Synchronization

/// The bundle that new jobs are submitted with. It is replaced whole, or not at all.
package final class CurrentBundle: Sendable {
    private let current: Mutex<ServedBundle>
    private let store: any BundleRepository & FleetStore & PassageRepository

    /// Stores the bundle, so that any worker finds it by its hash, and makes it the fleet's current one: its limits and
    /// schedules hold from now on, and answers may rest on its library.
    package init(_ bundle: Bundle, storedIn store: any BundleRepository & FleetStore & PassageRepository) async throws {
        current = Mutex(try ServedBundle(bundle))
        self.store = store
        try await adopt(bundle)
    }

    package var value: Bundle { served.bundle }

    var served: ServedBundle { current.withLock { $0 } }

    /// Takes up another bundle for the jobs to come; those that are under way keep theirs, but for the limits of their
    /// kinds.
    package func replace(with next: Bundle) async throws {
        let served = try ServedBundle(next)
        try await adopt(next)
        current.withLock { $0 = served }
    }

    private func adopt(_ bundle: Bundle) async throws {
        try await store.store(bundle: bundle.hash, archive: bundle.archive)
        try await store.adopt(bundle: bundle.hash, limits: bundle.kinds.mapValues(\.limits))
        try await store.replaceCommonPassages(of: .document, with: bundle.library.flatMap(\.passages))
    }
}
