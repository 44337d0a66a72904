import TestSupport
import Testing

@testable import JobQueue

@Suite struct SharedBudgetTests {
    private let start = Timestamp(milliseconds: 1_800_000_000_000)

    // MARK: The limit

    struct Load: Sendable, CustomTestStringConvertible {
        var requests: Int64?
        var tokens: Int64?
        /// The tokens of the largest call.
        var largest: Int64
        /// Whether calls are made as late as a grant allows.
        var isSlow: Bool

        var testDescription: String {
            "\(requests ?? 0) requests, \(tokens ?? 0) tokens, calls up to \(largest)\(isSlow ? ", late" : "")"
        }
    }

    /// Fifty processes request as much as they can, in shares and for single calls, use the grants as late as allowed
    /// and return some of them. No interval of a minute has more use than the limit.
    @Test(arguments: [
        Load(requests: 60, tokens: nil, largest: 1, isSlow: false),
        Load(requests: 60, tokens: nil, largest: 1, isSlow: true),
        Load(requests: 1000, tokens: 100_000, largest: 4000, isSlow: true),
        Load(requests: 7, tokens: nil, largest: 1, isSlow: true),
        Load(requests: nil, tokens: 30_000, largest: 25_000, isSlow: true),
        Load(requests: 50, tokens: 30_000, largest: 12_000, isSlow: false),
    ])
    func fiftyProcessesTogetherKeepToTheLimitInAnyMinute(_ load: Load) throws {
        var generator = SeededRandom(seed: 42)
        var budget = SharedBudget()
        var now = start
        var uses: [(at: Timestamp, amount: BudgetAmount)] = []
        let end = start + .seconds(400)
        while now < end {
            now = now + .milliseconds(Int64.random(in: 1...40, using: &generator))
            var request = BudgetRequest(
                budget: "b", limits: BudgetLimits(requestsPerMinute: load.requests, tokensPerMinute: load.tokens))
            let tokens = load.tokens == nil ? 0 : Int64.random(in: 1...load.largest, using: &generator)
            request.need = BudgetAmount(requests: 1, tokens: tokens)
            request.wanted = BudgetAmount(
                requests: Int64.random(in: 1...10, using: &generator), tokens: tokens * 3)
            request.isInteractive = Bool.random(using: &generator)
            let reply = budget.apply(request, at: now)
            guard let granted = reply.granted else { continue }
            let most = load.isSlow ? SharedBudget.grantLifetime.wholeMilliseconds : 0
            let used = now + .milliseconds(Int64.random(in: 0...most, using: &generator))
            if Int.random(in: 0..<4, using: &generator) == 0 {
                // Half of the grant is returned unused.
                let half = BudgetAmount(requests: granted.requests / 2, tokens: granted.tokens / 2)
                request.need = nil
                request.corrections = [
                    BudgetCorrection(
                        grantedAt: reply.timestamp,
                        amount: BudgetAmount(
                            requests: half.requests - granted.requests, tokens: half.tokens - granted.tokens))
                ]
                _ = budget.apply(request, at: now)
                uses.append((used, half))
            } else {
                uses.append((used, granted))
            }
        }
        uses.sort { $0.at < $1.at }
        var most = BudgetAmount()
        var first = 0
        var inMinute = BudgetAmount()
        for use in uses {
            inMinute = inMinute + use.amount
            while use.at - uses[first].at >= .seconds(60) {
                let gone = uses[first].amount
                inMinute = inMinute + BudgetAmount(requests: -gone.requests, tokens: -gone.tokens)
                first += 1
            }
            most = BudgetAmount(
                requests: max(most.requests, inMinute.requests), tokens: max(most.tokens, inMinute.tokens))
        }
        if let limit = load.requests { #expect(most.requests <= limit) }
        if let limit = load.tokens { #expect(most.tokens <= limit) }
        // At least two thirds of the limit are used in the best minute.
        let share = max(
            Double(most.requests) / Double(load.requests ?? .max), Double(most.tokens) / Double(load.tokens ?? .max))
        #expect(share > 0.66)
    }

    // MARK: Details

    @Test func theWaitEndsWhenTheNeedCanBeMet() {
        var budget = SharedBudget()
        var now = start
        for _ in 0..<200 {
            let reply = budget.apply(request(1, of: 90), at: now)
            if reply.granted != nil { continue }
            #expect(reply.wait > .zero)
            #expect(budget.apply(request(1, of: 90), at: now + reply.wait - .milliseconds(2)).granted == nil)
            now = now + reply.wait
            #expect(budget.apply(request(1, of: 90), at: now).granted != nil)
        }
    }

    @Test func aRefusalAndAReadOnlyRequestChangeNothing() {
        var budget = SharedBudget()
        while budget.apply(request(1, of: 60), at: start).granted != nil {}
        let before = budget
        #expect(budget.apply(request(1, of: 60), at: start + .milliseconds(1)).granted == nil)
        _ = budget.apply(
            BudgetRequest(budget: "b", limits: BudgetLimits(requestsPerMinute: 60)), at: start + .seconds(9))
        #expect(budget == before)
    }

    @Test func aCallLargerThanAMinutesLimitProceedsAlone() {
        var budget = SharedBudget()
        let huge = BudgetRequest(
            budget: "b", limits: BudgetLimits(tokensPerMinute: 1000), need: BudgetAmount(requests: 1, tokens: 5000),
            isInteractive: true)
        #expect(budget.apply(huge, at: start).granted?.tokens == 5000)
        #expect(budget.apply(huge, at: start + .seconds(60)).granted == nil)
        let wait = budget.apply(huge, at: start + .seconds(60)).wait
        #expect(budget.apply(huge, at: start + .seconds(60) + wait).granted?.tokens == 5000)
    }

    @Test func aPartIsReservedForInteractiveCalls() {
        var budget = SharedBudget()
        while budget.apply(request(1, of: 600, isInteractive: false), at: start).granted != nil {}
        #expect(budget.apply(request(1, of: 600), at: start).granted != nil)
    }

    @Test func aShareIsAtMostAQuarterOfTheRemainingBudget() {
        var budget = SharedBudget()
        var one = request(1, of: 660)
        one.wanted = BudgetAmount(requests: 500)
        // The bucket holds 50.
        #expect(budget.apply(one, at: start).granted?.requests == 13)
    }

    @Test func useBeyondAGrantIsSpent() {
        var budget = SharedBudget()
        let limits = BudgetLimits(tokensPerMinute: 10_000)
        let grant = budget.apply(
            BudgetRequest(budget: "b", limits: limits, need: BudgetAmount(requests: 1, tokens: 100)), at: start)
        var request = BudgetRequest(budget: "b", limits: limits)
        request.corrections = [BudgetCorrection(grantedAt: grant.timestamp, amount: BudgetAmount(tokens: 9_900))]
        _ = budget.apply(request, at: start + .seconds(3))
        #expect(budget.granted.tokens == 10_000)
        // A correction of a forgotten grant returns nothing.
        request.corrections = [BudgetCorrection(grantedAt: start - .seconds(100), amount: BudgetAmount(tokens: -500))]
        _ = budget.apply(request, at: start + .seconds(3))
        #expect(budget.granted.tokens == 10_000)
    }

    @Test func aBlockIsNeverShortenedAndIsBounded() {
        var budget = SharedBudget()
        var block = request(1, of: 60)
        block.need = nil
        block.blockedFor = .seconds(30)
        _ = budget.apply(block, at: start)
        block.blockedFor = .seconds(1)
        #expect(budget.apply(block, at: start).blockedFor == .seconds(30))
        block.blockedFor = .seconds(100_000)
        #expect(budget.apply(block, at: start).blockedFor == SharedBudget.longestBlock)
        let reply = budget.apply(request(1, of: 60), at: start)
        #expect(reply.granted == nil && reply.wait == SharedBudget.longestBlock)
    }

    @Test func aClockThatIsSetBackNeitherLosesGrantsNorBlocksThem() {
        var budget = SharedBudget()
        var block = request(60, of: 60)
        _ = budget.apply(block, at: start)
        block.need = nil
        block.blockedFor = .seconds(30)
        _ = budget.apply(block, at: start)
        let earlier = start - .seconds(600)
        let reply = budget.apply(request(1, of: 60), at: earlier)
        #expect(reply.granted == nil && reply.blockedFor == .seconds(30))
        #expect(budget.apply(request(1, of: 60), at: earlier + .seconds(40)).granted == nil)
        #expect(budget.apply(request(1, of: 60), at: earlier + .seconds(70)).granted != nil)
    }

    @Test func theEncodedTextKeepsTheWholeState() throws {
        var budget = SharedBudget()
        for second in 0..<80 {
            var request = request(1, of: 6000)
            if second == 70 { request.blockedFor = .seconds(100) }
            _ = budget.apply(request, at: start + .seconds(Int64(second)))
        }
        #expect(SharedBudget(encoded: budget.encoded) == budget)
        #expect(budget.encoded.utf8.count < 4000)
        for damaged in ["", "{}", "[]", "{\"version\":2}", budget.encoded.replacing("[", with: "{")] {
            #expect(SharedBudget(encoded: damaged) == nil)
        }
    }

    private func request(_ requests: Int64, of limit: Int64, isInteractive: Bool = true) -> BudgetRequest {
        BudgetRequest(
            budget: "b", limits: BudgetLimits(requestsPerMinute: limit), need: BudgetAmount(requests: requests),
            isInteractive: isInteractive)
    }
}
