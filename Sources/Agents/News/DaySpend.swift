internal import JSON
internal import JobQueue

/// What an agent of the service spent on a day, and what failed, kept between its runs.
struct DaySpend: Sendable {
    /// Names the agent and the day.
    var key: String
    var microDollars: Int64
    /// What is not tried again on the day.
    var failed: [String]

    init(_ json: JSON, key: String? = nil) {
        self.key = key ?? json["key"]?.string ?? ""
        microDollars = json["micro_dollars"]?.integer ?? 0
        failed = json["failed"]?.array?.compactMap(\.string) ?? []
    }

    var json: JSON { ["key": JSON(key), "micro_dollars": JSON(microDollars), "failed": JSON(failed)] }

    /// The record for the next run of the day.
    func document(at time: Timestamp) -> CachedDocument {
        CachedDocument(key: key, text: json.compact, storedAt: time, keptUntil: time + .seconds(2 * 86_400))
    }
}
