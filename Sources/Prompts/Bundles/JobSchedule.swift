public import JSON
public import JobQueue

/// Jobs of a kind that nobody has to ask for.
public struct JobSchedule: Sendable {
    /// Made of kind, times and input: an edited schedule is another one.
    public var id: String
    public var times: ScheduleTimes
    /// What each job gets, checked against the kind's schema.
    public var input: JSON

    public init(id: String, times: ScheduleTimes, input: JSON) {
        self.id = id
        self.times = times
        self.input = input
    }
}
