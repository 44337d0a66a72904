import HTTP
import HTTPServer
import Synchronization
import Testing

/// A router whose routes respond with their pattern and parameters.
private func router(_ routes: [(HTTPMethod, String)]) -> Router {
    var router = Router()
    for (method, pattern) in routes {
        router.on(method, pattern) { request in
            let captured = request.parameters.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
            return ServerResponse("\(method.rawValue) \(pattern)" + captured.joined())
        }
    }
    return router
}

private func text(_ response: ServerResponse) -> String {
    guard case .bytes(let bytes) = response.body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
}

@Suite struct RouterTests {
    private let routes = router([
        (.get, "/"), (.get, "/jobs"), (.post, "/jobs"), (.get, "/jobs/{id}"), (.get, "/jobs/{id}/result"),
        (.get, "/jobs/latest"), (.post, "/jobs/batch"), (.get, "/jobs/events/stream"), (.get, "/{any}/{thing}/other"),
        (.get, "/facts/CIK{cik}.json"), (.get, "/facts/{name}.json"), (.get, "/facts/{all}"),
        (.post, "/models/{model}:generateContent"), (.post, "/models/{model}:stream"), (.put, "/jobs/{job}"),
        (.head, "/jobs/latest"),
    ])

    @Test(arguments: [
        ("GET", "/", "GET /"), ("GET", "/jobs", "GET /jobs"), ("POST", "/jobs", "POST /jobs"),
        ("GET", "/jobs/7", "GET /jobs/{id} id=7"), ("GET", "/jobs/7/result", "GET /jobs/{id}/result id=7"),
        ("PUT", "/jobs/7", "PUT /jobs/{job} job=7"),
        // A literal wins, unless it leads nowhere.
        ("GET", "/jobs/latest", "GET /jobs/latest"),
        ("GET", "/jobs/events/result", "GET /jobs/{id}/result id=events"),
        ("GET", "/jobs/events/other", "GET /{any}/{thing}/other any=jobs thing=events"),
        // More literal text wins.
        ("GET", "/facts/CIK0001.json", "GET /facts/CIK{cik}.json cik=0001"),
        ("GET", "/facts/CIK.json", "GET /facts/{name}.json name=CIK"), ("GET", "/facts/x", "GET /facts/{all} all=x"),
        ("POST", "/models/gemini-2.5:generateContent", "POST /models/{model}:generateContent model=gemini-2.5"),
        ("HEAD", "/jobs/7", "GET /jobs/{id} id=7"), ("HEAD", "/jobs/latest", "HEAD /jobs/latest"),
        ("GET", "/jobs/é", "GET /jobs/{id} id=é"),
    ]) func aPathFindsItsRoute(method: String, path: String, expected: String) async {
        let response = await routes.handler(ServerRequest(HTTPMethod(rawValue: method), path))
        #expect(text(response) == expected)
    }

    @Test(arguments: [
        "/job", "/jobs/", "//", "/jobs//result", "/JOBS", "/jobs/7/result/", "/models/:stream", "/facts/",
    ])
    func anUnknownPathIsNotFound(path: String) async {
        #expect(await routes.handler(ServerRequest(.get, path)).status == 404)
    }

    @Test func anUnknownMethodGetsTheKnownOnes() async {
        let response = await routes.handler(ServerRequest(.delete, "/jobs/batch"))
        #expect(response.status == 405)
        #expect(response.headers["Allow"] == "POST")
    }

    @Test func aPathOfALiteralPatternIsNotOneOfItsSiblings() async {
        #expect(await routes.handler(ServerRequest(.get, "/jobs/batch")).status == 405)
        #expect(await routes.handler(ServerRequest(.put, "/jobs/latest")).status == 405)
    }

