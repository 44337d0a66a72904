import SQLSupport
internal import JobQueue

extension Job {
    /// Reads the place that a question had, the database's moment and a row of the view `job_record`.
    static func reading(_ row: inout PostgresRow) throws -> (place: Int, job: Job) {
        let place = row.int()
        let now = row.timestamp()
        return (place, try Job(&row, now: now))
    }
}
