package import JSON
package import JobQueue

/// Jobs of a kind that nobody has to ask for.
package struct JobSchedule: Sendable {
    /// Made of kind, times and input: an edited schedule is another one.
    package var id: String
    package var times: ScheduleTimes
    /// What each job gets, checked against the kind's schema.
    package var input: JSON

    package init(id: String, times: ScheduleTimes, input: JSON) {
        self.id = id
        self.times = times
        self.input = input
    }
}
