/// Keeps every validated bundle by its hash, so that a job finds the bundle it was submitted with on any worker.
package protocol BundleRepository: Sendable {
    /// Stores a bundle's archive; the same hash again changes nothing.
    func store(bundle hash: String, archive: String) async throws(StoreError)

    func archive(ofBundle hash: String) async throws(StoreError) -> String?
}
