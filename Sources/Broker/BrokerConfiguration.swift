/// How a broker behaves.
public struct BrokerConfiguration: Sendable {
    public var authentication: Authentication = .development
    /// Credits of a user who has none yet.
    public var startingCredits: Int = 10
    /// Requests a minute and user; 0 for no limit.
    public var rateLimit: Int = 100
    /// The longest time that a caller waits for a job whose answer it wants on the same connection.
    public var patience: Duration = .seconds(60)

    /// Micro-dollars that a day's jobs of the service itself may have cost before no more explanations are queued for
    /// readers of feeds. Those that a user pays for are made all the same.
    public var explanationSpendCap: Int64 = 20_000_000

    public init() {}
}
