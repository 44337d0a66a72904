internal import Basics
internal import JobQueue

/// What is written down of a call: its cost, its use, and what operators ask about it.
extension ModelRouter {
    static func record(
        _ outcome: Result<ModelResponse, ModelError>, _ model: ModelDescription, _ attempt: Attempt, duration: Duration
    ) -> CallRecord {
        var record = CallRecord(
            provider: model.provider, model: model.id, tier: attempt.tier, prompt: attempt.caller.route?.prompt,
            duration: duration, outcome: "answered",
            isFallback: attempt.isFallback, origin: attempt.caller.origin, hedgeOf: attempt.hedgeOf)
        switch outcome {
        case .success(let response):
            record.firstText = response.timings.firstText
            record.requestID = response.requestID
        case .failure(let error):
            record.outcome = error.kind.name
            record.requestID = error.requestID
            record.problem = error.description
        }
        return record
    }

    /// The cost at today's prices.
    func cost(of usage: TokenUsage, _ model: ModelDescription) -> MicroDollars {
        model.prices?.cost(of: usage, on: clock.today) ?? .zero
    }

    /// The output that a provider may write before the first word of it is booked.
    private static let leastOutput: Int64 = 50

    /// The use of a call of whose answer nothing is ever known.
    func leastUse(_ planned: TokenUsage, _ model: ModelDescription) -> ModelCall.LeastUse {
        var usage = planned
        usage.output = min(planned.output, Self.leastOutput)
        return ModelCall.LeastUse(outputTokens: usage.output, costMicroDollars: cost(of: usage, model).rawValue)
    }

    /// Lets the books ask for the use of a call while its answer arrives.
    func follow(
        _ booking: String, _ activity: CallActivity, _ planned: TokenUsage, _ model: ModelDescription,
        _ book: (any CallBook)?
    ) {
        book?.follow(booking) { [self] in
            let hidden = estimates.hiddenTokens(of: activity.snapshot, until: clock.uptime(), by: model)
            let usage = CallSettlement.use(at: activity.use, planned: planned, hidden: hidden) {
                estimates.tokens(ofOutputBytes: $0, by: model)
            }
            return usage.map { (usage: $0, cost: cost(of: $0, model)) }
        }
    }

    /// What a call is expected to have used by its end. Before its provider has told anything, another call may have
    /// written what this one was to write, so that it read it.
    func expected(
        _ planned: TokenUsage, of prefix: PrefixCache.Ticket, _ call: CallActivity.Snapshot
    ) -> TokenUsage {
        guard call.headAt == nil else { return planned }
        return planned.reading(prefixes.warmTokens(prefix.plan.sent))
    }

    /// Adds the use of a call to its record, and learns from an answer.
    func settle(
        _ record: inout CallRecord, _ outcome: Result<ModelResponse, ModelError>, _ request: ModelRequest,
        _ planned: TokenUsage, _ activity: CallActivity, _ model: ModelDescription
    ) {
        var hidden: Int64 = 0
        switch outcome {
        case .success(let response):
            estimates.learn(
                from: response, to: request, by: model, knowsPrompt: activity.hasCounted, activity.snapshot)
            estimates.learnThinking(
                from: response.usage, written: response.writtenBytes, activity.snapshot, by: model)
        case .failure(let error) where !activity.use.isOutputTold:
            let end = error.stall == nil ? clock.uptime() : nil
            hidden = estimates.hiddenTokens(of: activity.snapshot, until: end, by: model)
        case .failure: break
        }
        let settlement = CallSettlement(
            usage: outcome.map(\.usage), planned: planned, hidden: hidden, isOutputTold: activity.use.isOutputTold
        ) {
            estimates.tokens(ofOutputBytes: $0, by: model)
        }
        (record.state, record.certainty) = (settlement.state, settlement.certainty)
        record.usage = settlement.usage
        switch outcome {
        // Of several requests each has its own price.
        case .success(let response): record.cost = response.cost
        case .failure(let error):
            let isTold = error.cost != nil && error.usage == settlement.usage
            record.cost = isTold ? error.cost : cost(of: settlement.usage, model)
        }
    }
}

extension ModelRouter {
    /// What operators ask about a call that has ended.
    func details(
        of record: CallRecord, _ plan: CachePlan, _ attempt: Attempt, _ activity: CallActivity.Snapshot,
        _ model: ModelDescription
    ) -> ModelCall.Details {
        var details = ModelCall.Details(prompt: record.prompt)
        details.isInteractive = attempt.caller.isInteractive
        details.isSimulated = model.isSimulated
        details.addError(of: record)
        details.waited = attempt.waited
        details.firstByte = activity.headAt.map { $0 - activity.startedAt }
        details.firstContent = activity.firstContentAt.map { $0 - activity.startedAt }
        details.longestGap = activity.firstContentAt == nil ? nil : activity.longestGap
        guard let usage = record.usage else { return details }
        details.addPrices(of: usage, in: model.prices, on: clock.today)
        details.marks = plan.marks(after: usage)
        return details
    }
}

extension ModelCall.Details {
    /// Adds what the provider said of a call.
    mutating func addError(of record: CallRecord) {
        providerRequestID = record.requestID
        guard record.outcome != "answered" else { return }
        (errorCode, errorMessage) = (record.outcome, record.problem)
    }

    /// Adds what the cost of a call is compared with.
    mutating func addPrices(of usage: TokenUsage, in prices: PriceList?, on day: CalendarDate) {
        listMicroDollars = prices?.listCost(of: usage, on: day).rawValue
        writeMicroDollars = prices?.writeCost(of: usage, on: day).rawValue ?? 0
    }
}
