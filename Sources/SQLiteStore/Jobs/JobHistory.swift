internal import DossierAPI
internal import JobQueue
import SQLSupport

// The queries of this file are in `SQL/job_history.sql`.

extension WriteTransaction {
    /// Adds an event to the history of the job with a number.
    func note(_ event: JobEvent, of number: Int64) throws {
        try database.run(.jobHistoryAdd, .integer(number), .text(event.line))
    }

    /// Adds the end of a run whose job goes on. The row still tells of that run.
    func note(
        _ outcome: JobAttempt.Outcome, of job: JobState, error: JobError? = nil, lastSeen: Timestamp? = nil
    ) throws {
        try database.run(
            .jobHistoryReturned, .integer(job.number), .timestamp(now), .text(outcome.rawValue),
            .text(error?.code.rawValue), .text(error?.message), .timestamp(lastSeen))
    }

    /// Stores the entry of the audit for the write of this transaction.
    func write(_ audit: AuditEntry?) throws {
        guard let audit else { return }
        try database.run(.auditAdd, .timestamp(now), .text(try audit.checked))
    }
}
