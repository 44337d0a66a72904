internal import HTTP
internal import HTTPServer
internal import JSON

/// The routes by which tests and people control the simulator over HTTP.
///
/// - `GET /simulator/requests` lists the requests, `DELETE` forgets them.
/// - `GET /simulator/faults` lists the rules, `POST` adds a list of them, `DELETE` removes all.
struct ControlRoutes {
    let log: CallLog
    let faults: FaultPlan
    let cache: PromptCache

    func answer(_ request: ServerRequest) -> ServerResponse {
        switch (request.method, request.path) {
        case (.get, "/"), (.get, "/simulator"): return Self.json(Self.about)
        case (.get, "/simulator/requests"): return Self.json(requests(request))
        case (.delete, "/simulator/requests"):
            log.clear()
            cache.clear()
            return ServerResponse(status: 204)
        case (.get, "/simulator/faults"): return Self.json(rules)
        case (.post, "/simulator/faults"): return add(request)
        case (.delete, "/simulator/faults"):
            faults.clear()
            return ServerResponse(status: 204)
        default: return Self.error(404, "\(request.method.rawValue) \(request.path) is not there")
        }
    }

    static func error(_ status: Int, _ message: String) -> ServerResponse {
        json(["error": JSON(message)], status: status)
    }

    private static func json(_ body: JSON, status: Int = 200) -> ServerResponse {
        ServerResponse(status: status, headers: ["content-type": "application/json"], bytes: body.utf8)
    }

    private static let about: JSON = [
        "name": "Dossier simulator",
        "says":
            "All prose, news and videos from here are simulated; figures of companies are real, as reported to the SEC.",
        "base_paths": [
            "claude": ["/", "/anthropic"], "gemini": ["/", "/gemini"], "openai": ["/", "/openai"],
            "sec": ["/", "/sec"], "newsapi": ["/newsapi/v2"], "fmp": ["/fmp/stable"], "youtube": ["/youtube"],
            "web": ["/web"],
        ],
        "companies": .array(CompanyFile.all.map { ["ticker": JSON($0.ticker), "name": JSON($0.name)] }),
        "control": ["/simulator/requests", "/simulator/faults"],
    ]

    private func requests(_ request: ServerRequest) -> JSON {
        let service = request.query("service").flatMap(SimulatedService.init)
        let calls = log.calls.filter { service == nil || $0.service == service }
        return ["count": JSON(log.count(of: service)), "requests": .array(calls.map(\.json))]
    }

    private var rules: JSON {
        .array(
            faults.rules().map { rule, applied in
                [
                    "action": JSON(rule.action.name), "service": JSON(rule.service?.rawValue),
                    "model": JSON(rule.model), "path": JSON(rule.path), "contains": JSON(rule.contains),
                    "skip": JSON(rule.skip), "times": JSON(rule.times), "rate": JSON(rule.rate),
                    "seed": JSON(Int64(bitPattern: rule.seed)), "applied": JSON(applied),
                ]
            })
    }

    /// Takes one rule or a list of them; none is added when one is wrong.
    private func add(_ request: ServerRequest) -> ServerResponse {
        let body: JSON
        do {
            body = try JSON(parsing: request.body)
        } catch {
            return Self.error(400, "the body is no JSON: \(error)")
        }
        do throws(FaultSyntaxError) {
            var added: [FaultRule] = []
            for fields in body.array ?? [body] { added.append(try FaultRule(fields)) }
            faults.add(added)
        } catch {
            return Self.error(400, error.description)
        }
        return Self.json(rules, status: 201)
    }
}
