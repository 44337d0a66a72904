internal import HTTP
internal import HTTPServer
internal import JSON

/// The routes by which tests and people control the simulator over HTTP.
///
/// - `GET /simulator/requests` lists the requests. `DELETE` forgets them, cached prefixes, batches, the bill and the
///   use of limits.
/// - `GET /simulator/faults` lists the rules, `POST` adds a list of them, `DELETE` removes all.
/// - `GET /simulator/limits` has the limits and their use (`?from=&until=` in milliseconds since 1970), `POST` sets
///   them, `DELETE` fills every bucket and forgets the use.
/// - `GET /simulator/bill` has sums and, with `?lines=true`, every line; `POST` takes prices by model for it.
/// - `GET /simulator/batches` has the settings of batches and lists them, `POST` sets the settings for new ones.
/// - `GET /simulator/latency` has the distribution, `POST` sets it, `DELETE` removes it.
struct ControlRoutes {
    let books: CallMeter.Books
    let batches: BatchBook
    let faults: FaultPlan
    let pacing: PacingSource
    let clear: @Sendable () -> Void

    func answer(_ request: ServerRequest) -> ServerResponse {
        switch (request.method, request.path) {
        case (.get, "/"), (.get, "/simulator"): return Self.json(Self.about)
        case (.get, "/simulator/requests"): return Self.json(requests(request))
        case (.delete, "/simulator/requests"):
            clear()
            return ServerResponse(status: 204)
        case (.get, "/simulator/faults"): return Self.json(rules)
        case (.post, "/simulator/faults"): return add(request)
        case (.delete, "/simulator/faults"):
            faults.clear()
            return ServerResponse(status: 204)
        case (.get, "/simulator/limits"): return Self.json(limits(request))
        case (.post, "/simulator/limits"): return setLimits(request)
        case (.delete, "/simulator/limits"):
            books.limits.clear()
            return ServerResponse(status: 204)
        case (.get, "/simulator/bill"), (.post, "/simulator/bill"): return bill(request)
        case (.get, "/simulator/batches"): return Self.json(batchList)
        case (.post, "/simulator/batches"): return setBatches(request)
        case (.get, "/simulator/latency"): return Self.json(pacing.latency?.json ?? .null)
        case (.post, "/simulator/latency"): return setLatency(request)
        case (.delete, "/simulator/latency"):
            pacing.latency = nil
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
        "control": [
            "/simulator/requests", "/simulator/faults", "/simulator/limits", "/simulator/bill", "/simulator/latency",
            "/simulator/batches",
        ],
    ]

    private func requests(_ request: ServerRequest) -> JSON {
        let service = request.query("service").flatMap(SimulatedService.init)
        let calls = books.log.calls.filter { service == nil || $0.service == service }
        return ["count": JSON(books.log.count(of: service)), "requests": .array(calls.map(\.json))]
    }

    private var rules: JSON {
        .array(
            faults.rules().map { rule, applied in
                [
                    "action": JSON(rule.action.name), "service": JSON(rule.service?.rawValue),
                    "model": JSON(rule.model), "path": JSON(rule.path), "contains": JSON(rule.contains),
                    "skip": JSON(rule.skip), "times": JSON(rule.times), "rate": JSON(rule.rate),
                    "seed": JSON(Int64(bitPattern: rule.seed)),
                    "lasts": JSON(rule.lasts.map { Double($0.milliseconds) / 1_000 }), "applied": JSON(applied),
                ]
            })
    }

    /// Takes one rule, a list of them, or rates as the flag has them; none is added when one is wrong.
    private func add(_ request: ServerRequest) -> ServerResponse {
        guard let body = try? JSON(parsing: request.body) else { return Self.error(400, "the body is no JSON") }
        do throws(FaultSyntaxError) {
            var added: [FaultRule] = []
            if let rates = body.string {
                added = try FaultRule.rates(rates)
            } else {
                for fields in body.array ?? [body] { added.append(try FaultRule(fields)) }
            }
            faults.add(added)
        } catch {
            return Self.error(400, error.description)
        }
        return Self.json(rules, status: 201)
    }

    // MARK: Limits, bill and latency

    private func limits(_ request: ServerRequest) -> JSON {
        books.limits.json(
            from: request.query("from").flatMap { Int64($0) }, until: request.query("until").flatMap { Int64($0) })
    }

    /// Takes limits as the option of `dossier simulate` has them, in a JSON text, or as a list of objects.
    private func setLimits(_ request: ServerRequest) -> ServerResponse {
        guard let body = try? JSON(parsing: request.body) else { return Self.error(400, "the body is no JSON") }
        do throws(SettingSyntaxError) {
            var rules: [ModelLimit] = []
            if let text = body.string {
                rules = try ModelLimit.list(text)
            } else {
                for fields in body.array ?? [body] { rules.append(try ModelLimit(fields)) }
            }
            books.limits.set(rules)
        } catch {
            return Self.error(400, error.description)
        }
        return Self.json(limits(request), status: 201)
    }

    private var batchList: JSON {
        ["settings": batches.settings.json, "batches": .array(batches.batches(of: nil).map(\.json))]
    }

    private func setBatches(_ request: ServerRequest) -> ServerResponse {
        guard let body = try? JSON(parsing: request.body) else { return Self.error(400, "the body is no JSON") }
        do throws(SettingSyntaxError) {
            if let text = body.string {
                batches.settings = try BatchSettings(parsing: text)
            } else {
                batches.settings = try BatchSettings(body)
            }
        } catch {
            return Self.error(400, error.description)
        }
        return Self.json(batchList, status: 201)
    }

    private func bill(_ request: ServerRequest) -> ServerResponse {
        // Bills the lines of batches that are due.
        _ = batches.batches(of: nil)
        var prices: [String: BillPrice] = [:]
        if request.method == .post {
            guard let body = (try? JSON(parsing: request.body))?.object else {
                return Self.error(400, "the body must be an object of prices by model")
            }
            do throws(SettingSyntaxError) {
                for (model, fields) in body { prices[model] = try BillPrice(fields) }
            } catch {
                return Self.error(400, error.description)
            }
        }
        return Self.json(Bill.json(books.bill.lines, prices: prices, listing: request.query("lines") == "true"))
    }

    private func setLatency(_ request: ServerRequest) -> ServerResponse {
        guard let body = try? JSON(parsing: request.body) else { return Self.error(400, "the body is no JSON") }
        do throws(SettingSyntaxError) {
            if let text = body.string {
                pacing.latency = try Latency(parsing: text)
            } else {
                pacing.latency = try Latency(body)
            }
        } catch {
            return Self.error(400, error.description)
        }
        return Self.json(pacing.latency?.json ?? .null, status: 201)
    }
}
