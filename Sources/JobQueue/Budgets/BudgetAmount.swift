/// What a provider limits.
package enum LimitKind: String, Hashable, Sendable, CaseIterable, Comparable {
    case requests
    /// Tokens of prompts that are not read from the provider's cache.
    case input
    /// Tokens of answers, counted when they have been written.
    case output
    /// Tokens of prompts and answers together, for providers with one limit for both.
    case tokens

    /// The kinds that a call is charged to when it is let in.
    static let charged: [LimitKind] = [.requests, .input, .tokens]

    package static func < (left: LimitKind, right: LimitKind) -> Bool { left.rawValue < right.rawValue }
}

/// The ceilings of a budget in `models.yaml`, per minute; `nil` is no ceiling.
package struct BudgetLimits: Hashable, Sendable {
    package var requestsPerMinute: Int64?
    package var inputTokensPerMinute: Int64?
    package var outputTokensPerMinute: Int64?
    /// For input and output together.
    package var tokensPerMinute: Int64?
    /// The part of what the provider allows that may be used, in hundredths.
    package var share: Int64
    /// The requests that a ceiling lets in at once after a rest; `nil` for those of five seconds.
    package var requestsAtOnce: Int64?

    package init(
        requestsPerMinute: Int64? = nil, inputTokensPerMinute: Int64? = nil, outputTokensPerMinute: Int64? = nil,
        tokensPerMinute: Int64? = nil, share: Int64 = 100, requestsAtOnce: Int64? = nil
    ) {
        self.requestsPerMinute = requestsPerMinute
        self.inputTokensPerMinute = inputTokensPerMinute
        self.outputTokensPerMinute = outputTokensPerMinute
        self.tokensPerMinute = tokensPerMinute
        self.share = share
        self.requestsAtOnce = requestsAtOnce
    }

    package var isNone: Bool { self == BudgetLimits() }

    package subscript(kind: LimitKind) -> Int64? {
        switch kind {
        case .requests: requestsPerMinute
        case .input: inputTokensPerMinute
        case .output: outputTokensPerMinute
        case .tokens: tokensPerMinute
        }
    }
}

/// A number of calls and of tokens.
package struct BudgetAmount: Hashable, Sendable {
    package var requests: Int64
    package var input: Int64
    package var output: Int64

    package init(requests: Int64 = 0, input: Int64 = 0, output: Int64 = 0) {
        self.requests = requests
        self.input = input
        self.output = output
    }

    package static func + (left: BudgetAmount, right: BudgetAmount) -> BudgetAmount {
        BudgetAmount(
            requests: left.requests + right.requests, input: left.input + right.input,
            output: left.output + right.output)
    }

    package static func - (left: BudgetAmount, right: BudgetAmount) -> BudgetAmount {
        left + BudgetAmount(requests: -right.requests, input: -right.input, output: -right.output)
    }

    package var isZero: Bool { requests == 0 && input == 0 && output == 0 }

    subscript(kind: LimitKind) -> Int64 {
        switch kind {
        case .requests: requests
        case .input: input
        case .output: output
        case .tokens: input + output
        }
    }

    /// The amount with each number in a plausible range, so that sums cannot overflow.
    var bounded: BudgetAmount {
        func bounded(_ number: Int64) -> Int64 { min(max(number, -LimitBucket.largest), LimitBucket.largest) }
        return BudgetAmount(requests: bounded(requests), input: bounded(input), output: bounded(output))
    }
}

/// The expected use of a call that waits.
package struct CallNeed: Hashable, Sendable {
    /// Tokens of the prompt that the provider counts, a high estimate.
    package var input: Int64
    /// The usual length of an answer. It is not charged before the answer has been written, except to limits of input
    /// and output together.
    package var output: Int64
    /// A person waits for the call, which may use the part that is reserved for such calls.
    package var isInteractive: Bool

    package init(input: Int64, output: Int64, isInteractive: Bool = false) {
        self.input = input
        self.output = output
        self.isInteractive = isInteractive
    }

    package var amount: BudgetAmount { BudgetAmount(requests: 1, input: input, output: output) }
}
