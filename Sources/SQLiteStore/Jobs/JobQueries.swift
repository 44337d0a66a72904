package import JobQueue
package import JSON
import SQLSupport

extension SQLiteStore {
    package func job(_ id: JobID, of user: UserID?) async throws(StoreError) -> Job? {
        try await readers.performInline { [clock] database in
            try database.first(.jobGet, .id(id), .user(user)) { try Job(&$0, now: clock()) }
        }
    }

    package func jobWithResult(_ id: JobID, of user: UserID?) async throws(StoreError) -> JobWithResult? {
        let found = try await readers.perform { [clock] database in
            try database.first(.jobGetWithResult, .id(id), .user(user)) { row in
                let job = try Job(&row, now: clock())
                row.skip()
                return (job: job, result: row.isNull ? nil : row.largeText())
            }
        }
        guard let found else { return nil }
        do {
            return JobWithResult(job: found.job, result: try found.result.map { try JSON(parsing: $0) })
        } catch {
            throw .unexpected(reason: "the result of job \(id) is not JSON")
        }
    }

    package func revisions(of jobs: [JobID]) async throws(StoreError) -> [JobID: Int64] {
        try await readers.perform { database in
            var revisions: [JobID: Int64] = [:]
            for id in jobs { revisions[id] = try database.first(.jobRevision, .id(id)) { $0.integer() } }
            return revisions
        }
    }

    package func unfinishedInputs(ofKind kind: String, limit: Int) async throws(StoreError) -> [JSON] {
        try Texts.rejectNUL([("kind", kind)])
        let inputs = try await readers.perform { database in
            try database.all(.unfinishedInputs, .text(kind), .integer(Int64(limit))) { $0.largeText() }
        }
        return inputs.compactMap { try? JSON(parsing: $0) }
    }

    package func requestIDs(of jobs: [JobID]) async throws(StoreError) -> [JobID: String] {
        try await readers.perform { database in
            var found: [JobID: String] = [:]
            for id in jobs {
                let text = try database.first(.jobRequestID, .id(id)) { $0.textIfAny() }.flatMap(\.self)
                found[id] = RequestOrigin(stored: text).id
            }
            return found
        }
    }

    package func jobs(_ query: JobListQuery) async throws(StoreError) -> JobList {
        try Texts.rejectNUL([("kind", query.kind)])
        let perPage = min(max(query.perPage, 1), 10_000)
        let (limit, offset) = query.rows(perPage: perPage)
        return try await readers.perform { [clock] database in
            let (user, status) = (SQLiteValue.user(query.user), SQLiteValue.text(query.statuses.list))
            let kind = SQLiteValue.text(query.kind)
            let total = try database.first(.jobListTotal, user, status, kind) { $0.int() }
            let now = clock()
            let jobs = try database.all(
                .jobList, user, status, kind, .id(limit), .integer(perPage + 1), .integer(offset)
            ) { try Job(&$0, now: now) }
            return JobList(jobs: Array(jobs.prefix(perPage)), total: total ?? 0, hasMore: jobs.count > perPage)
        }
    }

    package func now() async throws(StoreError) -> Timestamp { clock() }

    package func changes(_ topic: ChangeTopic) -> AsyncStream<Void> { broadcaster.watch(topic) }
}

extension JobListQuery {
    /// The job before which the page begins, and the number of rows to skip.
    fileprivate func rows(perPage: Int) -> (before: JobID, offset: Int) {
        switch position {
        case .after(let id): return (id, 0)
        case .page(let page):
            let (offset, overflows) = (max(page, 1) - 1).multipliedReportingOverflow(by: perPage)
            return (JobID(high: .max, low: .max), overflows ? .max : offset)
        }
    }
}
