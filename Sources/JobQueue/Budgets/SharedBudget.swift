internal import JSON

/// The fleet's use of one budget: a pure value that every store keeps as text and changes under a lock.
///
/// Two rules decide on a grant. The window keeps the grants of the last 66 s within a minute's limit: since a grant is
/// used within 5 s, and the record has whole seconds, no interval of a minute has more use than the limit.
/// The pace spreads grants over the minute, as a leaky bucket that drains continuously and takes 5 s worth at once; a
/// call passes when the bucket is not full, and a large one leaves it over-full for a while.
///
/// A twentieth of the window and a fifth of the bucket are reserved for interactive calls. A call that needs more than
/// a whole minute's limit passes when there is no other grant in the window.
package struct SharedBudget: Hashable, Sendable {
    /// The time for which a grant may be used.
    package static let grantLifetime: Duration = .seconds(5)
    /// The longest time for which one report blocks a provider.
    static let longestBlock: Duration = .seconds(600)
    /// A minute, the lifetime of a grant, and the second that rounding takes.
    static let window: Int64 = 66
    /// The bucket's size in seconds of its rate.
    private static let burst: Int64 = 5

    struct Slice: Hashable, Sendable {
        var second: Int64
        var amount: BudgetAmount
    }

    /// The grants by the second, oldest first.
    private(set) var slices: [Slice] = []
    /// The bucket's content in units of 1/66,000 call or token, so that a limit of L drains L units per millisecond.
    private var requestFill: Int64 = 0
    private var tokenFill: Int64 = 0
    private var updatedAt = Timestamp(milliseconds: 0)
    private var blockedUntil: Timestamp?
    /// The circuit breakers that are open at all processes.
    private var breakers = OpenBreakers()

    package init() {}

    /// The sum of the grants in the window.
    var granted: BudgetAmount { slices.reduce(BudgetAmount()) { $0 + $1.amount } }

    /// Takes in the report of a process and decides on its request. The value changes only when there is something to
    /// keep, so a store writes nothing after a read-only request.
    package mutating func apply(_ request: BudgetRequest, at timestamp: Timestamp) -> BudgetReply {
        // Overlapping transactions have times that are slightly out of order; a clock that was set back is followed.
        let isSetBack = timestamp < updatedAt - .seconds(1)
        let now = isSetBack ? timestamp : max(timestamp, updatedAt)
        var next = advanced(to: now, limits: request.limits)
        var isChanged = isSetBack
        for correction in request.corrections where !correction.amount.isZero {
            next.correct(correction, at: now)
            isChanged = true
        }
        if let pause = request.blockedFor, pause > .zero {
            let until = now + min(pause, Self.longestBlock)
            next.blockedUntil = next.blockedUntil.map { max($0, until) } ?? until
            isChanged = true
        }
        let blockedFor = next.blockedUntil.flatMap { $0 > now ? $0 - now : nil }
        var reply = BudgetReply(granted: nil, wait: blockedFor ?? .zero, blockedFor: blockedFor, timestamp: now)
        for report in request.breakers {
            let before = next.breakers
            if next.breakers.apply(report, at: now) { reply.probes.append(report.scope) }
            if next.breakers != before { isChanged = true }
        }
        reply.openings = next.breakers.openings(at: now)
        if let need = request.need, blockedFor == nil {
            if request.limits.isNone {
                reply.granted = request.wanted.raised(to: need)
            } else if let wait = next.wait(for: need, request, at: now) {
                reply.wait = wait
            } else {
                let grant = next.grant(need, request)
                next.add(grant, at: now)
                reply.granted = grant
                isChanged = true
            }
        }
        if isChanged { self = next }
        return reply
    }

    // MARK: Time

    private func advanced(to now: Timestamp, limits: BudgetLimits) -> SharedBudget {
        var next = self
        if now < updatedAt {
            // The clock went back: all times keep their distance from now.
            let shift = updatedAt - now
            next.blockedUntil = blockedUntil.map { $0 - shift }
            next.slices = slices.map { slice in
                var slice = slice
                slice.second -= (shift.wholeMilliseconds + 999) / 1000
                return slice
            }
        } else {
            let passed = min((now - updatedAt).wholeMilliseconds, 86_400_000)
            next.requestFill = Self.drained(requestFill, limits.requestsPerMinute, passed)
            next.tokenFill = Self.drained(tokenFill, limits.tokensPerMinute, passed)
        }
        next.breakers.advance(to: now, setBackBy: now < updatedAt ? updatedAt - now : .zero)
        next.updatedAt = now
        let second = now.second
        next.slices.removeAll { second - $0.second >= Self.window }
        if let until = next.blockedUntil, until <= now { next.blockedUntil = nil }
        return next
    }

    private static func drained(_ fill: Int64, _ limit: Int64?, _ milliseconds: Int64) -> Int64 {
        guard let limit else { return 0 }
        return max(0, fill - limit * milliseconds)
    }

    // MARK: Grants

    /// The time until the need can be met; `nil` when it can be met now.
    private func wait(for need: BudgetAmount, _ request: BudgetRequest, at now: Timestamp) -> Duration? {
        let waits = [
            wait(need.requests, request.limits.requestsPerMinute, requestFill, \.requests, request, at: now),
            wait(need.tokens, request.limits.tokensPerMinute, tokenFill, \.tokens, request, at: now),
        ]
        return waits.compactMap(\.self).max()
    }

    private func wait(
        _ need: Int64, _ limit: Int64?, _ fill: Int64, _ part: KeyPath<BudgetAmount, Int64>, _ request: BudgetRequest,
        at now: Timestamp
    ) -> Duration? {
        guard let limit, need > 0 else { return nil }
        var wait: Duration?
        let size = Self.bucketSize(limit, request)
        if fill >= size { wait = .milliseconds((fill - size) / max(1, limit) + 1) }
        let allowed = Self.windowSize(limit, request)
        var counted = granted[keyPath: part]
        for slice in slices where need > allowed ? counted > 0 : counted + need > allowed {
            counted -= slice.amount[keyPath: part]
            let leaves = Timestamp(milliseconds: (slice.second + Self.window) * 1000)
            wait = max(wait ?? .zero, leaves - now)
        }
        return wait
    }

    /// The need, and of the amount wanted beyond it at most a quarter of the remainder.
    private func grant(_ need: BudgetAmount, _ request: BudgetRequest) -> BudgetAmount {
        func share(
            _ part: KeyPath<BudgetAmount, Int64>, _ limit: Int64?, _ fill: Int64
        ) -> Int64 {
            let (need, wanted) = (need[keyPath: part], request.wanted[keyPath: part])
            guard let limit else { return max(need, wanted) }
            let inWindow = Self.windowSize(limit, request) - granted[keyPath: part] - need
            let inBucket = (Self.bucketSize(limit, request) - fill) / Self.unit - need
            return need + max(0, min(wanted - need, min(inWindow, inBucket) / 4))
        }
        return BudgetAmount(
            requests: share(\.requests, request.limits.requestsPerMinute, requestFill),
            tokens: share(\.tokens, request.limits.tokensPerMinute, tokenFill))
    }

    private mutating func add(_ grant: BudgetAmount, at now: Timestamp) {
        requestFill += grant.requests * Self.unit
        tokenFill += grant.tokens * Self.unit
        if slices.last?.second == now.second {
            slices[slices.count - 1].amount = slices[slices.count - 1].amount + grant
        } else {
            slices.append(Slice(second: now.second, amount: grant))
        }
    }

    private mutating func correct(_ correction: BudgetCorrection, at now: Timestamp) {
        let amount = correction.amount
        // Used beyond the grant: it counts now.
        add(BudgetAmount(requests: max(0, amount.requests), tokens: max(0, amount.tokens)), at: now)
        // Returned: it was never used.
        let (requests, tokens) = (max(0, -amount.requests), max(0, -amount.tokens))
        guard let place = slices.firstIndex(where: { $0.second == correction.grantedAt.second }) else { return }
        let slice = slices[place].amount
        let back = BudgetAmount(requests: min(requests, slice.requests), tokens: min(tokens, slice.tokens))
        slices[place].amount = slice + BudgetAmount(requests: -back.requests, tokens: -back.tokens)
        requestFill = max(0, requestFill - back.requests * Self.unit)
        tokenFill = max(0, tokenFill - back.tokens * Self.unit)
    }

    private static let unit: Int64 = window * 1000

    private static func bucketSize(_ limit: Int64, _ request: BudgetRequest) -> Int64 {
        let size = limit * burst * 1000
        return request.isInteractive ? size : size - size / 5
    }

    private static func windowSize(_ limit: Int64, _ request: BudgetRequest) -> Int64 {
        request.isInteractive ? limit : limit - limit / 20
    }
}

