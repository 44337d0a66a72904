/// Why a call of a language model gave no usable answer.
///
/// `description` is safe to show and to store: it holds no text of a prompt, an answer or a provider's message, no key
/// and no URL. The provider's own words, with keys taken out, are in `debugDescription`.
@dynamicMemberLookup package struct ModelError: Error, Hashable, Sendable {
    @Boxed private var details: Details

    /// What is known of it.
    package struct Details: Hashable, Sendable {
        package var kind: Kind
        /// `nil` when no provider was asked.
        package var provider: ModelProvider?
        /// The model's id in the catalogue.
        package var model: String?
        package var status: Int?
        package var requestID: String?
        /// The earliest moment from now at which the same call makes sense; the provider's hint or the breaker's.
        package var retryAfter: Duration?
        /// The provider's own word on repeating (`x-should-retry`); stands above what the kind says.
        package var retryOverride: Bool?
        /// What was used although the answer is of no use; `nil` when nothing was billed or nobody knows.
        package var usage: TokenUsage?
        /// What that cost.
        package var cost: MicroDollars?
        /// The unusable answer itself: a refusal, the beginning of a truncated text, a text that is not the JSON asked
        /// for. Its `message` goes into the request for a better one.
        package var answer: ModelResponse?
        /// The provider's message, shortened, without keys. It may quote the prompt: for logs of developers only.
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
