/// How a database is doing, for operators.
package protocol StoreHealth: Sendable {
    /// Reads what an operator should know: the integrity of files and indexes, sizes, what is to be cleaned up, how many
    /// jobs are where, and counts that contradict each other. It changes nothing and may take a while.
    func health() async throws(StoreError) -> [HealthReading]
}

/// One thing that was looked at.
package struct HealthReading: Hashable, Sendable {
    /// In lower case with underscores: `write_ahead_log_bytes`.
    package var name: String
    /// The number that was read, where there is one.
    package var value: Int64?
    /// What it means, in a sentence without secrets.
    package var text: String
    /// Whether nothing has to be done about it.
    package var isGood: Bool

    package init(name: String, value: Int64?, text: String, isGood: Bool) {
        self.name = name
        self.value = value
        self.text = text
        self.isGood = isGood
    }
}
