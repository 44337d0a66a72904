/// How a broker behaves.
package struct BrokerConfiguration: Sendable {
    package var authentication: Authentication = .development
    /// Credits of a user who has none yet.
    package var startingCredits: Int = 10
    /// Requests a minute and user; 0 for no limit.
    package var rateLimit: Int = 100
    /// The longest time that a caller waits for a job whose answer it wants on the same connection.
    package var timeout: Duration = .seconds(60)

    /// Micro-dollars that a day's jobs of the service itself may have cost before no more explanations are queued for
    /// readers of feeds. Those that a user pays for are made all the same.
    package var explanationSpendCap: Int64 = 20_000_000

    package init() {}
}
