internal import JobQueue
internal import Prompts
internal import Synchronization

/// The kinds of jobs that a worker can run, and the jobs that it leaves to others.
final class Abilities: Sendable {
    fileprivate struct State {
        /// The bundle whose kinds were examined last.
        var bundle: String?
        var record: WorkerAbilities
        var excluded = ClaimExclusions()
        var tiers: [String: String] = [:]
        /// The looks in a row that found a kind held, or, below zero, not.
        var looks: [String: Int] = [:]
    }

    private let state: Mutex<State>
    private let missing: @Sendable (JobKind) -> String?

    /// - Parameters:
    ///   - providers: The providers of models that the worker can reach.
    ///   - backgroundPlaces: The background jobs that it runs at once.
    ///   - missing: Why the worker cannot run jobs of a kind; `nil` when it can.
    init(
        providers: [String], backgroundPlaces: Int? = nil, missing: @escaping @Sendable (JobKind) -> String?
    ) {
        var record = WorkerAbilities(providers: providers)
        record.backgroundPlaces = backgroundPlaces
        state = Mutex(State(record: record))
        self.missing = missing
    }

    var record: WorkerAbilities { state.withLock { $0.record } }
    var excluded: ClaimExclusions { state.withLock { $0.excluded } }
    /// The tiers of `tiers(of:)` in the current bundle.
    var tiers: [String: String] { state.withLock { $0.tiers } }
    var bundle: String? { state.withLock { $0.bundle } }

    /// Why the worker cannot run jobs of a kind; `nil` when it can.
    func reason(against kind: JobKind) -> String? { missing(kind) }

    /// Examines the kinds of the current bundle; `nil` for a bundle that this version cannot read.
    ///
    /// - Returns: Whether the abilities have changed.
    func examine(_ bundle: Bundle?, hash: String) -> Bool {
        var kinds: [String] = []
        var reasons: [String: String] = [:]
        for kind in bundle?.kinds.values.map({ $0 }) ?? [] {
            if let reason = missing(kind) { reasons[kind.name] = reason } else { kinds.append(kind.name) }
        }
        let tiers = Self.tiers(of: bundle?.kinds.values.map { $0 } ?? [])
        return state.withLock { state in
            let before = state.record
            state.bundle = hash
            state.tiers = tiers
            state.record.kinds = kinds.sorted()
            state.record.missing = reasons
            state.excluded.kinds = Set(reasons.keys)
            if bundle == nil { state.excludeBundle(hash) }
            return state.record != before
        }
    }

    /// The tiers of models that background jobs ask first, by kind; of kinds that ask one. The claims of interactive jobs
    /// wait for no budget.
    static func tiers(of kinds: [JobKind]) -> [String: String] {
        let asking = kinds.filter { $0.queue == .background && !$0.prompts.isEmpty }
        return Dictionary(asking.map { ($0.name, $0.tier) }) { first, _ in first }
    }

    /// Notes the kinds whose background jobs wait for a budget, as the last claim found them.
    ///
    /// Where calls are as fast as their budget permits, it has room every now and then: a kind counts as held when two
    /// looks in a row find it so, and no more when three have not. A time that moves a little is not told.
    ///
    /// - Returns: Whether the abilities have changed.
    func note(held now: [String: HeldKind]) -> Bool {
        state.withLock { state in
            let before = state.record.held
            for (kind, held) in now {
                let looks = max(state.looks[kind] ?? 0, 0) + 1
                state.looks[kind] = looks
                if looks >= 2, state.record.held[kind].map({ held.differs(from: $0) }) ?? true {
                    state.record.held[kind] = held
                }
            }
            for kind in Array(state.looks.keys) where now[kind] == nil {
                let looks = min(state.looks[kind] ?? 0, 0) - 1
                state.looks[kind] = state.record.held[kind] != nil && looks > -3 ? looks : nil
                if looks <= -3 { state.record.held[kind] = nil }
            }
            return state.record.held != before
        }
    }

    /// Leaves the jobs of a bundle to others, which this version cannot read.
    ///
    /// - Returns: Whether the abilities have changed.
    func exclude(bundle hash: String) -> Bool {
        state.withLock { state in
            let before = state.record
            state.excludeBundle(hash)
            return state.record != before
        }
    }

    /// Leaves the jobs of a kind to others, unless the worker can run those of the current bundle.
    ///
    /// - Returns: Whether the abilities have changed.
    func exclude(kind: String, reason: String) -> Bool {
        state.withLock { state in
            guard !state.record.kinds.contains(kind) else { return false }
            let before = state.record
            state.record.missing[kind] = reason
            state.excluded.kinds.insert(kind)
            return state.record != before
        }
    }
}

extension HeldKind {
    fileprivate func differs(from other: HeldKind) -> Bool {
        cause != other.cause || abs(until.milliseconds - other.until.milliseconds) >= 5000
    }
}

extension Abilities.State {
    fileprivate mutating func excludeBundle(_ hash: String) {
        excluded.bundles.insert(hash)
        record.unreadableBundles = excluded.bundles.sorted()
    }
}
