internal import Basics

/// The origin of granted credits.
package enum CreditSource: String, CaseIterable, Sendable, Hashable {
    /// The credits of a new user.
    case start
    /// A month's credits of the plan, and those of the month before that went.
    case plan, expiry
    case purchase, refund, gift, correction

    /// The sources that an operator's grant may name.
    package static let ofOperators: [CreditSource] = [.purchase, .refund, .gift, .correction]
}

/// A grant under the id that another system gave it: a shop's transaction, or its refund. It happens once.
package struct CreditGrant: Hashable, Sendable {
    package static let longestExternalID = 200
    package static let longestNote = 500
    /// The largest number of credits of a grant, either way.
    package static let largest = 1_000_000

    package var id: String
    package var user: UserID
    package var amount: Int
    /// The credits that were granted: a negative grant takes at most those that remain.
    package var applied: Int
    package var source: CreditSource
    package var createdAt: Timestamp
    /// The balance after it.
    package var balance: CreditBalance

    package init(
        id: String, user: UserID, amount: Int, applied: Int, source: CreditSource, createdAt: Timestamp,
        balance: CreditBalance
    ) {
        (self.id, self.user, self.amount, self.applied) = (id, user, amount, applied)
        (self.source, self.createdAt, self.balance) = (source, createdAt, balance)
    }
}

/// A request for a grant.
package struct NewCreditGrant: Sendable {
    package var id: JobID
    package var user: UserID
    package var amount: Int
    package var externalID: String
    package var source: CreditSource
    package var note: String?
    /// The credits of the user when there is no record of any yet.
    package var startingCredits: Int

    package init(
        id: JobID, user: UserID, amount: Int, externalID: String, source: CreditSource, note: String?,
        startingCredits: Int
    ) {
        (self.id, self.user, self.amount, self.externalID) = (id, user, amount, externalID)
        (self.source, self.note, self.startingCredits) = (source, note, startingCredits)
    }

    /// The form in which the external id is unique: it outlives the id itself.
    package var externalDigest: String { Self.digest(ofExternalID: externalID) }

    package static func digest(ofExternalID id: String) -> String { SHA256.hex("dossier grant\n\(id)") }

    /// Whether a grant is the one that this asks for.
    package func asksFor(_ grant: CreditGrant) -> Bool {
        grant.user == user && grant.amount == amount && grant.source == source
    }
}

/// What became of a request for a grant.
package enum CreditGranting: Hashable, Sendable {
    case granted(CreditGrant)
    /// The same grant happened before.
    case existing(CreditGrant)
    /// The external id belongs to another grant.
    case conflict
    /// The user would have more credits than can be counted.
    case tooMany
}

/// An entry of a user's ledger, with what it changed.
package struct LedgerEntry: Hashable, Sendable {
    package enum Movement: String, CaseIterable, Sendable {
        case grant, hold, settle, release
    }

    /// Credits that remain, are held and are used: a change of them, or their number.
    package struct Credits: Hashable, Sendable {
        package var remaining: Int
        package var held: Int
        package var used: Int

        package init(remaining: Int, held: Int, used: Int) {
            (self.remaining, self.held, self.used) = (remaining, held, used)
        }
    }

    /// Grows with time.
    package var number: Int64
    package var movement: Movement
    package var amount: Int
    package var effect: Credits
    package var after: Credits
    /// For grants alone.
    package var source: CreditSource?
    /// The month of a plan's grant: `2026-11`.
    package var month: String?
    package var job: JobID?
    /// The job's kind.
    package var kind: String?
    package var at: Timestamp

    package init(
        number: Int64, movement: Movement, amount: Int, effect: Credits, after: Credits, source: CreditSource? = nil,
        month: String? = nil, job: JobID? = nil, kind: String? = nil, at: Timestamp
    ) {
        (self.number, self.movement, self.amount, self.effect, self.after) = (number, movement, amount, effect, after)
        (self.source, self.month, self.job, self.kind, self.at) = (source, month, job, kind, at)
    }
}

/// The entries of a ledger that a reader wants; `nil` members match all.
package struct LedgerFilter: Hashable, Sendable {
    package var movement: LedgerEntry.Movement?
    package var job: JobID?
    package var from: Timestamp?
    /// Entries before this time.
    package var to: Timestamp?

    package init(
        movement: LedgerEntry.Movement? = nil, job: JobID? = nil, from: Timestamp? = nil, to: Timestamp? = nil
    ) {
        (self.movement, self.job, self.from, self.to) = (movement, job, from, to)
    }
}

/// The credits of a user in a stretch of time: `opening + granted - used - expired == closing`.
package struct CreditStatement: Hashable, Sendable {
    /// Credits that were not used at the beginning: those that remained and those that were held.
    package var opening = 0
    package var granted: [CreditSource: Int] = [:]
    /// By the kind of the jobs.
    package var used: [String: Int] = [:]
    package var expired = 0
    /// The jobs that were charged.
    package var jobs = 0

    package init() {}

    package var closing: Int { opening + granted.values.reduce(0, +) - used.values.reduce(0, +) - expired }
}

/// An entry of the ledger with its user, for operators.
package struct UserLedgerEntry: Hashable, Sendable {
    package var user: UserID
    /// The number of the user where there is no account any more.
    package var subject: String
    package var entry: LedgerEntry

    package init(user: UserID, subject: String, entry: LedgerEntry) {
        (self.user, self.subject, self.entry) = (user, subject, entry)
    }
}

/// Reads the ledger, and grants credits under ids of other systems.
package protocol CreditRepository: Sendable {
    /// Grants credits, or takes those that remain, with the audit entry about it.
    ///
    /// An external id belongs to one grant in the whole service. Granting again changes nothing.
    func grant(_ grant: NewCreditGrant, audit: AuditEntry) async throws(StoreError) -> CreditGranting

    /// The grant with an external id.
    func creditGrant(externalID: String) async throws(StoreError) -> CreditGrant?

    /// Stores the starting credits of a user without any record of credits.
    func openCredits(of user: UserID, startingCredits: Int) async throws(StoreError)

    /// Entries of a user's ledger before a number, newest first. All effects add up to the balance.
    func ledger(
        of user: UserID, _ filter: LedgerFilter, before number: Int64?, limit: Int
    ) async throws(StoreError) -> [LedgerEntry]

    /// The entries of all users, or of one, before a number, newest first. `after` is what the entry's user has after it.
    func ledgerOfAll(
        _ filter: LedgerFilter, of user: UserID?, before number: Int64?, limit: Int
    ) async throws(StoreError) -> [UserLedgerEntry]

    func creditStatement(
        of user: UserID, from start: Timestamp, to end: Timestamp
    ) async throws(StoreError) -> CreditStatement
}
