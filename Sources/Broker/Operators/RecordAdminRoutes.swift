internal import HTTPServer
package import JSON
package import JobQueue

/// `/api/v1/admin/audit`, `/costs` and `/users`.
struct RecordAdminRoutes: Sendable {
    typealias Records = AuditRepository & AccountRepository & CreditRepository & UsageRepository & SessionRepository

    let store: any JobStore & ModelCallStore
    let records: any Records
    let plans: CurrentPlans
    let userPlans: UserPlans
    let access: AccessList

    // MARK: Audit and costs

    func audit(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let size = try context.pageSize()
        let filter = AuditFilter(
            actor: context.query("actor"), action: context.query("action"), target: context.query("target"),
            from: try context.time("from"), to: try context.time("to"))
        let cursor = try context.timeCursor()
        let records = records
        let found = try await reading { () async throws(StoreError) in
            try await records.auditEntries(filter, after: cursor, limit: size + 1)
        }
        return .page(of: found, size: size, place: { TimeCursor(at: $0.at, id: $0.id) }, \.json)
    }

    func costs(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let word = context.query("by") ?? CostGrouping.day.rawValue
        guard let grouping = CostGrouping(rawValue: word) else {
            let known = CostGrouping.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("by", "must be one of \(known)")
        }
        let from = try context.time("from") ?? context.now - .seconds(30 * 86_400)
        let to = try context.time("to")
        let (store, records) = (store, records)
        let lines = try await reading { () async throws(StoreError) -> [CostLine] in
            var lines = try await store.modelCosts(by: grouping, since: from, until: to)
            if grouping == .plan { return await linesByPlan(lines) }
            guard grouping == .user else { return lines }
            for place in lines.indices {
                guard let number = Int64(lines[place].group) else { continue }
                let account = try await records.account(id: UserID(rawValue: number))
                lines[place].group = account?.subject ?? lines[place].group
            }
            return lines
        }
        return APIResponse(.array(lines.map { $0.json() }))
    }

    /// Sums the lines of users by the plans that they have now.
    private func linesByPlan(_ lines: [CostLine]) async -> [CostLine] {
        var names: [String: String] = [:]
        for line in lines {
            guard let number = Int64(line.group), number != UserID.system.rawValue else { continue }
            await userPlans.plan(of: UserID(rawValue: number))
            names[line.group] = plans.named(UserID(rawValue: number)).name
        }
        return lines.renamed { names[$0] ?? "system" }
    }

    // MARK: Users

    func users(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let size = try context.pageSize()
        let place = UserID(rawValue: try context.numberCursor() ?? .max)
        let (records, beginning) = (records, context.query("q"))
        let found = try await reading { () async throws(StoreError) in
            try await records.accounts(beginning: beginning, below: place, limit: size + 1)
        }
        return .page(of: found, size: size, number: \.id.rawValue, \.json)
    }

    func user(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let account = try await account(context)
        let plan = await userPlans.plan(of: account.id)
        let name = plans.named(account.id).name
        let (store, records, user) = (store, records, account.id)
        let answer = try await reading { () async throws(StoreError) -> JSONObject in
            let balance = try await store.balance(of: user, startingCredits: plan.startingCredits)
            let usage = try await records.usage(of: user)
            let spend = try await store.spend(of: user)
            let sessions = try await records.sessions(of: user, at: context.now, after: nil, limit: 100)
            let isBarred = try await records.isBarred(user)
            return [
                "barred": JSON(isBarred),
                "plan": ["id": JSON(name), "title": JSON(plan.title)], "credits": balance.json,
                "sessions": JSON(sessions.count), "unfinished_jobs": JSON(usage.unfinishedJobs),
                "stored_bytes": JSON(usage.storedBytes), "spent_today_micro_dollars": JSON(spend.user),
            ]
        }
        var json = account.json.object ?? [:]
        for (key, value) in answer { json[key] = value }
        return APIResponse(.object(json))
    }

