package import JobQueue
package import JSON
import SQLSupport

extension PostgresStore {
    package func job(_ id: JobID, of user: UserID?) async throws(StoreError) -> Job? {
        try await readers.perform(OwnedJob(id: id, user: user), in: reads.job)
    }

    package func jobWithResult(_ id: JobID, of user: UserID?) async throws(StoreError) -> JobWithResult? {
        guard let found = try await readers.perform(OwnedJob(id: id, user: user), in: reads.jobWithResult) else {
            return nil
        }
        do {
            return JobWithResult(job: found.job, result: try found.result.map { try JSON(parsing: $0) })
        } catch {
            throw .unexpected(reason: "the result of job \(id) is not JSON")
        }
    }

    package func revisions(of jobs: [JobID]) async throws(StoreError) -> [JobID: Int64] {
        jobs.isEmpty ? [:] : try await readers.perform(jobs, in: reads.revisions)
    }

    package func unfinishedInputs(ofKind kind: String, limit: Int) async throws(StoreError) -> [JSON] {
        try Texts.rejectNUL([("kind", kind)])
        let question = InputQuestion(kind: kind, limit: limit)
        return try await readers.perform(question, in: reads.unfinishedInputs).compactMap { try? JSON(parsing: $0) }
    }

    package func requestIDs(of jobs: [JobID]) async throws(StoreError) -> [JobID: String] {
        jobs.isEmpty ? [:] : try await readers.perform(jobs, in: reads.requestIDs)
    }

    package func jobs(_ query: JobListQuery) async throws(StoreError) -> JobList {
        try Texts.rejectNUL([("kind", query.kind)])
        return try await readers.perform(ListQuestion(query), in: reads.list)
    }

    package func steps(of lease: Lease) async throws(StoreError) -> [Step] {
        let question = JournalQuestion(job: lease.job, epoch: lease.epoch)
        guard let rows = try await readers.perform(question, in: reads.steps) else { throw .leaseLost }
        return rows.map(\.step)
    }

    package func now() async throws(StoreError) -> Timestamp {
        if let now { return now() }
        return try await readers.perform((), in: reads.clock)
    }

    package func changes(_ topic: ChangeTopic) -> AsyncStream<Void> { broadcaster.watch(topic) }
}

/// A job with its result as JSON text.
struct JobRowWithResult: Sendable {
    var job: Job
    var result: String?
}

/// Asks for a page of a user's jobs.
struct ListQuestion: Sendable {
    var query: JobListQuery
    var perPage: Int
    var before: JobID
    var offset: Int

    init(_ query: JobListQuery) {
        self.query = query
        perPage = min(max(query.perPage, 1), 10_000)
        switch query.position {
        case .after(let id): (before, offset) = (id, 0)
        case .page(let page):
            let (offset, overflows) = (max(page, 1) - 1).multipliedReportingOverflow(by: perPage)
            (before, self.offset) = (JobID(high: .max, low: .max), overflows ? .max : offset)
        }
    }
}

/// Asks for the inputs of a kind's unfinished jobs.
struct InputQuestion: Sendable {
    var kind: String
    var limit: Int
}

/// Asks for the journal of a job, under the lease of an epoch, or for an operator without one.
struct JournalQuestion: Sendable {
    var job: JobID
    var epoch: Int64?
}

extension Statement {
    fileprivate static func jobs(
        _ query: Query, _ inputs: [OwnedJob], now: Timestamp?
    ) -> Statement {
        Statement(query) { parameters in
            parameters.add(ids: inputs.map(\.id))
            parameters.add(integers: inputs.map { $0.user?.rawValue })
            parameters.add(now?.milliseconds)
        }
    }
}

extension BatchOperation where Input == OwnedJob, Output == Job? {
    static let job = BatchOperation(
        limit: 128,
        batching: .polls,
        statements: { inputs, context in [.jobs(.jobGet, inputs, now: context.now)] },
        read: { answer, inputs in
            var verdicts = [Verdict](repeating: .done(nil), count: inputs.count)
            try answer.rows.first?.each { row in
                let (place, job) = try Job.withPlace(&row)
                if verdicts.indices.contains(place - 1) { verdicts[place - 1] = .done(job) }
            }
            return verdicts
        })
}

