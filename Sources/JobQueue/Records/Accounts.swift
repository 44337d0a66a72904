/// A user as the service knows them.
package struct Account: Hashable, Sendable {
    /// The number inside Dossier, the same as `JobQueue.UserID`.
    package var id: Int64
    /// Who they are outside: a proxy's header, a token's `sub`.
    package var subject: String
    /// Milliseconds since 1970.
    package var createdAt: Int64

    package init(id: Int64, subject: String, createdAt: Int64) {
        self.id = id
        self.subject = subject
        self.createdAt = createdAt
    }
}

/// How the numbers of accounts and the subjects that print numbers go together.
package enum AccountNumber {
    /// Numbers up to here stand for the subjects that print them; all other subjects get numbers above.
    package static let lastPrinted: Int64 = 1 << 40

    /// The number that a subject prints in its usual form: `7`, not `007`, which is somebody else.
    package static func printed(by subject: String) -> Int64? {
        guard let number = Int64(subject), (0...lastPrinted).contains(number), String(number) == subject else {
            return nil
        }
        return number
    }
}

/// Maps external subjects to users.
package protocol AccountRepository: Sendable {
    /// The account of a subject, made at first sight.
    ///
    /// A subject of decimal digits up to 2^40 is its own number (the news documents print integers as ids); every
    /// other subject gets the next number above 2^40. `system` has the number -1 from the start: it owns the jobs of
    /// schedules.
    func account(for subject: String) async throws(StoreError) -> Account

    func account(id: Int64) async throws(StoreError) -> Account?
}
