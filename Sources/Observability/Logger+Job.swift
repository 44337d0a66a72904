extension Logger {
    /// A logger whose lines name a job, with the same fields wherever a line concerns a job.
    ///
    /// - Parameters:
    ///   - job: The job's id.
    ///   - attempt: The number of the attempt, from 1.
    ///   - step: The step of the journal that is being made; `nil` outside of one.
    ///   - requestID: The id of the request that submitted the job; `nil` for a job of a schedule.
    /// - Returns: The logger.
    package func with(job: String, attempt: Int, step: String? = nil, requestID: String? = nil) -> Logger {
        var logger = with(["job": .string(job), "attempt": .integer(Int64(attempt))])
        if let step { logger = logger.with(["step": .string(step)]) }
        if let requestID { logger = logger.with(["request_id": .string(requestID)]) }
        return logger
    }
}
