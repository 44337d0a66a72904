/// Why a call of a language model gave no usable answer.
///
/// `description` is safe to show and to store: it holds no text of a prompt, an answer or a provider's message, no key
/// and no URL. The provider's own words, with keys taken out, are in `debugDescription`.
public struct ModelError: Error, Hashable, Sendable {
    @Boxed private var details: Details

    private struct Details: Hashable, Sendable {
        var kind: Kind
        var provider: ModelProvider?
        var model: String?
        var status: Int?
        var requestID: String?
        var retryAfter: Duration?
        var retryOverride: Bool?
        var usage: TokenUsage?
        var cost: MicroDollars?
        var answer: ModelResponse?
        var detail: String?
    }

    public init(
        _ kind: Kind, provider: ModelProvider? = nil, model: String? = nil, status: Int? = nil,
        requestID: String? = nil, retryAfter: Duration? = nil
    ) {
        details = Details(
            kind: kind, provider: provider, model: model, status: status, requestID: requestID, retryAfter: retryAfter)
    }

    public var kind: Kind {
        get { details.kind }
        set { details.kind = newValue }
    }

    /// `nil` when no provider was asked.
    public var provider: ModelProvider? {
        get { details.provider }
        set { details.provider = newValue }
    }

    /// The model's id in the catalogue.
    public var model: String? {
        get { details.model }
        set { details.model = newValue }
    }

    public var status: Int? {
        get { details.status }
        set { details.status = newValue }
    }

    public var requestID: String? {
        get { details.requestID }
        set { details.requestID = newValue }
    }

    /// The earliest moment from now at which the same call makes sense; the provider's hint or the breaker's.
    public var retryAfter: Duration? {
        get { details.retryAfter }
        set { details.retryAfter = newValue }
    }

    /// The provider's own word on repeating (`x-should-retry`); stands above what the kind says.
    public var retryOverride: Bool? {
        get { details.retryOverride }
        set { details.retryOverride = newValue }
    }

    /// What was used although the answer is of no use; `nil` when nothing was billed or nobody knows.
    public var usage: TokenUsage? {
        get { details.usage }
        set { details.usage = newValue }
    }

    /// What that cost.
    public var cost: MicroDollars? {
        get { details.cost }
        set { details.cost = newValue }
    }

    /// The unusable answer itself: a refusal, the beginning of a truncated text, a text that is not the JSON asked for.
    /// Its `message` goes into the request for a better one.
    public var answer: ModelResponse? {
        get { details.answer }
        set { details.answer = newValue }
    }

    /// The provider's message, shortened, without keys. It may quote the prompt: for logs of developers only.
    var detail: String? {
        get { details.detail }
        set { details.detail = newValue }
    }
}
