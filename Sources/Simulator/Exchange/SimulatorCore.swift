internal import Basics
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import JSON

/// Handles a request from its arrival to its last byte: records, answers and delivers it.
final class SimulatorCore: Sendable {
    let faults: FaultPlan
    let log: CallLog
    let books: CallMeter.Books
    let pacing: PacingSource
    let batches: BatchBook
    private let router: ServiceRouter
    private let configuration: SimulatorConfiguration

    init(_ configuration: SimulatorConfiguration) {
        self.configuration = configuration
        let now = configuration.now
        faults = FaultPlan(configuration.faults)
        log = CallLog(capacity: configuration.keptRequests, now: now)
        books = CallMeter.Books(
            log: log, bill: Bill(),
            limits: LimitBook(configuration.limits, isStrict: configuration.isStrict, now: now), cache: PromptCache(),
            now: now)
        pacing = PacingSource(configuration.pacing, latency: configuration.latency)
        let accepted = configuration.home.map(AcceptedAnswers.init) ?? .none
        batches = BatchBook(configuration.batches, books: books, accepted: accepted)
        router = ServiceRouter(
            sec: SECService(),
            openAI: OpenAIService(models: configuration.openAIModels, created: now() / 1_000), books: books,
            batches: batches,
            pacing: configuration.pacing, accepted: accepted)
    }

    func handle(_ request: ServerRequest) async -> ServerResponse {
        if request.path == "/" || request.path.hasPrefix("/simulator") {
            return ControlRoutes(books: books, batches: batches, faults: faults, pacing: pacing, clear: clear).answer(
                request)
        }
        guard let destination = Destination(request) else {
            return ControlRoutes.error(404, "no simulated service has the path \(request.path)")
        }
        let body = request.body.isEmpty ? nil : try? JSON(parsing: request.body)
        let digest = body.map { SHA256.hex($0.canonical) } ?? SHA256.hex(request.body)
        let sequence = log.start(record(of: request, destination, body: body, digest: digest))
        let context = AnswerContext(
            requestID: "req_sim_" + String(sequence), sequence: sequence, milliseconds: configuration.now())
        let own: FaultAction?
        do throws(FaultSyntaxError) {
            own = try request.headers["x-simulate"].map(FaultAction.init(parsing:))
        } catch {
            log.finish(sequence, .answered(status: 400))
            return ControlRoutes.error(400, "x-simulate: \(error.description)")
        }
        let served = router.answer(
            ServiceRequest(
                request: request, path: destination.path, body: body, context: context),
            for: destination.service
        ) { model in
            own
                ?? faults.next(
                    for: FaultTarget(
                        service: destination.service, model: model, path: destination.path, body: request.body),
                    at: context.milliseconds)
        }
        log.update(sequence) { $0.fault = served.fault?.name }
        return await deliver(served, sequence)
    }

    // MARK: Recording

    private static let secrets: Set<String> = [
        "authorization", "x-api-key", "x-goog-api-key", "api-key", "cookie", "proxy-authorization",
    ]

    private func record(
        of request: ServerRequest, _ destination: Destination, body: JSON?, digest: String
    ) -> RecordedCall {
        var model = body?["model"]?.string
        if destination.service == .gemini, let name = destination.path.split(separator: "/").dropFirst(2).first {
            model = String(name.prefix { $0 != ":" })
        }
        let query = request.query.map { pair in
            let isSecret = pair.name.lowercased().hasSuffix("key")
            return isSecret ? "\(pair.name)=***" : pair.value.isEmpty ? pair.name : "\(pair.name)=\(pair.value)"
        }.joined(separator: "&")
        return RecordedCall(
            sequence: 0, service: destination.service, model: model, method: request.method.rawValue,
            path: request.path + (query.isEmpty ? "" : "?" + query),
            headerFields: request.headers.fields.map { name, value in
                RecordedCall.HeaderField(name: name, value: Self.secrets.contains(name.lowercased()) ? "***" : value)
            },
            body: body, bodyHash: request.body.isEmpty ? nil : digest, fault: nil, outcome: .underWay, startedAt: 0,
            finishedAt: nil)
    }

    // MARK: Delivery

    private func deliver(_ served: ServiceRouter.Served, _ sequence: Int) async -> ServerResponse {
        let answer = served.answer
        let meter = served.meter
        var headers = answer.headers
        headers["x-simulated"] = "true"
        if case .stall = served.fault {
            await DeliverySequence.Iterator.untilCancelled()
            finish(sequence, meter, isWhole: false, status: 0)
            return ServerResponse(status: 503)
        }
        // An error is not generated, so it does not wait for tokens.
        let delivery = Delivery(
            answer, pacing: answer.status == 200 ? pacing.next(isModel: meter != nil) : Pacing(),
            fault: served.fault)
        if let bytes = delivery.immediate {
            meter?.begin()
            finish(sequence, meter, isWhole: true, status: answer.status)
            return ServerResponse(status: answer.status, headers: headers, bytes: bytes)
        }
        var steps = delivery.steps
        // The time to the first byte includes the head, so the head waits for the first pause, too.
        if case .wait(let pause) = steps.first {
            steps.removeFirst()
            try? await configuration.sleep(pause)
        }
        if !Task.isCancelled { meter?.begin() }
        if case .whole(let bytes) = answer.body, !delivery.breaksOff, steps.count <= 2, case .send? = steps.last {
            for case .wait(let pause) in steps { try? await configuration.sleep(pause) }
            finish(sequence, meter, isWhole: !Task.isCancelled, status: answer.status)
            return ServerResponse(status: answer.status, headers: headers, bytes: bytes)
        }
        let status = answer.status
        let sequenceOfBytes = DeliverySequence(
            steps: steps, sleep: configuration.sleep, onTokens: { meter?.wrote($0) }
        ) { [self] isWhole in
            // A lost answer was generated whole.
            if case .lostAnswer = served.fault { meter?.end(isWhole: true) }
            finish(sequence, meter, isWhole: isWhole, status: status)
        }
        var response = ServerResponse(status: status, headers: headers, body: .stream { sequenceOfBytes })
        response.abortsConnection = delivery.breaksOff
        return response
    }

    private func finish(_ sequence: Int, _ meter: CallMeter?, isWhole: Bool, status: Int) {
        meter?.end(isWhole: isWhole)
        log.finish(sequence, isWhole ? .answered(status: status) : .brokenOff(status: status))
    }

    /// Forgets requests, bills, batches, cached prefixes and the use of limits.
    @Sendable func clear() {
        log.clear()
        books.cache.clear()
        batches.clear()
        books.bill.clear()
        books.limits.clear()
    }
}