    func ledger(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let size = try context.pageSize()
        let user = try await account(context).id
        let place = try context.numberCursor()
        let records = records
        let found = try await reading { () async throws(StoreError) in
            try await records.ledger(of: user, LedgerFilter(), before: place, limit: size + 1)
        }
        return .page(of: found, size: size, number: \.number, \.json)
    }

    /// The entries of all users.
    func ledgerOfAll(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let size = try context.pageSize()
        var filter = LedgerFilter(from: try context.time("from"), to: try context.time("to"))
        filter.movement = try context.movement()
        if let text = context.query("job") {
            guard let job = JobID(text) else { throw .invalid("job", "must be the id of a job") }
            filter.job = job
        }
        let (place, subject) = (try context.numberCursor(), context.query("user"))
        let records = records
        let found = try await reading { [filter] () async throws(StoreError) -> [UserLedgerEntry] in
            var user: UserID?
            if let subject {
                // Nobody has entries of a name that nobody has.
                guard let account = try await records.knownAccount(of: subject) else { return [] }
                user = account.id
            }
            return try await records.ledgerOfAll(filter, of: user, before: place, limit: size + 1)
        }
        return .page(of: found, size: size, number: \.entry.number, \.json)
    }

    /// Ends all sessions and tokens of a user, here at once.
    func signOut(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let account = try await account(context)
        let details = try context.noteDetails()
        let entry = context.audit("users.sign_out", target: account.subject, user: account.id, details: details)
        let records = records
        let (ended, generation) = try await reading { () async throws(StoreError) in
            try await records.endSessions(of: account.id, at: context.now, audit: entry)
        }
        access.add(.user(subject: account.subject, generation: generation), at: context.now)
        return APIResponse(["sessions_ended": JSON(ended)])
    }

    /// Bars a user, here at once, or lets the user in again.
    func bar(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let account = try await account(context)
        let body = try context.body()
        try body.allowOnly(["barred", "note"])
        let (isBarred, note): (Bool, String?)
        do throws(JSONFieldError) {
            (isBarred, note) = (try body["barred"].bool(), try body.note())
        } catch {
            throw .invalid(error)
        }
        var details: JSONObject = ["barred": JSON(isBarred)]
        if let note { details["note"] = JSON(note) }
        let entry = context.audit("users.bar", target: account.subject, user: account.id, details: .object(details))
        let records = records
        try await reading { () async throws(StoreError) in
            try await records.setBar(isBarred, of: account.id, audit: entry)
        }
        access.add(.bar(subject: account.subject, isBarred: isBarred), at: context.now)
        return APIResponse([
            "id": JSON(account.id.rawValue), "subject": JSON(account.subject), "barred": JSON(isBarred),
        ])
    }

    private func account(_ context: AdminContext) async throws(APIError) -> Account {
        let (user, records) = (try context.pathUser(), records)
        let found = try await reading { () async throws(StoreError) in try await records.account(id: user) }
        guard let found else { throw .notFound("The user") }
        return found
    }
}

extension Account {
    fileprivate var json: JSON {
        ["id": JSON(id.rawValue), "subject": JSON(subject), "created_at": JSON(createdAt.iso8601)]
    }
}

extension UserLedgerEntry {
    fileprivate var json: JSON {
        var json = entry.json.object ?? [:]
        json["user"] = ["id": JSON(user.rawValue), "subject": JSON(subject)]
        return .object(json)
    }
}

extension CostLine {
    /// The members for scripts; `unread` adds what was saved.
    package func json(unread: Int64? = nil) -> JSON {
        var value: JSON = [
            "group": JSON(group), "calls": JSON(calls), "input_tokens": JSON(inputTokens),
            "output_tokens": JSON(outputTokens), "cost_micro_dollars": JSON(microDollars),
            "micro_dollars": JSON(microDollars), "of_failed": JSON(failedMicroDollars),
            "of_cancelled": JSON(cancelledMicroDollars), "simulated": JSON(simulatedCalls),
        ]
        guard let unread else { return value }
        value["saved_micro_dollars"] = JSON(saved)
        value["saved_by_cache"] = JSON(savedByCache)
        value["saved_by_batch"] = JSON(savedByBatch)
        value["of_unread_marks"] = JSON(unread)
        return value
    }
}
