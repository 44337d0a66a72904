internal import Basics
internal import FoundationEssentials
internal import HTTP
internal import HTTPServer
internal import JSON

/// Handles a request from its arrival to its last byte: records, answers and delivers it.
final class SimulatorCore: Sendable {
    let faults: FaultPlan
    let log: CallLog
    private let cache = PromptCache()
    private let router: ServiceRouter
    private let configuration: SimulatorConfiguration

    init(_ configuration: SimulatorConfiguration) {
        self.configuration = configuration
        let now = configuration.now
        faults = FaultPlan(configuration.faults)
        log = CallLog(capacity: configuration.keptRequests, now: now)
        router = ServiceRouter(
            sec: SECService(),
            openAI: OpenAIService(models: configuration.openAIModels, created: now() / 1_000), cache: cache,
            pacing: configuration.pacing, accepted: configuration.home.map(AcceptedAnswers.init) ?? .none)
    }

    func handle(_ request: ServerRequest) async -> ServerResponse {
        if request.path == "/" || request.path.hasPrefix("/simulator") {
            return ControlRoutes(log: log, faults: faults, cache: cache).answer(request)
        }
        guard let destination = Destination(request) else {
            return ControlRoutes.error(404, "no simulated service has the path \(request.path)")
        }
        let body = request.body.isEmpty ? nil : try? JSON(parsing: request.body)
        let digest = body.map { SHA256.hex($0.canonical) } ?? SHA256.hex(request.body)
        let sequence = log.start(record(of: request, destination, body: body, digest: digest))
        let context = AnswerContext(
            requestID: "req_sim_" + String(sequence), now: configuration.now() / 1_000)
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
                        service: destination.service, model: model, path: destination.path, body: request.body))
        }
        log.update(sequence) { call in
            call.fault = served.fault?.name
            call.billed = served.billed.map { RecordedCall.Billed(input: $0.input, output: 0) }
        }
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
        var headers = answer.headers
        headers["x-simulated"] = "true"
        if case .stall = served.fault {
            await DeliverySequence.Iterator.untilCancelled()
            log.finish(sequence, .brokenOff(status: 0))
            return ServerResponse(status: 503)
        }
        // An error is not generated, so it does not wait for tokens.
        let delivery = Delivery(
            answer, pacing: answer.status == 200 ? configuration.pacing : Pacing(), fault: served.fault)
        if let bytes = delivery.immediate {
            log.update(sequence) { $0.billed = served.billed }
            log.finish(sequence, .answered(status: answer.status))
            return ServerResponse(status: answer.status, headers: headers, bytes: bytes)
        }
        var steps = delivery.steps
        // The time to the first byte includes the head, so the head waits for the first pause, too.
        if case .wait(let pause) = steps.first {
            steps.removeFirst()
            try? await configuration.sleep(pause)
        }
        if case .whole(let bytes) = answer.body, !delivery.breaksOff, steps.count <= 2, case .send? = steps.last {
            for case .wait(let pause) in steps { try? await configuration.sleep(pause) }
            if !Task.isCancelled { log.update(sequence) { $0.billed = served.billed } }
            log.finish(
                sequence, Task.isCancelled ? .brokenOff(status: answer.status) : .answered(status: answer.status))
            return ServerResponse(status: answer.status, headers: headers, bytes: bytes)
        }
        let status = answer.status
        let sequenceOfBytes = DeliverySequence(
            steps: steps, sleep: configuration.sleep,
            onTokens: { [log] tokens in log.update(sequence) { $0.billed?.output += tokens } }
        ) { [log] isWhole in
            if isWhole { log.update(sequence) { $0.billed = served.billed } }
            log.finish(sequence, isWhole ? .answered(status: status) : .brokenOff(status: status))
        }
        var response = ServerResponse(status: status, headers: headers, body: .stream { sequenceOfBytes })
        response.abortsConnection = delivery.breaksOff
        return response
    }

    func clear() {
        log.clear()
        cache.clear()
    }
}
