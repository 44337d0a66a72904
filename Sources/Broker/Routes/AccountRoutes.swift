internal import Basics
internal import HTTPServer
internal import JobQueue
internal import JSON

/// `/api/v1/users/me` and `/api/v1/credits`.
struct AccountRoutes: Sendable {
    let store: any JobStore
    let accounts: any AccountRepository & MonthlyCreditRepository
    let plans: CurrentPlans
    let months: MonthlyGrants
    let now: @Sendable () -> Timestamp

    func credits(_ context: RequestContext) async throws(APIError) -> APIResponse {
        APIResponse(try await balance(of: context).json)
    }

    func me(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let balance = try await balance(of: context)
        let account: Account?
        let monthly: MonthlyCredits?
        do {
            account = try await accounts.account(id: context.user)
            monthly = try await accounts.monthlyCredits(of: context.user)
        } catch {
            throw APIError(error)
        }
        guard let account else { throw .notFound("The user") }
        return APIResponse(account.json(balance, monthly, plans.named(context.user), at: now()))
    }

    private func balance(of context: RequestContext) async throws(APIError) -> CreditBalance {
        do {
            try await months.begin(for: context.user)
            return try await store.balance(
                of: context.user, startingCredits: plans.plan(of: context.user).startingCredits)
        } catch {
            throw APIError(error)
        }
    }
}

extension Account {
    /// The user with the plan and the credits.
    func json(
        _ balance: CreditBalance, _ monthly: MonthlyCredits?, _ plan: (name: String, plan: Plan), at now: Timestamp
    ) -> JSON {
        let month = CalendarMonth(of: now)
        // Credits that came early for a later month count from then on.
        let current = monthly?.month == month.description ? monthly : nil
        return [
            "id": JSON(id.rawValue), "subject": JSON(subject), "created_at": JSON(createdAt.iso8601),
            "credits": balance.json,
            "plan": ["id": JSON(plan.name), "title": JSON(plan.plan.title), "limits": plan.plan.limits],
            "period": ["from": JSON(month.start.iso8601), "to": JSON(month.end.iso8601)],
            "monthly": ["granted": JSON(current?.granted ?? 0), "used": JSON(current?.spent ?? 0)],
        ]
    }
}

extension Plan {
    /// The limits by their names in `plans.yaml`; `null` for no limit.
    fileprivate var limits: JSON {
        let limit = { (number: Int?) in number.map { JSON($0) } ?? .null }
        return [
            "spend_dollars_per_day": JSON(Double(spendPerDay) / 1_000_000),
            "requests_per_minute": limit(requestsPerMinute), "streams": limit(streams),
            "waiting_polls": limit(waitingPolls), "unfinished_jobs": limit(unfinishedJobs),
            "stored_mebibytes": limit(storedBytes.map { $0 >> 20 }),
            "shared_work_per_day": limit(sharedWorkPerDay),
            "source_calls_per_minute": limit(sourceCallsPerMinute),
            "webhook_endpoints": limit(webhookEndpoints),
        ]
    }
}