extension BatchOperation where Input == OwnedJob, Output == JobRowWithResult? {
    static let jobWithResult = BatchOperation(
        limit: 32,
        statements: { inputs, context in [.jobs(.jobGetWithResult, inputs, now: context.now)] },
        read: { answer, inputs in
            var verdicts = [Verdict](repeating: .done(nil), count: inputs.count)
            try answer.rows.first?.each { row in
                let (place, job) = try Job.withPlace(&row)
                let result = row.textOrPackedIfAny()
                if verdicts.indices.contains(place - 1) {
                    verdicts[place - 1] = .done(JobRowWithResult(job: job, result: result))
                }
            }
            return verdicts
        })
}

extension BatchOperation where Input == [JobID], Output == [JobID: Int64] {
    static let revisions = BatchOperation(
        limit: 128,
        weight: { $0.count * 1024 },
        statements: { inputs, _ in [Statement(.jobRevisions) { $0.add(ids: Array(Set(inputs.joined()))) }] },
        read: { answer, inputs in
            var found: [JobID: Int64] = [:]
            answer.rows.first?.each { row in found[row.jobID()] = row.integer() }
            if inputs.count == 1 { return [.done(found)] }
            return inputs.map { jobs in
                .done(jobs.reduce(into: [:]) { revisions, job in revisions[job] = found[job] })
            }
        })
}

extension BatchOperation where Input == InputQuestion, Output == [String] {
    static let unfinishedInputs = BatchOperation(
        limit: 8,
        statements: { inputs, _ in
            inputs.map { question in
                Statement(.unfinishedInputs) { parameters in
                    parameters.add(question.kind)
                    parameters.add(Int64(question.limit))
                }
            }
        },
        read: { answer, inputs in
            inputs.indices.map { index in .done(answer.rows[index].map { $0.text() }) }
        })
}

extension BatchOperation where Input == [JobID], Output == [JobID: String] {
    static let requestIDs = BatchOperation(
        limit: 1,
        statements: { inputs, _ in inputs.map { jobs in Statement(.jobRequestIDs) { $0.add(ids: jobs) } } },
        read: { answer, inputs in
            var found: [JobID: String] = [:]
            answer.rows.first?.each { row in found[row.jobID()] = RequestOrigin(stored: row.text()).id }
            return inputs.map { _ in .done(found) }
        })
}

extension BatchOperation where Input == ListQuestion, Output == JobList {
    static let list = BatchOperation(
        limit: 8,
        statements: { inputs, context in
            inputs.flatMap { question in
                let query = question.query
                return [
                    Statement(.jobListTotal) { parameters in
                        parameters.add(query.user.rawValue)
                        parameters.add(query.statuses.list)
                        parameters.add(query.kind)
                    },
                    Statement(.jobList) { parameters in
                        parameters.add(query.user.rawValue)
                        parameters.add(query.statuses.list)
                        parameters.add(query.kind)
                        parameters.add(question.before)
                        parameters.add(Int64(question.perPage + 1))
                        parameters.add(Int64(question.offset))
                        parameters.add(context.now?.milliseconds)
                    },
                ]
            }
        },
        read: { answer, inputs in
            try inputs.enumerated().map { index, question in
                let total = answer.rows[2 * index].first { $0.int() }
                let jobs = try answer.rows[2 * index + 1].map { try Job.withPlace(&$0).job }
                return .done(
                    JobList(
                        jobs: Array(jobs.prefix(question.perPage)), total: total ?? 0,
                        hasMore: jobs.count > question.perPage))
            }
        })
}

extension BatchOperation where Input == JournalQuestion, Output == [StoredStep]? {
    static let steps = BatchOperation(
        limit: 32,
        statements: { inputs, _ in
            [
                Statement(.stepList) { parameters in
                    parameters.add(ids: inputs.map(\.job))
                    parameters.add(integers: inputs.map(\.epoch))
                }
            ]
        },
        read: { answer, inputs in
            var journals = [[StoredStep]?](repeating: nil, count: inputs.count)
            answer.rows.first?.each { row in
                let index = row.int() - 1
                guard journals.indices.contains(index) else { return }
                if row.isNull {
                    journals[index] = []
                } else {
                    journals[index] = (journals[index] ?? []) + [StoredStep(&row) { $0.textOrPacked() }]
                }
            }
            return journals.map { .done($0) }
        })
}

extension Job {
    /// Reads the place of the question, the database's time and a row of the view `job_record`.
    static func withPlace(_ row: inout PostgresRow) throws -> (place: Int, job: Job) {
        let place = row.int()
        let now = row.timestamp()
        return (place, try Job(&row, now: now))
    }
}