extension SharedBudget {
    /// Decodes `encoded`; `nil` for any other text.
    package init?(encoded text: String) {
        guard let value = try? JSON(parsing: text), value["version"] == 1, let slices = value["lent"]?.array,
            let requestFill = value["request_fill"]?.integer, let tokenFill = value["token_fill"]?.integer,
            let updatedAt = value["updated_at"]?.integer
        else { return nil }
        self.init()
        for slice in slices {
            let numbers = (slice.array ?? []).compactMap(\.integer)
            guard numbers.count == 3 else { return nil }
            self.slices.append(
                Slice(second: numbers[0], amount: BudgetAmount(requests: numbers[1], tokens: numbers[2])))
        }
        self.requestFill = requestFill
        self.tokenFill = tokenFill
        self.updatedAt = Timestamp(milliseconds: updatedAt)
        blockedUntil = value["blocked_until"]?.integer.map(Timestamp.init(milliseconds:))
        guard let breakers = OpenBreakers(value["open_breakers"]) else { return nil }
        self.breakers = breakers
    }

    /// The value as compact JSON, at most a few kilobytes.
    package var encoded: String {
        let lent = slices.map { JSON.array([JSON($0.second), JSON($0.amount.requests), JSON($0.amount.tokens)]) }
        var value: JSON = [
            "version": 1, "updated_at": JSON(updatedAt.milliseconds), "request_fill": JSON(requestFill),
            "token_fill": JSON(tokenFill), "blocked_until": JSON(blockedUntil?.milliseconds), "lent": .array(lent),
        ]
        if !breakers.isEmpty { value["open_breakers"] = breakers.json }
        return value.compact
    }
}

extension BudgetAmount {
    fileprivate func raised(to need: BudgetAmount) -> BudgetAmount {
        BudgetAmount(requests: max(requests, need.requests), tokens: max(tokens, need.tokens))
    }
}

extension Timestamp {
    /// Whole seconds since 1970.
    fileprivate var second: Int64 { milliseconds / 1000 }
}
