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

extension ModelError {
    /// What went wrong. Closed, so that whoever handles it handles everything.
    package enum Kind: Hashable, Sendable {
        // The same call may succeed later.
        case rateLimited
        case overloaded
        case serverError
        case timeout
        /// No connection, or it broke off; the phrase names the host at most.
        case connection(String)
        case conflict
        /// A success status with a body that is not in the provider's format; the phrase says what is wrong.
        case malformedAnswer(String)
        /// Every provider is resting after failures.
        case unavailable

        // The provider will not serve us until somebody does something.
        case quotaExhausted(Quota)
        case authentication
        case permission
        case notFound

        // The request is at fault.
        case invalidRequest
        case tooLarge
        case unsupportedSchema(SchemaLoweringError)

        // The model answered, and the answer is of no use. It was billed.
        case refused(category: String?)
        case truncated(Truncation)
        /// Not the JSON that was asked for; the phrase says where it breaks.
        case unparseable(String)
        case schemaViolation([SchemaViolation])
        /// The model stopped for a reason that leaves nothing to use, by the provider's name of it.
        case unusable(reason: String)
        case answerTooLarge

        // Ours.
        case spendCapReached
        /// The phrase names what to set.
        case notConfigured(String)
        case cancelled
    }

    /// Which allowance is used up.
    package enum Quota: String, Hashable, Sendable {
        /// Comes back the next day.
        case daily
        /// A limit of spend, the provider's or one set in its console.
        case spendLimit = "spend limit"
        /// Prepaid money or billing.
        case credit
    }

    /// Where the answer was cut off.
    package enum Truncation: String, Hashable, Sendable {
        case maxOutputTokens = "the limit of output tokens"
        case contextWindow = "the model's context window"
    }
}

/// A place where an answer does not fit its schema.
package struct SchemaViolation: Hashable, Sendable {
    /// The way from the answer's root, like `holdings[2].ticker`; empty for the root itself.
    package var path: String
    /// A sentence that names the field: what to tell the model that shall repair it.
    package var message: String

    package init(path: String, message: String) {
        self.path = path
        self.message = message
    }
}

/// Keeps a large value behind one pointer; copies share it until one is changed.
///
/// An async function sets room aside for every value that may pass through it, each error that it may throw included,
/// and a running call keeps that room for as long as its answer streams.
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
