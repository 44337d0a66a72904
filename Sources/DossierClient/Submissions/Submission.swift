public import Foundation

/// Makes a repeated request safe: the server answers all requests with one key with the first one's job.
public struct IdempotencyKey: OpenEnum {
    /// The key as it is sent.
    public let rawValue: String
    /// 1 to 255 printable ASCII characters without spaces.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A new key, from a random UUID.
    public static func random() -> IdempotencyKey { IdempotencyKey(rawValue: UUID().uuidString.lowercased()) }
}

/// One tap of a user: a request with its own idempotency key. However often it is sent, by retries, by a second tap
/// on "Try again" or after a relaunch, it is one job and one credit. A new intention is a new submission.
///
/// ```swift
/// let tap = Submission(ResearchInput(ticker: "AAPL", persona: "buffett"))
/// let report = try await dossier.jobs.output(of: tap)
/// ```
public struct Submission<Input: JobInput>: Codable, Hashable, Sendable, Identifiable {
    /// The key of all its requests.
    public let id: IdempotencyKey
    /// What is asked.
    public let input: Input
    /// -100 to 100; orders the user's own jobs.
    public let priority: Int?
    /// The job does not begin earlier.
    public let notBefore: Date?
    /// The time within which the result is needed, an hour to a day: the job's model calls may then go by batch, at half
    /// the price. ``Job/estimatedAt`` says when to expect it.
    public let within: Duration?
    /// When the user tapped.
    public let createdAt: Date

    /// Makes a submission; nothing is stored or sent yet.
    ///
    /// - Parameters:
    ///   - input: What is asked.
    ///   - priority: -100 to 100; orders the user's own jobs.
    ///   - notBefore: The job does not begin earlier.
    ///   - within: The time within which the result is needed, an hour to a day, in whole seconds.
    ///   - idempotencyKey: The key of all its requests.
    ///   - createdAt: When the user tapped.
    public init(
        _ input: Input, priority: Int? = nil, notBefore: Date? = nil, within: Duration?,
        idempotencyKey: IdempotencyKey = .random(), createdAt: Date = Date()
    ) {
        id = idempotencyKey
        self.input = input
        self.priority = priority
        // As it is stored, so that a stored submission equals this one.
        self.notBefore = notBefore?.inWholeMilliseconds
        self.within = within.map { .seconds($0.components.seconds) }
        self.createdAt = createdAt.inWholeMilliseconds
    }

    /// Makes a submission whose result is needed soon; nothing is stored or sent yet.
    public init(
        _ input: Input, priority: Int? = nil, notBefore: Date? = nil, idempotencyKey: IdempotencyKey = .random(),
        createdAt: Date = Date()
    ) {
        self.init(
            input, priority: priority, notBefore: notBefore, within: nil, idempotencyKey: idempotencyKey,
            createdAt: createdAt)
    }
}

/// A submission as it is stored: the exact body that is sent, so that an app update cannot change it under its key.
public struct SavedSubmission: Codable, Hashable, Sendable, Identifiable {
    /// The key of all its requests.
    public let id: IdempotencyKey
    /// The account that tapped; another account never sees or sends it.
    public let account: String
    /// The kind of job.
    public let kind: Job.Kind
    /// The body of `POST /api/v1/jobs`.
    public let body: JSONValue
    /// When the user tapped.
    public let createdAt: Date
    /// Known once the server has accepted it.
    public var jobID: Job.ID?

    /// Makes a stored submission, for stores and tests.
    public init(
        id: IdempotencyKey, account: String, kind: Job.Kind, body: JSONValue, createdAt: Date, jobID: Job.ID? = nil
    ) {
        self.id = id
        self.account = account
        self.kind = kind
        self.body = body
        self.createdAt = createdAt
        self.jobID = jobID
    }

    /// The submission to run again.
    ///
    /// - Throws: ``DossierError`` with ``DossierError/Code/unreadableAnswer`` when it is of another kind or was made
    ///   by an input that this version of the app cannot read.
    public func submission<Input: JobInput>(of type: Input.Type) throws -> Submission<Input> {
        guard let input = try? input(as: type), input.kind == kind else {
            throw DossierError(
                .unreadableAnswer, message: "The stored submission of kind '\(kind)' cannot be read as \(type).")
        }
        return Submission(
            input, priority: body["priority"]?.integer.map(Int.init),
            notBefore: body["run_at"]?.string.flatMap(WireTime.date),
            within: body["within"]?.integer.map { .seconds($0) }, idempotencyKey: id, createdAt: createdAt)
    }

    private func input<Input: JobInput>(as type: Input.Type) throws -> Input {
        let stored = body["input"] ?? .null
        if let untyped = UntypedInput(kind: kind, input: stored) as? Input { return untyped }
        return try JSONDecoder.dossier.decode(type, from: JSONEncoder.dossier.encode(stored))
    }

    /// The submission as it is stored before it is sent.
    init<Input>(_ submission: Submission<Input>, account: String) throws {
        let input =
            if let untyped = submission.input as? UntypedInput { untyped.input } else {
                try JSONDecoder().decode(JSONValue.self, from: JSONEncoder.dossier.encode(submission.input))
            }
        var body: [String: JSONValue] = ["kind": .string(submission.input.kind.rawValue), "input": input]
        body["priority"] = submission.priority.map { .integer(Int64($0)) }
        body["run_at"] = submission.notBefore.map { .string(WireTime.text($0)) }
        body["within"] = submission.within.map { .integer($0.components.seconds) }
        self.init(
            id: submission.id, account: account, kind: submission.input.kind, body: .object(body),
            createdAt: submission.createdAt)
    }
}
