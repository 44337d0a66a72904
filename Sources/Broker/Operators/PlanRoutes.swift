internal import HTTPServer
internal import JSON
internal import JobQueue

/// `PUT /api/v1/admin/users/{user}/plan`.
struct PlanRoutes: Sendable {
    let accounts: any AccountRepository & PlanRepository
    let plans: UserPlans
    let current: CurrentPlans
    let months: MonthlyGrants

    /// Stores the operator's choice and grants the credits that an upgrade brings.
    func choose(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let user = try context.pathUser()
        let name = try name(context)
        do {
            guard let account = try await accounts.account(id: user), user != .system else {
                throw APIError.notFound("The user")
            }
            let audit = context.audit(
                "users.plan", target: account.subject, user: user, details: ["plan": name.map { JSON($0) } ?? .null])
            guard try await accounts.choosePlan(name, for: user, audit: audit) else {
                throw APIError.notFound("The user")
            }
            plans.forget(user)
            let choice = try await accounts.planChoice(of: user)
            await plans.plan(of: user)
            try await months.begin(for: user)
            let (id, plan) = current.value.plan(for: choice)
            return APIResponse([
                "user": ["id": JSON(user.rawValue), "subject": JSON(account.subject)],
                "plan": ["id": JSON(id), "title": JSON(plan.title)],
                "chosen": choice.chosen.map { JSON($0) } ?? .null, "tier": choice.tier.map { JSON($0) } ?? .null,
            ])
        } catch let error as APIError {
            throw error
        } catch let error as StoreError {
            throw APIError(error)
        } catch {
            throw .internal
        }
    }

    private func name(_ context: AdminContext) throws(APIError) -> String? {
        let body = try context.body()
        try body.allowOnly(["plan"])
        guard let value = body["plan"].value else { throw .invalid("plan", "is missing") }
        if value.isNull { return nil }
        guard let name = value.string, current.value.plans[name] != nil else {
            let known = current.value.plans.keys.sorted().joined(separator: ", ")
            throw .invalid("plan", "is not a plan; the plans are \(known)")
        }
        return name
    }
}

extension AdminContext {
    /// The number of the user that the path names.
    func pathUser() throws(APIError) -> UserID {
        guard let number = request.parameters["user"].flatMap({ Int64($0) }), number >= 0 else {
            throw .notFound("The user")
        }
        return UserID(rawValue: number)
    }
}
