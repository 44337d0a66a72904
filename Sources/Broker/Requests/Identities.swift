internal import JobQueue
internal import Synchronization

/// The numbers of users seen lately, so that a poll does not ask the database who is asking.
final class Identities: Sendable {
    private static let capacity = 100_000

    private let accounts: any AccountRepository
    private let known = Mutex<[String: UserID]>([:])

    init(_ accounts: any AccountRepository) { self.accounts = accounts }

    func user(_ subject: String) async throws(APIError) -> UserID {
        if let user = known.withLock({ $0[subject] }) { return user }
        let account: Account
        do {
            account = try await accounts.account(for: subject)
        } catch {
            throw APIError(error)
        }
        let user = UserID(rawValue: account.id)
        known.withLock { known in
            if known.count >= Self.capacity { known = [:] }
            known[subject] = user
        }
        return user
    }
}
