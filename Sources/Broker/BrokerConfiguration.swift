/// How a broker behaves.
public struct BrokerConfiguration: Sendable {
    public var authentication: Authentication = .development
    /// Credits of a user who has none yet.
    public var startingCredits: Int = 10
    /// Requests a minute and user; 0 for no limit.
    public var rateLimit: Int = 100
    /// The longest time that a caller waits for a job whose answer it wants on the same connection.
    public var patience: Duration = .seconds(60)

    public init() {}
}
