internal import Basics
internal import JobQueue

/// The use of a call that has ended, for the books: as the provider told it, and counted or estimated where it did not.
struct CallSettlement: Equatable {
    var state: ModelCall.State
    var usage: TokenUsage

    /// Of a usage that is an estimate in part, something is counted; see `ModelCall.Certainty`.
    var certainty: ModelCall.Certainty { usage.isEstimated ? .counted : .told }

    /// The use of a call whose answer arrives; `nil` before the first word of its provider.
    static func use(
        at progress: CallProgress, planned: TokenUsage, hidden: Int64 = 0, outputTokens: (_ bytes: Int) -> Int64
    ) -> TokenUsage? {
        guard progress.usage != nil || progress.outputBytes > 0 else { return nil }
        var usage = progress.usage ?? TokenUsage(input: planned.input, output: 0)
        if !progress.isOutputTold { usage.output = max(usage.output, hidden + outputTokens(progress.outputBytes)) }
        usage.isEstimated = true
        return usage
    }

    /// - Parameters:
    ///   - outcome: The end of the call, with the usage of an answer.
    ///   - planned: The use that was expected of it.
    ///   - hidden: The tokens that were written without being shown, where the provider has not counted them.
    ///   - isOutputTold: Whether the provider has counted the output of a call without an answer.
    ///   - outputTokens: Counts the tokens of bytes that the provider has not counted.
    init(
        usage outcome: Result<TokenUsage, ModelError>, planned: TokenUsage, hidden: Int64 = 0,
        isOutputTold: Bool = true, outputTokens: (_ bytes: Int) -> Int64 = { _ in 0 }
    ) {
        switch outcome {
        case .success(let usage): (state, self.usage) = (.ok, usage)
        case .failure(let error):
            state = error.callState
            usage = error.usage ?? TokenUsage()
            // A complete answer that cannot be used is counted as a usable one is.
            guard error.answer == nil else { return }
            let hasContent = error.untoldOutputBytes > 0
            if error.usage == nil, hasContent || error.mayBeBilled {
                (usage.input, usage.cacheRead) = (planned.input, planned.cacheRead)
                (usage.cacheWrite5m, usage.cacheWrite1h) = (planned.cacheWrite5m, planned.cacheWrite1h)
                usage.isEstimated = true
            }
            if hasContent || (hidden > 0 && error.mayBeBilled) {
                usage.output = max(usage.output, hidden + outputTokens(error.untoldOutputBytes))
                usage.isEstimated = true
            }
            // What Claude tells of the output at the beginning is one token.
            if !isOutputTold, error.mayBeBilled { usage.isEstimated = true }
        }
    }
}

extension ModelError {
    /// Whether a provider may bill the call although it told no usage: it has taken the request and answered with no
    /// error.
    fileprivate var mayBeBilled: Bool {
        guard !self.isUnsent, self.status.map({ $0 < 400 }) ?? true else { return false }
        switch self.kind {
        case .cancelled, .hedgeLost, .timeout, .stalled, .outOfTime, .connection, .malformedAnswer, .answerTooLarge:
            return true
        default: return false
        }
    }

    fileprivate var callState: ModelCall.State {
        switch self.kind {
        case .cancelled: .cancelled
        case .hedgeLost: .hedgeLost
        case .timeout, .stalled, .outOfTime(_, isStalled: true): .stalled
        case .outOfTime: .cut
        case .connection: self.isUnsent ? .failed : .cut
        default: .failed
        }
    }
}
