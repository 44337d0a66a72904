/// The fleet's use of one budget, and what its provider allows: a pure value that every store keeps as text and changes
/// under a lock.
///
/// It holds the provider's buckets as the heads of answers tell them, and those that `models.yaml` sets; a call begins
/// when every bucket has room for it. Prompts are charged at a high estimate when a call is let in and corrected when
/// the provider has counted them. Answers are charged when they have been written: calls are let in while the level
/// exceeds the usual rest of the answers under way, so the longest possible answer is never counted.
///
/// Background calls leave a reserve of level for interactive ones, which costs no throughput: a bucket that is not full
/// refills at the same rate.
package struct SharedBudget: Hashable, Sendable {
    /// The time for which a call may begin after it was let in, and after which the loans of a dead process return.
    package static let loanLifetime: Duration = .seconds(5)
    /// The time after which a process that is not heard of counts as dead.
    static let holdingLifetime: Duration = .seconds(13)
    /// The longest time for which one report blocks a provider.
    static let longestBlock: Duration = .seconds(600)
    /// The time that a call may take to the provider: what was let in during it may not be counted there.
    static let transit: Duration = .milliseconds(250)
    /// The calls at once before the head of any answer.
    static let firstCalls: Int64 = 16
    /// Of these, those of newly claimed jobs within `transit`.
    static let firstClaims: Int64 = 2
    /// The time for which the first background call goes alone, unless its head tells sooner: a bucket may hold no second.
    static let firstHead: Duration = .seconds(2)
    /// The time within which the first call of a claimed job should begin.
    package static let claimHorizon: Int64 = 2000
    /// The calls per second that are never a sharp rise.
    static let slowestRise: Int64 = 32

    /// A process that uses the budget.
    struct Holding: Hashable, Sendable {
        var holder: BudgetHolder
        var heardAt: Timestamp
        /// Calls of its last request that had to wait, and the use of the interactive ones of them.
        var waiting: Int64 = 0
        var waitingInteractive = BudgetAmount()
        /// Calls that were let in while those of others waited, as far as the others have not caught up.
        var served: Int64 = 0
        /// What its last request borrowed, until its next one shows that it is alive.
        var lent = BudgetAmount()
        var lentUpTo: Int64 = 0
        /// The output that was counted of its answers since its last request, in 1/60,000.
        var drained: Int64 = 0
    }

    struct Loan: Hashable, Sendable {
        var at: Timestamp
        var amount: BudgetAmount
    }

    /// The buckets that the provider tells.
    var told: [LimitKind: LimitBucket] = [:]
    /// Of their flow.
    var peaks: [LimitKind: FlowPeaks] = [:]
    /// The buckets that `models.yaml` sets.
    var own: [LimitKind: LimitBucket] = [:]
    /// What was let in, all in all; of output, what was written.
    var spent: [LimitKind: Int64] = [:]
    /// The number of calls that were let in.
    var calls: Int64 = 0
    /// The latest call whose head has told limits.
    var readCall: Int64 = 0
    /// Whether heads tell limits; `nil` before the first one.
    var tellsLimits: Bool?
    /// The last time at which one told limits.
    var readAt = Timestamp(milliseconds: 0)
    /// The time of the first call while nothing is known of limits.
    var firstCallAt: Timestamp?
    var holdings: [String: Holding] = [:]
    /// What was let in during the last `transit`.
    var recent: [Loan] = []
    /// What interactive calls used, and a usual one of them.
    var interactive = RecentUse()
    var usualInteractive = BudgetAmount(requests: 1, input: 4000, output: 1000)
    /// All calls, for the rule about sharp rises.
    var begun = RecentUse()
    var rise: LimitBucket?
    /// The output of the calls that begin, where the bucket of output is small: calls that begin together end together.
    var pace: LimitBucket?
    var updatedAt = Timestamp(milliseconds: 0)
    var blockedUntil: Timestamp?
    /// Refusals in a row.
    var refusals: Int64 = 0
    /// How much longer one call may take to the provider than another, as refusals show it.
    var spread = TransitSpread()
    /// The circuit breakers that are open at all processes.
    var breakers = OpenBreakers()
    /// The refused calls of the last hour.
    var refused = HourCount()

    package init() {}

    /// Takes in the report of a process and decides on its calls. The value changes only when there is something to
    /// keep, so a store writes nothing after a read-only request.
    package mutating func apply(_ request: BudgetRequest, at timestamp: Timestamp) -> BudgetReply {
        // Overlapping transactions have times that are slightly out of order; a clock that was set back is followed.
        let isSetBack = timestamp < updatedAt - .seconds(1)
        let now = isSetBack ? timestamp : max(timestamp, updatedAt)
        var next = self
        next.advance(to: now, limits: request.limits)
        var isChanged = isSetBack || !request.reports.isEmpty
        var reply = BudgetReply(timestamp: now)
        if let id = request.holder?.id, request.reports.contains(where: \.tellsOutput) { next.restoreOutput(of: id) }
        for report in request.reports { next.take(report, at: now) }
        for report in request.breakers {
            let before = next.breakers
            if next.breakers.apply(report, at: now) { reply.probes.append(report.scope) }
            if next.breakers != before { isChanged = true }
        }
        if let holder = request.holder, next.hold(holder, at: now) { isChanged = true }
        if next.tellsLimits != nil || next.callsUnderWay == 0 { next.firstCallAt = nil }
        // By the usual time that the process has just told: a bucket may have become a small one by it.
        next.setPace(at: now)
        let calls = request.calls.prefix(Self.mostCalls).map(\.bounded)
        next.letIn(calls, for: request.holder, waitsAsBefore: request.waitsAsBefore, into: &reply, at: now)
        if let id = request.holder?.id, next.holdings[id] != holdings[id] {
            isChanged =
                isChanged || next.holdings[id]?.waiting != holdings[id]?.waiting
                || next.holdings[id]?.waitingInteractive != holdings[id]?.waitingInteractive
        }
        if reply.granted > 0 { isChanged = true }
        reply.blockedFor = next.blockedUntil.flatMap { $0 > now ? $0 - now : nil }
        reply.tellsLimits = next.tellsLimits
        reply.openings = next.breakers.openings(at: now)
        reply.buckets = next.levels
        reply.refusals = next.refused.total(at: now)
        reply.retries = next.holdings.values.compactMap(\.holder.retries).min()
        if let usual = request.usual?.bounded {
            next.tellStartable(usual, isIdle: request.holder == nil, in: &reply, at: now)
        }
        if isChanged { self = next }
        return reply
    }

    /// The most calls that one request lets in.
    private static let mostCalls = 256

    // MARK: Time

    private mutating func advance(to now: Timestamp, limits: BudgetLimits) {
        if now < updatedAt {
            // The clock went back: all times keep their distance from now.
            let shift = updatedAt - now
            (blockedUntil, firstCallAt) = (blockedUntil.map { $0 - shift }, firstCallAt.map { $0 - shift })
            for kind in told.keys { told[kind]?.shift(by: shift) }
            for kind in peaks.keys { peaks[kind]?.shift(by: shift) }
            for kind in own.keys { own[kind]?.shift(by: shift) }
            for id in holdings.keys { holdings[id]?.heardAt = now }
            rise?.shift(by: shift)
            pace?.shift(by: shift)
            recent = []
        }
        breakers.advance(to: now, setBackBy: now < updatedAt ? updatedAt - now : .zero)
        updatedAt = now
        // The provider may be another one by now.
        if tellsLimits != nil, now - readAt > Self.longestMemory { (tellsLimits, told, peaks) = (nil, [:], [:]) }
        drainOutput(until: now)
        for kind in LimitKind.allCases {
            setTransit(of: kind, at: now)
            told[kind]?.advance(to: now)
            setOwn(kind, limits, at: now)
        }
        recent.removeAll { now - $0.at > Self.transit }
        for (id, holding) in holdings where now - holding.heardAt >= Self.loanLifetime {
            giveBack(holding.lent, upTo: holding.lentUpTo)
            holdings[id]?.lent = BudgetAmount()
            if now - holding.heardAt >= Self.holdingLifetime { holdings[id] = nil }
        }
        if let until = blockedUntil, until <= now { blockedUntil = nil }
        begun.advance(to: now)
        let limit = 60 * Self.slowestRise + 12 * begun.use(of: .requests, inSeconds: 10, at: now)
        var bucket = rise ?? LimitBucket(limit: limit, size: limit / 60, level: limit / 60, at: now)
        (bucket.limit, bucket.size) = (limit, limit / 60)
        bucket.advance(to: now)
        rise = bucket
    }

    /// The bucket of a ceiling takes five seconds' worth at once, where the ceiling says nothing else. A share of what the provider tells is a ceiling.
    private mutating func setOwn(_ kind: LimitKind, _ limits: BudgetLimits, at now: Timestamp) {
        let shared = limits.share < 100 ? told[kind].map { $0.limit * limits.share / 100 } : nil
        guard let limit = [limits[kind], shared].compactMap(\.self).min() else {
            own[kind] = nil
            return
        }
        let size = max(1, kind == .requests ? limits.requestsAtOnce ?? limit / 12 : limit / 12)
        var bucket = own[kind] ?? LimitBucket(limit: limit, size: size, level: size, at: now)
        (bucket.limit, bucket.size) = (min(max(limit, 1), LimitBucket.largest), min(size, LimitBucket.largest))
        if kind == .requests, limits.requestsAtOnce != nil {
            // Nobody else counts these, so what is on its way is counted already.
            bucket.transit = 0
            if own[kind] == nil { bucket.set(bucket.whole) }
        }
        bucket.advance(to: now)
        own[kind] = bucket
    }

    /// The time for which limits are remembered without a call.
    private static let longestMemory: Duration = .seconds(3600)

    // MARK: Processes

    /// Notes what a process holds. Its next request shows that it has used what it borrowed.
    ///
    /// - Returns: Whether there is something to store.
    private mutating func hold(_ holder: BudgetHolder, at now: Timestamp) -> Bool {
        let before = holdings[holder.id]
        holdings[holder.id] = Holding(
            holder: holder, heardAt: now, waiting: before?.waiting ?? 0,
            waitingInteractive: before?.waitingInteractive ?? BudgetAmount(), served: before?.served ?? 0)
        guard let before else { return true }
        return before.holder != holder || before.lent != BudgetAmount() || now - before.heardAt >= .seconds(1)
    }

    var callsUnderWay: Int64 { holdings.values.reduce(0) { $0 + $1.holder.calls } }

    // MARK: Letting in

    /// Lets in as many of the first calls as there is room for, and no more than the process's part when the calls of
    /// other processes wait, too.
    private mutating func letIn(
        _ calls: [CallNeed], for holder: BudgetHolder?, waitsAsBefore: Bool, into reply: inout BudgetReply,
        at now: Timestamp
    ) {
        let most = mostCalls(calls, for: holder, at: now)
        let before = inTransit
        let beforehand = told
        let (granted, wait) = letIn(calls.prefix(most), leaving: interactiveNeeds(beside: holder?.id, at: now), at: now)
        (reply.granted, reply.wait) = (granted, wait ?? .zero)
        // It is the turn of other processes.
        if granted == most, granted < calls.count {
            reply.wait = max(
                Self.turn, self.wait(for: calls[granted], begun: Int64(granted), expecting: 0, at: now) ?? .zero)
        }
        // Mostly each process has one call that waits, since a job is claimed when its first call can begin.
        let haveWaited = holder.map { (holdings[$0.id]?.waiting ?? 0) > 0 } ?? false
        if haveWaited || granted < calls.count || !waiting(beside: holder?.id, at: now).isEmpty {
            spread.letIn(granted)
        }
        let sum = calls.prefix(granted).reduce(BudgetAmount()) { $0 + $1.amount }
        if granted > 0 {
            var mark = BudgetMark(at: now, call: self.calls, spent: spent, flow: told.mapValues(\.flow))
            mark.withdraw(before)
            reply.mark = mark
            for (kind, bucket) in beforehand {
                notePeak(of: kind, bucket, afterCall: self.calls - Int64(granted), at: now)
            }
            recent.append(Loan(at: now, amount: sum))
        }
        if let id = holder?.id, var holding = holdings[id] {
            if !waitsAsBefore {
                holding.waiting = Int64(calls.count - granted)
                holding.waitingInteractive = calls.dropFirst(granted).filter(\.isInteractive).reduce(BudgetAmount()) {
                    ($0 + $1.amount).bounded
                }
            }
            holding.served += Int64(granted)
            if granted > 0 {
                (holding.lent, holding.lentUpTo) = (sum, self.calls)
                holding.holder.calls += Int64(granted)
                holding.holder.expectedOutput += sum.output
            }
            holdings[id] = holding
        }
    }

    /// What was let in of late and may not have arrived at the provider.
    var inTransit: BudgetAmount { recent.reduce(BudgetAmount()) { $0 + $1.amount } }

    /// Notes the flow of a bucket before something is taken from it.
    mutating func notePeak(of kind: LimitKind, _ bucket: LimitBucket, afterCall call: Int64, at now: Timestamp) {
        let onTheWay = LimitKind.charged.contains(kind) ? inTransit[kind] * LimitBucket.unit : 0
        peaks[kind, default: FlowPeaks()].add(.init(at: now, call: call, flow: bucket.flow &+ onTheWay))
    }

    /// The most of its calls that a process may begin while calls of other processes wait: background calls of the
    /// processes are let in by turns.
    private mutating func mostCalls(_ calls: [CallNeed], for holder: BudgetHolder?, at now: Timestamp) -> Int {
        guard let id = holder?.id, var holding = holdings[id] else { return calls.count }
        guard let least = waiting(beside: id, at: now).map(\.served).min() else {
            holdings[id]?.served = 0
            return calls.count
        }
        // A process whose calls begin to wait has no claim to turns of the past.
        if holding.waiting == 0 { holding.served = max(holding.served, least) }
        holdings[id] = holding
        let turns = max(0, least + Self.turnCalls - holding.served)
        return min(calls.count, max(calls.prefix { $0.isInteractive }.count, Int(turns)))
    }

    /// The other processes of which calls wait.
    private func waiting(beside id: String?, at now: Timestamp) -> [Holding] {
        holdings.filter { $0.key != id && $0.value.waiting > 0 && now - $0.value.heardAt < Self.turnLifetime }
            .map(\.value)
    }

    /// The calls of one turn.
    private static let turnCalls: Int64 = 4
    /// The time after which a process that is not heard of loses its turn.
    private static let turnLifetime: Duration = .milliseconds(2500)
    /// The pause of a process whose turn is over.
    private static let turn: Duration = .milliseconds(100)

    /// What interactive calls need that wait at other processes.
    private func interactiveNeeds(beside id: String?, at now: Timestamp) -> BudgetAmount {
        waiting(beside: id, at: now).reduce(BudgetAmount()) { ($0 + $1.waitingInteractive).bounded }
    }

    private mutating func letIn(
        _ calls: ArraySlice<CallNeed>, leaving others: BudgetAmount, at now: Timestamp
    ) -> (granted: Int, wait: Duration?) {
        var (granted, begun, output) = (0, Int64(0), Int64(0))
        for need in calls {
            if !need.isInteractive, others.requests > 0,
                let wait = wait(toLeave: others, after: need, beside: output, at: now)
            {
                return (granted, wait)
            }
            if let wait = wait(for: need, begun: begun, expecting: output, at: now) { return (granted, wait) }
            granted += 1
            begun += 1
            output += need.output
            charge(need, at: now)
        }
        return (granted, nil)
    }

    /// The pause of a background call after which interactive calls that wait at other processes could not begin; `nil`
    /// when they could. Where a bucket holds many calls the reserve is enough.
    private func wait(
        toLeave others: BudgetAmount, after need: CallNeed, beside output: Int64, at now: Timestamp
    ) -> Duration? {
        var longest: Duration?
        for (kind, bucket) in buckets {
            let both = (need.amount[kind] + others[kind]) * LimitBucket.unit
            let isSmall = kind == .output ? credit(of: bucket) > 0 : bucket.whole / 8 < both
            let missing =
                kind == .output
                ? 1 - room(in: bucket, beside: expectedOutput + output + others.output, reserve: 0)
                : both - bucket.content
            guard isSmall, missing > 0 else { continue }
            longest = max(longest ?? .zero, min(.milliseconds(missing / bucket.limit + 1), Self.turn))
        }
        return longest
    }

    private mutating func charge(_ need: CallNeed, at now: Timestamp) {
        let amount = need.amount
        calls += 1
        if tellsLimits == nil { firstCallAt = firstCallAt ?? now }
        for kind in LimitKind.charged {
            spent[kind, default: 0] &+= amount[kind]
            told[kind]?.take(amount[kind])
            own[kind]?.take(amount[kind])
        }
        rise?.take(1)
        pace?.take(need.output)
        begun.add(amount, at: now)
        guard need.isInteractive else { return }
        interactive.add(amount, at: now)
        let usual = usualInteractive
        usualInteractive = BudgetAmount(
            requests: 1, input: (usual.input * 3 + amount.input) / 4, output: (usual.output * 3 + amount.output) / 4)
    }

    /// The time until a call can begin; `nil` when it can now.
    ///
    /// - Parameters:
    ///   - need: The call.
    ///   - begun: The calls of the same request that were let in before it, and their output.
    ///   - output: That output.
    ///   - now: The time.
    /// - Returns: That time.
    func wait(
        for need: CallNeed, begun: Int64, expecting output: Int64, at now: Timestamp
    ) -> Duration? {
        if let until = blockedUntil, until > now { return until - now }
        if tellsLimits == nil, callsUnderWay + begun >= Self.firstCalls { return Self.poll }
        if let first = firstCallAt, !need.isInteractive, now - first < Self.firstHead { return Self.firstPoll }
        var longest: Duration?
        func note(_ wait: Duration?) { if let wait { longest = max(longest ?? .zero, wait) } }
        for (kind, bucket) in buckets {
            let reserve = need.isInteractive ? 0 : reserve(of: kind, in: bucket, at: now)
            if kind == .output {
                var room = room(in: bucket, beside: expectedOutput + output, reserve: reserve)
                if credit(of: bucket) > 0, !need.isInteractive { note(pace?.wait(for: need.output, at: now)) }
                if need.isInteractive { room = max(room, interactiveRoom(in: bucket, at: now)) }
                let isIdle = bucket.isFull && expectedOutput + output == 0
                if room <= 0, !isIdle { note(min(.milliseconds(-room / bucket.limit + 1), Self.longestOutputWait)) }
            } else {
                // A call that takes most of a bucket leaves what the rest of it can hold without being full.
                let amount = need.amount[kind]
                note(bucket.wait(for: max(amount, min(amount + reserve, bucket.cap / LimitBucket.unit)), at: now))
            }
        }
        if !isUnlimited { note(rise?.wait(for: 1, at: now)) }
        return longest
    }

    /// Whether neither the provider nor `models.yaml` names limits.
    var isUnlimited: Bool { tellsLimits == false && told.isEmpty && own.isEmpty }

    /// The pause while nothing is known about the time of a change.
    static let poll: Duration = .milliseconds(250)
    /// The pause until a head may have told limits.
    private static let firstPoll: Duration = .milliseconds(50)
    /// The end of answers under way may make room earlier than the refill.
    private static let longestOutputWait: Duration = .seconds(1)

    var buckets: [(LimitKind, LimitBucket)] {
        (told.map { ($0.key, $0.value) } + own.map { ($0.key, $0.value) })
    }

    /// The level that background calls leave: one interactive call or two seconds of recent interactive use, and at
    /// least what calls that overtake each other on their way may differ by. Never more than half of a full bucket.
    /// None of output where the bucket is small: a fifth of it is left anyway, and the provider asks for no more.
    func reserve(of kind: LimitKind, in bucket: LimitBucket, at now: Timestamp) -> Int64 {
        if kind == .output, credit(of: bucket) > 0 { return 0 }
        let recent = interactive.use(of: kind, inSeconds: 2, at: now)
        let inTransit = bucket.limit * Self.transit.wholeMilliseconds / LimitBucket.unit + usual(kind, at: now)
        return max(0, min(max(usualInteractive[kind], recent, inTransit), bucket.cap / LimitBucket.unit / 2))
    }

    /// A bucket of output is charged as answers are written. One of a single call loses a part of its limit to the time
    /// between two calls, so it is as short there as it can be.
    private mutating func setTransit(of kind: LimitKind, at now: Timestamp) {
        guard let bucket = told[kind] else { return }
        let holdsOneCall = holdsOneCall(bucket, kind)
        told[kind]?.transit =
            kind == .output ? 0 : holdsOneCall ? spread.milliseconds : Self.transit.wholeMilliseconds
    }

    /// Whether a second usual call finds no room in a full bucket.
    func holdsOneCall(_ bucket: LimitBucket, _ kind: LimitKind) -> Bool {
        bucket.whole < 2 * usual(kind, at: updatedAt) * LimitBucket.unit
    }

    /// What a call of the last ten seconds took, on average.
    func usual(_ kind: LimitKind, at now: Timestamp) -> Int64 {
        begun.use(of: kind, inSeconds: 10, at: now) / max(1, begun.use(of: .requests, inSeconds: 10, at: now))
    }

    private var levels: [BucketLevel] {
        func level(_ kind: LimitKind, _ bucket: LimitBucket, _ source: BucketLevel.Source) -> BucketLevel {
            BucketLevel(
                kind: kind, source: source, limit: bucket.limit, size: bucket.size, level: bucket.level,
                holdsOneCall: kind != .output && holdsOneCall(bucket, kind))
        }
        return told.sorted { $0.key < $1.key }.map { level($0.key, $0.value, .told) }
            + own.sorted { $0.key < $1.key }.map { level($0.key, $0.value, .set) }
    }
}

extension CallNeed {
    fileprivate var bounded: CallNeed {
        let amount = BudgetAmount(input: max(0, input), output: max(0, output)).bounded
        return CallNeed(input: amount.input, output: amount.output, isInteractive: isInteractive)
    }
}
