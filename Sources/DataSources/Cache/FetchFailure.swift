/// Why something could not be fetched, for those who wait for it.
package protocol FetchFailure: Error {
    /// Whoever waited does not wait any more.
    static var cancelled: Self { get }
}
