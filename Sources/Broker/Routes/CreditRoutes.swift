internal import Basics
internal import JSON
internal import JobQueue

/// `/api/v1/credits/ledger`, `/api/v1/credits/statement` and `/api/v1/jobs/{id}/receipt`.
struct CreditRoutes: Sendable {
    let store: any JobStore
    let credits: any CreditRepository
    let plans: CurrentPlans
    let months: MonthlyGrants
    let now: @Sendable () -> Timestamp

    func ledger(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let size = try context.pageSize()
        let filter = LedgerFilter(
            movement: try context.movement(), from: try context.time("from"), to: try context.time("to"))
        let before = try context.numberCursor()
        let found = try await reading(context) { () async throws(StoreError) in
            try await credits.ledger(of: context.user, filter, before: before, limit: size + 1)
        }
        return .page(of: found, size: size, number: \.number, \.json)
    }

    func statement(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let month = try month(context)
        let statement = try await reading(context) { () async throws(StoreError) in
            try await credits.creditStatement(of: context.user, from: month.start, to: month.end)
        }
        var json = statement.json
        json["month"] = JSON(month.description)
        return APIResponse(json)
    }

    func receipt(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let id = try context.jobID()
        let job: Job?
        let entries: [LedgerEntry]
        do {
            job = try await store.job(id, of: context.user)
            entries = try await credits.ledger(
                of: context.user, LedgerFilter(job: id), before: nil, limit: Self.mostEntries)
        } catch {
            throw APIError(error)
        }
        guard let job else { throw .notFound(id) }
        return APIResponse(Receipt(job: job, entries: entries.reversed()).json)
    }

    /// The entries of one job that are shown; each retry by a person adds two.
    private static let mostEntries = 1000

    /// Reads the ledger of a user, which has the starting credits from now on.
    private func reading<Value: Sendable>(
        _ context: RequestContext, _ read: () async throws(StoreError) -> Value
    ) async throws(APIError) -> Value {
        do {
            try await months.begin(for: context.user)
            try await credits.openCredits(
                of: context.user, startingCredits: plans.plan(of: context.user).startingCredits)
            return try await read()
        } catch {
            throw APIError(error)
        }
    }

    private func month(_ context: RequestContext) throws(APIError) -> CalendarMonth {
        guard let text = context.query("month") else { return CalendarMonth(of: now()) }
        guard let month = CalendarMonth(text) else { throw .invalid("month", "must be a month such as 2026-11") }
        return month
    }
}

/// The credits of one job, in words and in entries of the ledger.
private struct Receipt {
    let job: Job
    /// Oldest first.
    let entries: [LedgerEntry]

    /// The credits of results that have been stored.
    private var charged: Int { entries.reduce(0) { $0 + $1.effect.used } }
    /// The credits that are held now.
    private var held: Int { entries.reduce(0) { $0 + $1.effect.held } }

    private var sentence: String {
        if job.cost == 0 { return "This job costs no credits." }
        if charged > 0 { return "\(words(charged)) charged when the result was stored." }
        if held > 0 { return "\(words(held)) held, and charged only when the result is stored." }
        return "Nothing was charged: the credits that were held went back."
    }

    private func words(_ count: Int) -> String { count == 1 ? "1 credit is" : "\(count) credits are" }

    var json: JSON {
        [
            "job_id": JSON(job.id.description), "kind": JSON(job.kind), "status": JSON(job.status.rawValue),
            "charged": JSON(charged), "held": JSON(held), "sentence": JSON(sentence),
            "entries": .array(entries.map(\.json)),
        ]
    }
}

extension RequestReading {
    /// The `type` of entries of the ledger from the query.
    func movement() throws(APIError) -> LedgerEntry.Movement? {
        guard let text = query("type") else { return nil }
        guard let movement = LedgerEntry.Movement(rawValue: text) else {
            throw .invalid("type", "must be grant, hold, settle or release")
        }
        return movement
    }

    /// A time from the query.
    func time(_ name: String) throws(APIError) -> Timestamp? {
        guard let text = query(name) else { return nil }
        guard let time = Timestamp(iso8601: text) else {
            throw .invalid(name, "must be a time such as 2026-12-31T00:00:00Z")
        }
        return time
    }
}

extension LedgerEntry {
    /// The form of the API.
    var json: JSON {
        [
            "id": JSON(number), "type": JSON(movement.rawValue), "amount": JSON(amount), "effect": effect.json,
            "after": after.json, "source": source.map { JSON($0.rawValue) } ?? .null,
            "month": month.map { JSON($0) } ?? .null, "job_id": job.map { JSON($0.description) } ?? .null,
            "kind": kind.map { JSON($0) } ?? .null, "at": JSON(at.iso8601),
        ]
    }
}

extension LedgerEntry.Credits {
    fileprivate var json: JSON { ["remaining": JSON(remaining), "held": JSON(held), "used": JSON(used)] }
}

extension CreditStatement {
    /// The form of the API, without the month.
    fileprivate var json: JSON {
        [
            "opening": JSON(opening), "granted": Self.json(granted.map { ($0.key.rawValue, $0.value) }),
            "used": Self.json(used.map { ($0.key, $0.value) }), "expired": JSON(expired), "closing": JSON(closing),
            "jobs": JSON(jobs),
        ]
    }

    private static func json(_ sums: [(String, Int)]) -> JSON {
        .object(JSONObject(sums.sorted { $0.0 < $1.0 }.map { ($0.0, JSON($0.1)) }))
    }
}
