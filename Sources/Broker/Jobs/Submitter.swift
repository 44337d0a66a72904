internal import Basics
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
    let months: MonthlyGrants
    let gate: SpendGate
    let usage: UsageLimiter
    let records: any UsageRepository
    let trainings: TrainingAllowance
    let readers: Readers
    let articles: ArticleLookup
    let now: @Sendable () -> Timestamp
    var tracer: Tracer?

    /// The options of a job besides its kind and input.
    struct Options: Sendable {
        var priority = 0
        var runAt: Timestamp?
        var uniqueKey: String?
        var idempotency: Idempotency?
        /// The time within which the result is asked for; the job's model calls may go by batch.
        var within: Duration?
        /// The input before characters were taken out of it; `nil` where a route made the input.
        var inputAsSent: JSON?
        /// Titles that the request has read, for the job's subject.
        var titles: [SubjectTemplate.Known: String] = [:]
        /// Names a result that is the same for all users; such jobs share one run.
        var sharedKey: String?
        /// Whether the request's route admits the job: although its kind is for operators, and outside the limits of
        /// the user's jobs and bytes.
        var isAdmitted = false
    }

    /// A job that was submitted, or the earlier one that answers the request.
    struct Submitted: Sendable {
        let job: Job
        let kind: JobKind
        let isNew: Bool
        /// Whether the client has sent the same request before, under the same key.
        var isReplay = false

        var headers: [(String, String)] { isReplay ? [("Idempotent-Replayed", "true")] : [] }
    }

    /// Validates the input against the kind's schema and submits the job. Error messages begin with `inputPath`.
    func submit(
        kind name: String, input: JSON, inputPath: String, options: Options, context: RequestContext
    ) async throws(APIError) -> Submitted {
        let served = bundle.served
        let bundle = served.bundle
        guard let kind = bundle.kinds[name], let schema = served.inputs[name] else {
            let known = bundle.kinds.keys.sorted().joined(separator: ", ")
            throw .invalid("kind", "is not a kind of job; the kinds are \(known)")
        }
        guard context.isOperator || options.isAdmitted || !kind.isForOperators else {
            throw .forbidden("Jobs of kind '\(name)' can be submitted by operators only.")
        }
        // Characters that are taken out count as well: the description knows nothing of them.
        if let sent = options.inputAsSent, sent != input {
            _ = try checked(sent, by: schema, path: inputPath, in: bundle)
        }
        var input = try checked(input, by: schema, path: inputPath, in: bundle)
        var options = options
        if served.takeLanguage.contains(name) { try await setLanguage(&input, &options, path: inputPath, context) }
        var room: UsageLimiter.Room?
        if !options.isAdmitted {
            room = try await usage.take(roomFor: input, of: context.user, idempotencyKey: options.idempotency?.key)
        }
        var source = JobSource.ownRun
        // A job with a start time of its own is not shared with present requests.
        if name == Explanations.kind, options.runAt == nil {
            let story = try await explanations.source(of: input, kind: kind, user: context.user)
            (input, source) = (story.input, story.source)
            options.titles[.storyTitle] = story.title
        }
        let timestamp = now()
        if ForecastInput.kinds.contains(name) {
            let standard = name == "training" ? ForecastInput.trainingLookback : ForecastInput.standardLookback
            let forecast = try ForecastInput(JSONField(input), lookback: standard)
            input = forecast.json
            guard trainings.count(forecast, of: context.user, at: timestamp, isNew: true) != nil else {
                throw .tooManyTrainings(at: timestamp)
            }
            if options.runAt == nil {
                options.sharedKey = forecast.sharedKey(of: name, at: timestamp)
                // Shared jobs are all the service's own, so users take turns by priority: the more models a user trains
                // in a day, the later the next one.
                options.priority = -trainings.total(of: context.user, at: timestamp)
            }
        }
        var generator = SystemRandomNumberGenerator()
        var job = NewJob(
            id: JobID(at: timestamp, using: &generator), user: context.user, kind: kind.name, input: input,
            bundle: bundle.hash,
            cost: kind.credits, deadline: max(timestamp, options.runAt ?? timestamp) + kind.deadline,
            startingCredits: plans.plan(of: context.user).startingCredits)
        job.queue = kind.queue
        if let within = options.within {
            // Nobody waits for it on an open connection.
            (job.within, job.queue) = (within, .background)
            job.deadline = max(timestamp, options.runAt ?? timestamp) + within
        }
        job.priority = options.priority
        job.runAt = options.runAt
        job.maxAttempts = kind.retries.attempts
        job.limits = kind.limits
        job.concurrencyKey = kind.concurrencyKey(of: input)
        job.uniqueKey = options.uniqueKey
        job.idempotency = options.idempotency
        job.requestID = context.requestID
        job.traceparent = context.header("traceparent").flatMap { TraceParent($0) }?.description
        job.source = source
        // Feeds show what is written already for nothing.
        if case .stored = source { job.cost = 0 }
        job.subject = await subject(of: input, kind: kind, in: bundle, titles: options.titles)
        if let key = options.sharedKey {
            let sharedJob = JobID(at: timestamp, using: &generator)
            job.source = .shared(SharedWork(id: sharedJob, key: key, input: input, deadline: job.deadline))
        }
        // Forecasts make no model call.
        if !kind.isForOperators, !ForecastInput.kinds.contains(name) { try await checkSpend(of: job) }
        try await beginMonth(of: job.user)
        var submitted = try await send(job, kind: kind)
        if submitted.isNew {
            room?.keep()
        } else if let key = options.idempotency?.key {
            // An equal job under another key is no replay.
            do {
                submitted.isReplay = try await records.job(ofIdempotencyKey: key, user: context.user) != nil
            } catch {
                throw APIError(error)
            }
        }
        return submitted
    }

    // MARK: Language

    /// Puts the language of the result into the input: the one that was asked for by its supported tag, else the
    /// reader's. Jobs in different languages are never taken for the same.
    private func setLanguage(
        _ input: inout JSON, _ options: inout Options, path: String, _ context: RequestContext
    ) async throws(APIError) {
        var asked: Language?
        if let tag = input["language"]?.string {
            asked = Language(tag: tag)
            if asked == nil { throw .unknownLanguage(path.isEmpty ? "language" : "\(path).language") }
        } else {
            asked = try await readers.language(context)
        }
        guard let language = asked else { return }
        input["language"] = JSON(language.rawValue)
        options.uniqueKey = options.uniqueKey.map { "\($0)/\(language.rawValue)" }
        options.sharedKey = options.sharedKey.map { "\($0)/\(language.rawValue)" }
    }

    // MARK: Subject

    /// What the job is about, by the kind's template. A title that cannot be read is left out.
    private func subject(
        of input: JSON, kind: JobKind, in bundle: Bundle, titles: [SubjectTemplate.Known: String]
    ) async -> String? {
        var titles = titles
        if kind.subject?.needs(.articleTitle) == true, titles[.articleTitle] == nil,
            let id = input[SubjectTemplate.Known.articleTitle.member]?.string
        {
            titles[.articleTitle] = try? await articles.find(id).title
        }
        return kind.subject(of: input, personas: bundle.personas, known: titles)
    }

    // MARK: Credits

    /// Grants a user the credits of the present month, before a job holds some.
    func beginMonth(of user: UserID) async throws(APIError) {
        do {
            try await months.begin(for: user)
        } catch {
            throw APIError(error)
        }
    }

    // MARK: Spend

    /// Refuses a job whose model calls cannot be paid today. A submit that an earlier job or a stored result answers,
    /// and one that joins shared work, costs nothing and passes.
    private func checkSpend(of job: NewJob) async throws(APIError) {
        let refusal: APIError?
        do throws(StoreError) {
            switch job.source {
            case .stored: return
            case .ownRun:
                refusal = try await gate.refusal(
                    of: .init(user: job.user, isFree: job.cost == 0, isShared: false, runAt: job.runAt))
            case .shared(let work):
                refusal = try await gate.refusal(of: .init(user: job.user, isFree: true, isShared: true))
                if refusal != nil, try await records.isUnfinished(uniqueKey: work.key, of: work.owner) { return }
            }
            guard refusal != nil else { return }
            if let key = job.idempotency?.key, try await records.job(ofIdempotencyKey: key, user: job.user) != nil {
                return
            }
            if let key = job.uniqueKey, try await records.isUnfinished(uniqueKey: key, of: job.user) { return }
        } catch {
            throw APIError(error)
        }
        if let refusal { throw refusal }
    }

    /// Refuses to start a failed or cancelled job again when its model calls cannot be paid today.
    func checkSpend(ofRetried job: Job) async throws(APIError) {
        guard let kind = bundle.value.kinds[job.kind], !kind.isForOperators, job.status.isFinished else { return }
        let work = SpendGate.Work(user: job.user, isFree: kind.credits == 0, isShared: false)
        let refusal: APIError?
        do {
            refusal = try await gate.refusal(of: work)
        } catch {
            throw APIError(error)
        }
        if let refusal { throw refusal }
    }

    private func send(_ job: NewJob, kind: JobKind) async throws(APIError) -> Submitted {
        let submission: Submission
        let start = ContinuousClock.now
        let parent = job.traceparent.flatMap { TraceParent($0) }
        do {
            submission = try await store.submit(job)
        } catch {
            throw APIError(error)
        }
        switch submission {
        case .accepted(let job):
            // The first span of the job's trace; workers add theirs.
            let own = TraceID(high: job.id.high, low: job.id.low)
            tracer.map { tracer in
                TraceScope(
                    tracer: tracer, trace: parent?.trace ?? own, span: own.root, isSampled: parent?.isSampled ?? true)
            }?
            .record("submit \(job.kind)", kind: .producer, took: .now - start)
            return Submitted(job: job, kind: kind, isNew: true)
        case .existing(let job): return Submitted(job: job, kind: kind, isNew: false)
        case .conflict:
            let first = try? await records.job(ofIdempotencyKey: job.idempotency?.key ?? "", user: job.user)
            throw .idempotencyConflict(first)
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
                code: violation.path == "ticker" || violation.path.hasPrefix("tickers[")
                    ? .invalidTicker : .validationFailed)
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
        return try ComparisonInput.checked(input, path: path, personas: bundle.personas.keys)
    }
}
