package import Prompts
package import JobQueue

/// The bundles that jobs were submitted with, read from the database once and kept in memory.
package actor BundleCache {
    private static let capacity = 16

    private let repository: any BundleRepository
    private let rules: BundleRules
    private var bundles: [String: Bundle] = [:]
    private var recency: [String] = []

    package init(repository: any BundleRepository, rules: BundleRules) {
        self.repository = repository
        self.rules = rules
    }

    /// Why there is no bundle for a job.
    package enum Failure: Error {
        case unavailable(StoreError)
        /// The store has no bundle of that hash.
        case missing(hash: String)
        /// This version of Dossier cannot read the bundle.
        case unreadable(BundleProblems)
    }

    package func bundle(_ hash: String) async throws(Failure) -> Bundle {
        if let bundle = bundles[hash] {
            touch(hash)
            return bundle
        }
        let archive: String?
        do {
            archive = try await repository.archive(ofBundle: hash)
        } catch {
            throw .unavailable(error)
        }
        guard let archive else { throw .missing(hash: hash) }
        do {
            let bundle = try Bundle(archive: archive, rules: rules)
            bundles[hash] = bundle
            touch(hash)
            return bundle
        } catch {
            throw .unreadable(error)
        }
    }

    private func touch(_ hash: String) {
        recency.removeAll { $0 == hash }
        recency.append(hash)
        if recency.count > Self.capacity { bundles[recency.removeFirst()] = nil }
    }
}
