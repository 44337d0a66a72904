internal import Basics
package import JSON
package import JobQueue

/// `/api/v1/admin/credits`.
struct GrantRoutes: Sendable {
    let credits: any CreditRepository & ErasureRepository
    let accounts: any AccountRepository
    let slots: UserSlots
    let plans: UserPlans
    let months: MonthlyGrants

    func grant(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let request = try request(context)
        let granting: CreditGranting
        do {
            granting = try await make(request, context)
        } catch let error as APIError {
            throw error
        } catch let error as StoreError {
            throw APIError(error)
        } catch {
            throw .internal
        }
        switch granting {
        case .granted(let grant): return APIResponse(request.answer(grant), status: 201)
        case .existing(let grant):
            return APIResponse(request.answer(grant), headers: [("Idempotent-Replayed", "true")])
        case .conflict: throw .conflict("key_reused")
        case .tooMany: throw .invalid("amount", "would give the user more credits than can be counted")
        }
    }

    private func make(_ request: CreditGrantRequest, _ context: AdminContext) async throws -> CreditGranting {
        if let earlier = try await request.madeBeforeErasure(in: credits) { return earlier }
        guard let account = try await account(request) else { throw APIError.notFound("The user") }
        // What is left of the last month goes before, not from, what is granted now. The month begins with the plan of
        // the user who gets the credits, which this broker may not have read yet.
        await plans.plan(of: account.id)
        try await months.begin(for: account.id)
        var generator = SystemRandomNumberGenerator()
        let grant = NewCreditGrant(
            id: JobID(at: context.now, using: &generator), user: account.id, amount: request.amount,
            externalID: request.externalID, source: request.source, note: request.note,
            startingCredits: await plans.plan(of: account.id).startingCredits)
        return try await credits.grant(
            grant,
            audit: context.audit(
                "credits.grant", target: request.user, user: account.id, details: request.auditDetails))
    }

    /// The account of the user: one that is there, or a new one when the request asks for it.
    private func account(_ request: CreditGrantRequest) async throws -> Account? {
        if let known = try await accounts.knownAccount(of: request.user) { return known }
        guard request.create else { return nil }
        guard slots.contains(request.user) else { throw APIError.misdirected }
        return try await accounts.account(for: request.user)
    }

    private func request(_ context: AdminContext) throws(APIError) -> CreditGrantRequest {
        // As it came: an id that lost a character would be another purchase's.
        let body = try context.request.jsonBody(isSanitized: false)
        try body.allowOnly(["user", "amount", "external_id", "source", "note", "create"])
        do {
            let user = try body["user"].string()
            guard Authentication.isUsable(user), user != Authentication.ownSubject else {
                throw body["user"].failure("must be the id of a user")
            }
            let amount = try body["amount"].integer()
            guard amount != 0, abs(amount) <= Int64(CreditGrant.largest) else {
                throw body["amount"].failure(
                    "must be from -\(CreditGrant.largest) to \(CreditGrant.largest) and not 0")
            }
            let externalID = try body["external_id"].string()
            guard CreditGrantRequest.isExternalID(externalID) else {
                throw body["external_id"].failure(
                    "must be 1 to \(CreditGrant.longestExternalID) printable characters")
            }
            let word = try body["source"].string()
            guard let source = CreditSource(rawValue: word), CreditSource.ofOperators.contains(source) else {
                throw body["source"].failure("must be purchase, refund, gift or correction")
            }
            let note = try body["note"].optional?.string().sanitized
            guard (note?.unicodeScalars.count ?? 0) <= CreditGrant.longestNote else {
                throw body["note"].failure("must have at most \(CreditGrant.longestNote) characters")
            }
            return CreditGrantRequest(
                user: user, amount: Int(amount), externalID: externalID, source: source, note: note,
                create: try body["create"].optional?.bool() ?? false)
        } catch let error as JSONFieldError {
            throw .invalid(error)
        } catch {
            throw .internal
        }
    }
}

/// A request for a grant, as the API and the command line take it.
package struct CreditGrantRequest: Sendable {
    package var user: String
    package var amount: Int
    package var externalID: String
    package var source: CreditSource
    package var note: String?
    /// Whether an unknown subject gets an account.
    package var create: Bool

    package init(
        user: String, amount: Int, externalID: String, source: CreditSource, note: String?, create: Bool
    ) {
        (self.user, self.amount, self.externalID) = (user, amount, externalID)
        (self.source, self.note, self.create) = (source, note, create)
    }

    /// Whether a text may be the id that another system gave a grant.
    package static func isExternalID(_ text: String) -> Bool {
        (1...CreditGrant.longestExternalID).contains(text.unicodeScalars.count) && text.hasSameBytes(as: text.sanitized)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// The outcome when a grant under the external id was made to a user who is or was erased since, and whose name is
    /// known by its HMAC at most. After the time of the HMAC any user counts as the one of the grant.
    package func madeBeforeErasure(
        in store: any CreditRepository & ErasureRepository
    ) async throws(StoreError) -> CreditGranting? {
        guard let known = try await store.creditGrant(externalID: externalID),
            let erasure = try await store.erasure(number: known.user)
        else { return nil }
        let digest = Erasure.digest(of: user, key: try await store.erasureKey())
        let isSame =
            known.amount == amount && known.source == source && (erasure.digest.map { $0 == digest } ?? true)
        return isSame ? .existing(known) : .conflict
    }

    /// The details of the audit entry about it.
    package var auditDetails: JSON {
        [
            "amount": JSON(amount), "external_id": JSON(externalID), "source": JSON(source.rawValue),
            "note": note.map { JSON($0) } ?? .null,
        ]
    }

    /// The form of the answer.
    package func answer(_ grant: CreditGrant) -> JSON {
        [
            "id": JSON(grant.id), "user": JSON(user), "amount": JSON(grant.amount), "applied": JSON(grant.applied),
            "external_id": JSON(externalID), "source": JSON(grant.source.rawValue),
            "created_at": JSON(grant.createdAt.iso8601), "balance": grant.balance.json,
        ]
    }
}
