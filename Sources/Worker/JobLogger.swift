internal import JobQueue
internal import Observability

extension JobStore {
    /// Loggers for jobs that this process may not run, with what the store knows of each.
    ///
    /// It reads the database, so it is for rare events. A job that cannot be read is named by its id alone.
    func loggers(for jobs: [JobID], from logger: Logger) async -> [(job: Job?, logger: Logger)] {
        guard !jobs.isEmpty else { return [] }
        let requests = (try? await requestIDs(of: jobs)) ?? [:]
        var loggers: [(job: Job?, logger: Logger)] = []
        for id in jobs {
            guard let job = try? await job(id, of: nil) else {
                loggers.append((nil, logger.with(["job": .string(id.description)])))
                continue
            }
            let named = logger.with(
                job: id.description, attempt: job.attempt, step: job.currentStep, requestID: requests[id])
            loggers.append((job, named.with(["kind": .string(job.kind)])))
        }
        return loggers
    }
}
