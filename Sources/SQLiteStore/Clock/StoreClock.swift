import SQLSupport
internal import JobQueue

/// By what a store tells moments.
struct StoreClock: Sendable {
    var now: @Sendable () -> Timestamp
    /// The clock behind it that the processes of a database share; `nil` where a test gives one of its own.
    var shared: SharedClock?
}
