/// The consequences of an error, by its kind: the whole table in one place.
///
/// A provider's table (`ClaudeErrors` and its siblings) turns an error response into a kind. `ProviderState.finished`
/// applies `throttling` and `health` to the provider, `ModelRouter.respond` applies `allowsFallback`,
/// `ModelRouter.settle` stops the calls of all processes after a 429, and the job queue retries a job whose error
/// `isTransient`.
struct ErrorPolicy: Equatable {
    /// The change of the rate of calls to the provider.
    enum Throttling {
        case unchanged
        /// Wait for the time that the response names, if any.
        case pause
        /// A 429: stop the calls of all processes that share the budget. Without a shared budget: wait, and make fewer
        /// calls at once.
        case shrink
    }

    /// The same call could succeed later.
    var isTransient: Bool
    /// The next candidate of the tier is called: this provider cannot serve now, and the request is not at fault.
    var allowsFallback: Bool
    /// The meaning of the error for the provider's health, for the circuit breaker.
    var health: CircuitBreaker.Finding
    var throttling: Throttling

    private init(
        transient: Bool, fallback: Bool, health: CircuitBreaker.Finding, throttling: Throttling = .unchanged
    ) {
        isTransient = transient
        allowsFallback = fallback
        self.health = health
        self.throttling = throttling
    }

    init(_ kind: ModelError.Kind) {
        self =
            switch kind {
            case .rateLimited:
                ErrorPolicy(transient: true, fallback: true, health: .alive, throttling: .shrink)
            case .overloaded, .serverError, .timeout:
                ErrorPolicy(transient: true, fallback: true, health: .failed, throttling: .pause)
            case .connection, .malformedAnswer:
                ErrorPolicy(transient: true, fallback: true, health: .failed)
            case .unreachable:
                ErrorPolicy(transient: true, fallback: true, health: .unreachable)
            case .stalled(let stall):
                ErrorPolicy(transient: true, fallback: true, health: .stalled(stall.clock))
            case .outOfTime(let stall, let isStalled):
                ErrorPolicy(
                    transient: false, fallback: false, health: isStalled ? .stalled(stall.clock) : .nothing)
            case .tooLittleTime:
                ErrorPolicy(transient: false, fallback: true, health: .nothing)
            case .conflict, .unavailable:
                ErrorPolicy(transient: true, fallback: true, health: .alive)
            case .quotaExhausted, .authentication, .permission, .notFound:
                ErrorPolicy(transient: false, fallback: true, health: .alive)
            case .invalidRequest, .tooLarge, .refused, .truncated, .unparseable, .schemaViolation, .unusable,
                .answerTooLarge:
                ErrorPolicy(transient: false, fallback: false, health: .alive)
            case .notBooked:
                ErrorPolicy(transient: true, fallback: false, health: .nothing)
            case .hedgeLost, .hedgeRefused:
                ErrorPolicy(transient: true, fallback: true, health: .nothing)
            case .unsupportedSchema, .notConfigured, .spendCapReached, .cancelled:
                ErrorPolicy(transient: false, fallback: false, health: .nothing)
            }
    }
}

/// The meaning of a provider's error response, from the provider's table.
struct ErrorVerdict: Equatable {
    var kind: ModelError.Kind
    /// The pause that the provider asks for.
    var retryAfter: Duration?
    /// The provider's own word on retries (`x-should-retry`), which overrides the policy of the kind.
    var retryOverride: Bool?

    init(_ kind: ModelError.Kind, retryAfter: Duration? = nil, retryOverride: Bool? = nil) {
        self.kind = kind
        self.retryAfter = retryAfter
        self.retryOverride = retryOverride
    }
}

extension ModelError.Kind {
    var policy: ErrorPolicy { ErrorPolicy(self) }
}

extension ModelError {
    /// Whether the same call could succeed later.
    package var isTransient: Bool { self.retryOverride ?? self.kind.policy.isTransient }

    /// Whether another provider should be asked.
    var allowsFallback: Bool { self.kind.policy.allowsFallback }

    /// Whether the model's answer was read and rejected, so that a request to repair it makes sense.
    package var isRepairable: Bool {
        switch self.kind {
        case .unparseable, .schemaViolation: self.answer != nil
        default: false
        }
    }
}