    @Test func notFoundAndMethodNotAllowedCanBeReplaced() async {
        var router = router([(.get, "/a")])
        router.notFound = { ServerResponse(status: 404, bytes: Array("no \($0.path)".utf8)) }
        router.methodNotAllowed = { _, allowed in
            ServerResponse(status: 405, headers: ["Allow": "mine"], bytes: Array("\(allowed.map(\.rawValue))".utf8))
        }
        #expect(text(await router.handler(ServerRequest(.get, "/b"))) == "no /b")
        let response = await router.handler(ServerRequest(.post, "/a"))
        #expect(text(response) == #"["GET", "HEAD"]"#)
        #expect(response.headers["Allow"] == "mine")
    }

    @Test func theObserverOfARouteReceivesItsResponses() async {
        let observed = Mutex<[String]>([])
        var router = router([(.get, "/jobs/{id}"), (.post, "/jobs")])
        router.observer = { route in
            { response, duration in
                observed.withLock { $0.append("\(route.method.rawValue) \(route.pattern) \(response.status)") }
                #expect(duration >= .zero)
            }
        }
        let handler = router.handler
        _ = await handler(ServerRequest(.get, "/jobs/7"))
        _ = await handler(ServerRequest(.post, "/jobs"))
        _ = await handler(ServerRequest(.get, "/none"))
        #expect(observed.withLock { $0 } == ["GET /jobs/{id} 200", "POST /jobs 200"])
    }

    @Test func routesAreListedAsDeclared() {
        var router = Router()
        router.get("/health") { _ in ServerResponse("") }
        router.group("/api/v1") { api in
            api.post("/jobs") { _ in ServerResponse("") }
            api.group("/jobs/{id}") { $0.get("/result") { _ in ServerResponse("") } }
        }
        #expect(
            router.routes == [
                Route(.get, "/health"), Route(.post, "/api/v1/jobs"), Route(.get, "/api/v1/jobs/{id}/result"),
            ])
    }

    @Test func aLastParameterCanTakeAllSegmentsThatAreLeft() async {
        var router = Router()
        router.get("/files/{path+}") { ServerResponse($0.parameters["path"] ?? "") }
        router.get("/files/{name}/size") { ServerResponse("size of \($0.parameters["name"] ?? "")") }
        let handler = router.handler
        #expect(text(await handler(ServerRequest(.get, "/files/a"))) == "a")
        #expect(text(await handler(ServerRequest(.get, "/files/a/b.md"))) == "a/b.md")
        #expect(text(await handler(ServerRequest(.get, "/files/a/b/c/"))) == "a/b/c/")
        #expect(text(await handler(ServerRequest(.get, "/files/a/size"))) == "size of a")
        #expect(await handler(ServerRequest(.get, "/files/")).status == 404)
        #expect(await handler(ServerRequest(.post, "/files/a/b")).status == 405)
        #expect(router.routes.first?.pattern == "/files/{path}")
    }

    @Test func anEncodedSlashDoesNotSeparateSegments() async throws {
        let routes = router([(.get, "/stocks/{ticker}"), (.get, "/stocks/{ticker}/{part}")])
        try await withServer(handler: routes.handler) { _, port in
            let encoded = try await ask(port, get("/stocks/BRK%2fB"))
            #expect(encoded.text == "GET /stocks/{ticker} ticker=BRK/B")
            let plain = try await ask(port, get("/stocks/BRK/B"))
            #expect(plain.text == "GET /stocks/{ticker}/{part} part=B ticker=BRK")
        }
    }

    @Test func mistakesInRoutesStopTheProgram() async {
        await #expect(processExitsWith: .failure) {
            var router = Router()
            router.get("jobs") { _ in ServerResponse("") }
        }
        await #expect(processExitsWith: .failure) {
            var router = Router()
            router.get("/{a}{b}") { _ in ServerResponse("") }
        }
        await #expect(processExitsWith: .failure) {
            var router = Router()
            router.get("/jobs/{a}") { _ in ServerResponse("") }
            router.get("/jobs/{b}") { _ in ServerResponse("") }
            _ = router.handler
        }
    }
}
