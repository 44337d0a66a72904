package import JobQueue

/// The reason why a call of a language model gave no usable answer.
///
/// The fields are in a box, and `@dynamicMemberLookup` makes them members of the error. An async function reserves room
/// in its frame for every error that it may throw, and a running call keeps its frames while its answer streams. There
/// may be thousands of streams, so each frame holds one pointer instead of all fields.
///
/// `description` is safe to show and to store: it contains no text of a prompt, an answer or a provider's message, no
/// key and no URL. The provider's message, with keys removed, is in `debugDescription`.
@dynamicMemberLookup package struct ModelError: Error, Hashable, Sendable {
    @Boxed private var details: Details

    /// The fields of an error.
    package struct Details: Hashable, Sendable {
        package var kind: Kind
        /// `nil` when no provider was asked.
        package var provider: ModelProvider?
        /// The model's id in the catalogue.
        package var model: String?
        package var status: Int?
        package var requestID: String?
        /// The shortest pause before the same call makes sense, from the provider or the circuit breaker.
        package var retryAfter: Duration?
        /// The provider's own word on retries (`x-should-retry`), which overrides the policy of the kind.
        var retryOverride: Bool?
        /// The reason why nothing more was asked, although the same call could succeed later.
        package var postponement: Postponement?
        /// What a job waits for that is postponed because of this error; `nil` where the other fields say it.
        package var wait: WaitCause?
        /// The usage of the failed call; `nil` when nothing was billed or the usage is unknown.
        package var usage: TokenUsage?
        /// The cost of that usage.
        package var cost: MicroDollars?
        /// The bytes of output that arrived before the error and that `usage` does not count.
        var untoldOutputBytes = 0
        /// No request reached a provider: there was no connection, or no name.
        var isUnsent = false
        /// The unusable answer: a refusal, the beginning of a truncated text, a text that is not the requested JSON.
        /// Its `message` goes into the request for a repair.
        package var answer: ModelResponse?
        /// The provider's message, shortened, without keys. It may quote the prompt, so it is for debug logs only.
        var detail: String?
    }

    package init(
        _ kind: Kind, provider: ModelProvider? = nil, model: String? = nil, status: Int? = nil,
        requestID: String? = nil, retryAfter: Duration? = nil
    ) {
        details = Details(
            kind: kind, provider: provider, model: model, status: status, requestID: requestID, retryAfter: retryAfter)
    }

    package subscript<Value>(dynamicMember detail: WritableKeyPath<Details, Value>) -> Value {
        get { details[keyPath: detail] }
        set { details[keyPath: detail] = newValue }
    }
}

extension ModelError {
    /// The kind of failure. Closed, so that a switch handles every kind.
    package enum Kind: Hashable, Sendable {
        // The same call may succeed later.
        case rateLimited
        case overloaded
        case serverError
        case timeout
        /// No connection, or a lost one; the phrase contains at most the host.
        case connection(String)
        /// No connection could be made: refused, no such name, no valid certificate. It concerns all models of the
        /// provider.
        case unreachable(String)
        /// The provider was silent for longer than the limit of a clock.
        case stalled(Stall)
        case conflict
        /// A success status with a body that is not in the provider's format; the phrase names the problem.
        case malformedAnswer(String)
        /// No candidate may be asked now; `postponement` is the reason if it will pass.
        case unavailable

        // The provider does not serve until the operator changes something.
        case quotaExhausted(Quota)
        case authentication
        case permission
        case notFound

        // The request is at fault.
        case invalidRequest
        case tooLarge
        case unsupportedSchema(SchemaLoweringError)

        // The model answered, but the answer is unusable. It was billed.
        case refused(category: String?)
        case truncated(Truncation)
        /// Not the requested JSON; the phrase gives the place of the error.
        case unparseable(String)
        case schemaViolation([SchemaViolation])
        /// The model stopped for a reason that leaves no usable answer, in the provider's words.
        case unusable(reason: String)
        case answerTooLarge

        // Dossier's own.
        /// The calls of the user or of the service may cost no more today.
        case spendCapReached(SpendLimit)
        /// The books cannot be written, so that no call is made.
        case notBooked
        /// The phrase names the setting.
        case notConfigured(String)
        /// The caller's time was over in the midst of the call. The provider counts as stalled when it was silent for
        /// longer than its limit.
        case outOfTime(Stall, isStalled: Bool)
        /// The caller has less time left than an answer to its prompt usually takes, so that no call was made.
        case tooLittleTime(left: Duration, usual: Duration)
        case cancelled
        /// Another call for the same answer had content first, and this one was cancelled.
        case hedgeLost
        /// The fleet's budget of hedges does not hold this one, so that it is not made.
        case hedgeRefused
    }

    /// A reason to call later, in the terms of logs and of a job's record.
    package enum Postponement: String, Hashable, Sendable {
        /// The breakers of all candidates are open.
        case breakerOpen = "breaker_open"
        /// The retry budgets of the other candidates are empty.
        case retryBudget = "retry_budget"
        /// The budget of a provider has no room, or the provider refuses calls for a while.
        case providerBudget = "provider_budget"
    }

    /// The silence that ended the call; `nil` for any other end.
    var stall: Stall? {
        switch self.kind {
        case .stalled(let stall): stall
        case .outOfTime(let stall, let isStalled): isStalled ? stall : nil
        default: nil
        }
    }

    /// The allowance that is used up.
    package enum Quota: String, Hashable, Sendable {
        /// Renewed the next day.
        case daily
        /// A spend limit of the provider or its console.
        case spendLimit = "spend limit"
        /// Prepaid money or billing.
        case credit
    }

    /// The limit at which the answer was truncated.
    package enum Truncation: String, Hashable, Sendable {
        case maxOutputTokens = "the limit of output tokens"
        case contextWindow = "the model's context window"
    }
}

/// A place where an answer violates its schema.
package struct SchemaViolation: Hashable, Sendable {
    /// The path from the answer's root, like `holdings[2].ticker`; empty for the root itself.
    package var path: String
    /// A sentence that names the field, for the request to repair the answer.
    package var message: String
}

/// Keeps a large value in a box of its own. Copies share it until one is changed.
///
/// An async function reserves room in its frame for every value that may pass through it, errors included, and a
/// running call keeps its frames while its answer streams.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(wrappedValue: Value) { box = Box(wrappedValue) }

    var wrappedValue: Value {
        get { box.value }
        set { box = Box(newValue) }
    }
}

extension Boxed: Equatable where Value: Equatable {
    static func == (left: Boxed, right: Boxed) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension Boxed: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
