internal import Logging
public import Prompts
public import Records
internal import Synchronization

/// The bundle that new jobs are submitted with. It is replaced whole, or not at all.
public final class CurrentBundle: Sendable {
    private let bundle: Mutex<Bundle>
    private let repository: any BundleRepository

    /// Stores the bundle, so that any worker finds it by its hash, and makes it the current one.
    public init(_ bundle: Bundle, storedIn repository: any BundleRepository) async throws(RecordsError) {
        try await repository.store(bundle: bundle.hash, archive: bundle.archive)
        self.bundle = Mutex(bundle)
        self.repository = repository
    }

    public var value: Bundle { bundle.withLock { $0 } }

    /// Takes up another bundle for the jobs to come; those that are under way keep theirs.
    public func replace(with next: Bundle) async throws(RecordsError) {
        try await repository.store(bundle: next.hash, archive: next.archive)
        bundle.withLock { $0 = next }
    }
}
