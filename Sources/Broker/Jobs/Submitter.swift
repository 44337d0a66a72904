internal import DossierAPI
internal import JSON
internal import JSONSchema
internal import JobQueue
internal import Prompts
internal import Observability

/// Validates a request and submits its job to the store.
struct Submitter: Sendable {
    let store: any JobStore
    let bundle: CurrentBundle
    let explanations: Explanations
    let plans: CurrentPlans
    let gate: SpendGate
    let usage: UsageLimiter
    let now: @Sendable () -> Timestamp
    var tracer: Tracer?

    /// The options of a job besides its kind and input.
    struct Options: Sendable {
        var priority = 0
        var runAt: Timestamp?
        var uniqueKey: String?
        var idempotency: Idempotency?
        /// Names a result that is the same for all users; such jobs share one run.
        var sharedKey: String?
    }

    /// Validates the input against the kind's schema and submits the job. Error messages begin with `inputPath`.
    ///
    /// - Returns: The job, and whether it is new.
    func submit(
        kind name: String, input: JSON, inputPath: String, options: Options, context: RequestContext
    ) async throws(APIError) -> (job: Job, isNew: Bool, kind: JobKind) {
        let served = bundle.served
        let bundle = served.bundle
        guard let kind = bundle.kinds[name], let schema = served.inputs[name] else {
            let known = bundle.kinds.keys.sorted().joined(separator: ", ")
            throw .invalid("kind", "is not a kind of job; the kinds are \(known)")
        }
        guard context.isOperator || !kind.isForOperators else {
            throw .forbidden("Jobs of kind '\(name)' can be submitted by operators only.")
        }
        var input = try checked(input, by: schema, path: inputPath, in: bundle)
        try await usage.take(roomFor: input, of: context.user, idempotencyKey: options.idempotency?.key)
        if kind.credits == 0, !kind.isForOperators { try await gate.check() }
        var source = JobSource.ownRun
        // A job with a start time of its own is not shared with present requests.
        if name == Explanations.kind, options.runAt == nil {
            (input, source) = try await explanations.source(of: input, kind: kind, user: context.user)
        }
        var generator = SystemRandomNumberGenerator()
        let timestamp = now()
        var job = NewJob(
            id: JobID(at: timestamp, using: &generator), user: context.user, kind: kind.name, input: input,
            bundle: bundle.hash,
            cost: kind.credits, deadline: max(timestamp, options.runAt ?? timestamp) + kind.deadline,
            startingCredits: plans.value.standard.startingCredits)
        job.queue = kind.queue
        job.priority = options.priority
        job.runAt = options.runAt
        job.maxAttempts = kind.retries.attempts
        job.limits = kind.limits
        job.concurrencyKey = kind.concurrencyKey(of: input)
        job.uniqueKey = options.uniqueKey
        job.idempotency = options.idempotency
        job.requestID = context.requestID
        job.source = source
        if let key = options.sharedKey {
            let sharedJob = JobID(at: timestamp, using: &generator)
            job.source = .shared(SharedWork(id: sharedJob, key: key, input: input, deadline: job.deadline))
        }
        return try await send(job, kind: kind)
    }

    private func send(_ job: NewJob, kind: JobKind) async throws(APIError) -> (job: Job, isNew: Bool, kind: JobKind) {
        let submission: Submission
        let start = ContinuousClock.now
        do {
            submission = try await store.submit(job)
        } catch {
            throw APIError(error)
        }
        switch submission {
        case .accepted(let job):
            // The first span of the job's trace; workers add theirs.
            let trace = TraceID(high: job.id.high, low: job.id.low)
            tracer.map { TraceScope(tracer: $0, trace: trace, span: trace.root) }?
                .record("submit \(job.kind)", kind: .producer, took: .now - start)
            return (job, true, kind)
        case .existing(let job): return (job, false, kind)
        case .conflict: throw .idempotencyConflict
        case .insufficientCredits(let balance, let required):
            throw .insufficientCredits(balance, required: required)
        }
    }

    /// The validated input, with the ticker in capitals.
    private func checked(
        _ input: JSON, by schema: JSONSchema, path: String, in bundle: Bundle
    ) throws(APIError) -> JSON {
        let violations = schema.validate(input)
        if let violation = violations.first {
            let place = { (field: String) in [path, field].filter { !$0.isEmpty }.joined(separator: ".") }
            var error = APIError.invalid(
                place(violation.path), violation.problem,
                code: violation.path == "ticker" ? .invalidTicker : .validationFailed)
            error.problems = violations.flatMap { APIError.invalid(place($0.path), $0.problem).problems }
            throw error
        }
        if let persona = input["persona"]?.string, bundle.personas[persona] == nil {
            let known = bundle.personas.keys.sorted().joined(separator: ", ")
            throw .invalid(
                path.isEmpty ? "persona" : "\(path).persona", "is not a persona; the personas are \(known)",
                code: .invalidPersona)
        }
        var input = input
        if let ticker = input["ticker"]?.string { input["ticker"] = JSON(ticker.uppercased()) }
        return input
    }
}
