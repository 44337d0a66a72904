internal import JSON
internal import Synchronization

/// The buckets of every model, and a record of their use.
///
/// A call takes one request and its input when it is let in, and its output as it is written. A call is refused when
/// one of the buckets does not hold enough; output needs a bucket above zero.
final class LimitBook: Sendable {
    /// A model in the words of its service: its id and the class with which it shares limits.
    struct Model: Sendable, Hashable {
        var service: SimulatedService
        var id: String
        var group: String
    }

    /// A call that was let in.
    struct Ticket: Sendable {
        fileprivate var key: Key
        fileprivate var user: String?
        fileprivate var input: Double
        fileprivate var day: Int64
        fileprivate var second: Int64
        fileprivate var cacheRead: Double
    }

    /// A call that was refused.
    struct Refusal: Sendable, Equatable {
        enum Cause: Sendable, Equatable {
            case bucket(LimitKind, perMinute: Double)
            case daily(Int)
            case acceleration
        }

        var cause: Cause
        /// Seconds until the call can be let in.
        var wait: Double
    }

    struct Key: Sendable, Hashable {
        var service: SimulatedService
        var model: String
    }

    private struct State {
        var rules: [ModelLimit]
        var accounts: [Key: LimitAccount] = [:]
    }

    private let state: Mutex<State>
    /// Milliseconds since 1970.
    private let now: @Sendable () -> Int64
    /// Whether calls are refused; without it they are only recorded.
    let isStrict: Bool

    init(_ rules: [ModelLimit], isStrict: Bool, now: @escaping @Sendable () -> Int64) {
        state = Mutex(State(rules: rules))
        self.isStrict = isStrict
        self.now = now
    }

    /// Puts rules in force; the first that fits a model decides. Every bucket starts full, and the record is empty.
    func set(_ rules: [ModelLimit]) { state.withLock { $0 = State(rules: rules) } }

    /// Fills every bucket and forgets the record.
    func clear() { state.withLock { $0.accounts = [:] } }

    var rules: [ModelLimit] { state.withLock { $0.rules } }

    /// Lets a call in.
    ///
    /// - Parameters:
    ///   - model: The model that it is for.
    ///   - input: The tokens that count towards the limit.
    ///   - cacheRead: The tokens that the cache reads, for the record.
    ///   - user: The user whom the request names.
    /// - Returns: The proof that it was let in, for its output.
    /// - Throws: the limit that refuses it.
    func admit(_ model: Model, input: Int, cacheRead: Int, user: String?) throws(Denial) -> Ticket {
        let time = now()
        let result = state.withLock { state -> Result<Ticket, Denial> in
            guard let key = Self.open(model, in: &state, at: time), var account = state.accounts[key] else {
                return .failure(.unlimited)
            }
            defer { state.accounts[key] = account }
            account.fill(to: time)
            if isStrict, let refusal = account.refusal(of: Double(input), at: time) {
                account.record(refusal, user: user, at: time)
                return .failure(.refused(refusal))
            }
            account.letIn(input: Double(input), cacheRead: Double(cacheRead), user: user, at: time)
            return .success(
                Ticket(
                    key: key, user: user, input: Double(input), day: time / LimitAccount.dayLength,
                    second: time / 1_000,
                    cacheRead: Double(cacheRead)))
        }
        return try result.get()
    }

    /// Why a call has no ticket.
    enum Denial: Error, Equatable {
        /// No rule fits the model.
        case unlimited
        case refused(Refusal)
    }

    /// Output tokens were written.
    func wrote(_ tokens: Int, by ticket: Ticket) {
        let time = now()
        state.withLock { state in
            state.accounts[ticket.key]?.fill(to: time)
            state.accounts[ticket.key]?.wrote(Double(tokens), user: ticket.user, at: time)
        }
    }

    /// The call failed at the provider before the model began: it counts towards no limit.
    func giveBack(_ ticket: Ticket) {
        state.withLock { state in
            state.accounts[ticket.key]?.giveBack(
                input: ticket.input, cacheRead: ticket.cacheRead, user: ticket.user, day: ticket.day,
                second: ticket.second)
        }
    }

    /// The level of each bucket of a model, in the order of `LimitKind.allCases`; empty when it has none.
    func levels(of model: Model) -> [LimitLevel] {
        let time = now()
        return state.withLock { state in
            guard let key = Self.open(model, in: &state, at: time) else { return [] }
            state.accounts[key]?.fill(to: time)
            return state.accounts[key]?.levels ?? []
        }
    }

    /// The record of every model since `from`, in milliseconds since 1970, up to `until`.
    func json(from: Int64?, until: Int64?) -> JSON {
        let time = now()
        return state.withLock { state in
            let keys = state.accounts.keys.sorted { ($0.service.rawValue, $0.model) < ($1.service.rawValue, $1.model) }
            for key in keys { state.accounts[key]?.fill(to: time) }
            return [
                "strict": JSON(isStrict), "rules": .array(state.rules.map(\.json)),
                "models": .array(
                    keys.compactMap { key in
                        state.accounts[key]?.json(key, from: from, until: until ?? time)
                    }),
            ]
        }
    }

    private static func open(_ model: Model, in state: inout State, at time: Int64) -> Key? {
        guard
            let rule = state.rules.first(where: { rule in
                rule.service == model.service
                    && (rule.model == nil || rule.model == model.id || rule.model == model.group)
            })
        else { return nil }
        let key = Key(service: model.service, model: rule.model ?? model.group)
        if state.accounts[key] == nil { state.accounts[key] = LimitAccount(rule, at: time) }
        return key
    }
}

/// A bucket's state, as headers tell it.
struct LimitLevel: Sendable, Equatable {
    var kind: LimitKind
    var perMinute: Double
    var level: Double
    /// Seconds until the bucket is full.
    var untilFull: Double
}
