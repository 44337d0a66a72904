package import JobQueue
internal import Synchronization

/// The caller of a model, as far as the router has to know it.
package struct CallContext: Sendable {
    /// A person waits for the answer.
    package var isInteractive: Bool
    /// The time until the caller gives up; `nil` for the limit of a call.
    package var timeLeft: Duration?
    /// The place among the calls that wait for a budget.
    package var place: CallPlace
    /// The place in a job that the call is for; `nil` outside of jobs.
    package var origin: CallOrigin?
    /// The books of every call that is made, failed ones followed by another included: each may be billed.
    package var book: (any CallBook)?
    /// The prompt that is asked, with its models; `nil` leaves them to the tier.
    package var route: PromptRoute?
    /// By the name of a mark of the request, the later calls that are expected to read up to it.
    package var expectedReads: [String: Double]
    /// The life of what is written to a provider's cache.
    package var cacheLifetime: CacheMark.Lifetime

    package init(
        isInteractive: Bool = false, timeLeft: Duration? = nil, place: CallPlace = CallPlace(),
        origin: CallOrigin? = nil, book: (any CallBook)? = nil, route: PromptRoute? = nil,
        expectedReads: [String: Double] = [:], cacheLifetime: CacheMark.Lifetime = .fiveMinutes
    ) {
        self.isInteractive = isInteractive
        self.timeLeft = timeLeft
        self.place = place
        self.origin = origin
        self.book = book
        self.route = route
        self.expectedReads = expectedReads
        self.cacheLifetime = cacheLifetime
    }
}

/// The models that a prompt is sent to, in their order, in place of its tier's candidates.
package struct PromptRoute: Hashable, Sendable {
    /// The name of the prompt.
    package var prompt: String
    /// Ids in the catalogue; none leaves the prompt to its tier.
    package var models: [String]

    package init(prompt: String, models: [String] = []) {
        self.prompt = prompt
        self.models = models
    }
}

/// The place in a job that a call is for, for the log.
package struct CallOrigin: Hashable, Sendable {
    package var job: JobID
    package var attempt: Int
    package var step: String
    /// The id of the HTTP request that submitted the job.
    package var requestID: String?

    package init(job: JobID, attempt: Int, step: String, requestID: String?) {
        self.job = job
        self.attempt = attempt
        self.step = step
        self.requestID = requestID
    }
}

/// One call of one provider, for metrics and billing. It never holds text of a prompt or an answer.
package struct CallRecord: Hashable, Sendable {
    package var provider: ModelProvider
    /// The id in the catalogue.
    package var model: String
    package var tier: String
    /// The name of the prompt; `nil` for calls without one, such as probes.
    package var prompt: String?
    package var duration: Duration
    /// The time until the first text of a streamed answer.
    package var firstText: Duration?
    /// `answered`, or the name of the error's kind.
    package var outcome: String
    package var requestID: String?
    package var state: ModelCall.State = .ok
    package var certainty: ModelCall.Certainty = .told
    /// `nil` when nothing was billed.
    package var usage: TokenUsage?
    package var cost: MicroDollars?
    /// Another candidate was asked before and failed.
    package var isFallback: Bool
    /// The error in a sentence, without text of a prompt or an answer; `nil` for an answer.
    package var problem: String?
    package var origin: CallOrigin?
    /// For the books: the prompt, times, and what the cost is compared with.
    package var details = ModelCall.Details()
    /// The booking of the call beside which this one was made for the same answer.
    package var hedgeOf: String?
}

/// A change of a circuit breaker, for the log.
package struct BreakerChange: Hashable, Sendable {
    package var provider: ModelProvider
    /// The id in the catalogue; `nil` when it concerns all models of the provider.
    package var model: String?
    package var isOpen: Bool
}

/// A part of a streamed answer.
package enum StreamEvent: Hashable, Sendable {
    case text(String)
    /// The provider failed midway and another one starts again: drop the text received.
    case restarted(provider: ModelProvider, model: String)
}

/// Passes the text of a call on, and reports when another model starts again.
final class StreamRelay: Sendable {
    private let onEvent: @Sendable (StreamEvent) -> Void
    private let hasText = Mutex(false)

    init(_ onEvent: @escaping @Sendable (StreamEvent) -> Void) { self.onEvent = onEvent }

    /// The callback for a model's text.
    var onText: @Sendable (String) -> Void { { text in self.receive(text) } }

    private func receive(_ text: String) {
        hasText.withLock { $0 = true }
        onEvent(.text(text))
    }

    /// Another model takes over. The caller is informed only if it has received text of the model before.
    func begin(_ model: ModelDescription) {
        let isRestart = hasText.withLock { hasText in
            defer { hasText = false }
            return hasText
        }
        if isRestart { onEvent(.restarted(provider: model.provider, model: model.id)) }
    }
}
