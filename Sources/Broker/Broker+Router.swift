internal import HTTP
package import HTTPServer
internal import Observability

extension Broker {
    /// Answers one request.
    package var handler: RequestHandler { router.handler }

    /// Every address that is served.
    package var router: Router {
        var router = Router()
        router.get("/health") { [self] request in
            await pipeline.open(request) { () throws(APIError) in health.health }
        }
        router.get("/ready") { [self] request in
            await pipeline.open(request) { () throws(APIError) in try await health.ready() }
        }
        router.get("/metrics") { [self] request in
            await pipeline.openText(request, PrometheusText.contentType) { await operations.metrics() }
        }
        router.get("/openapi.json") { [self] request in
            await pipeline.openText(request, "application/json; charset=utf-8") {
                operations.document { self.router.routes }
            }
        }
        router.group("/api/v1") { api in
            api.post("/auth/token") { [self] request in
                await pipeline.open(request) { () throws(APIError) in try tokens.exchange(request) }
            }
            api.post("/auth/refresh") { [self] request in
                await pipeline.open(request) { () throws(APIError) in try tokens.refresh(request) }
            }
            api.post("/jobs") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await jobs.submit(call) }
            }
            api.get("/jobs") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await jobs.list(call) }
            }
            api.get("/jobs/{id}") { [self] in await poll($0) }
            api.get("/jobs/{id}/result") { [self] in
                await pipeline.answer($0, .jobReads) { call throws(APIError) in try await jobs.result(call) }
            }
            api.get("/jobs/{id}/events") { [self] in
                await pipeline.respond($0, .jobReads) { call throws(APIError) in try await events.one(call) }
            }
            api.get("/events") { [self] in
                await pipeline.respond($0, .jobReads) { call throws(APIError) in try await events.many(call) }
            }
            api.post("/jobs/{id}/cancel") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await jobs.cancel(call) }
            }
            api.post("/jobs/{id}/retry") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await jobs.retry(call) }
            }
            api.post("/research/generate") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await research.generate(call) }
            }
            api.get("/research/reports") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await research.list(call) }
            }
            api.get("/research/reports/{id}") { [self] in
                await pipeline.answer($0, .jobReads) { call throws(APIError) in try await research.report(call) }
            }
            api.get("/research/reports/{id}/status") { [self] in
                await pipeline.answer($0, .jobReads) { call throws(APIError) in try await research.status(call) }
            }
            api.get("/personas") { [self] in await pipeline.answer($0) { call in research.personas(call) } }
            api.get("/news/top-headlines") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await articles.topHeadlines(call) }
            }
            api.get("/news/search") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await articles.find(call) }
            }
            api.get("/news/availability") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await articles.availability(call) }
            }
            api.get("/news/articles/{id}") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await articles.article(call) }
            }
            api.post("/news/articles/{id}/summary") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await summaries.summary(call) }
            }
            api.post("/news/articles/{id}/chat") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await talks.chat(call) }
            }
            api.post("/education/chat") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await talks.education(call) }
            }
            api.get("/conversations") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await conversations.list(call) }
            }
            api.get("/conversations/{id}") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await conversations.one(call) }
            }
            api.get("/credits") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await account.credits(call) }
            }
            api.get("/stocks/search") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await stocks.search(call) }
            }
            api.get("/stocks/{ticker}") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await stocks.stock(call) }
            }
            api.get("/stocks/{ticker}/fundamentals") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await stocks.fundamentals(call) }
            }
            api.get("/watchlist") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await watchlist.list(call) }
            }
            api.put("/watchlist/{ticker}") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await watchlist.put(call) }
            }
            api.delete("/watchlist/{ticker}") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await watchlist.delete(call) }
            }
            api.get("/users/me") { [self] in
                await pipeline.answer($0) { call throws(APIError) in try await account.me(call) }
            }
        }
        router.post("/api/analyze") { [self] in
            await pipeline.answerPlainly($0) { call throws(APIError) in try await analyze.analyze(call) }
        }
        router.post("/v1/interpret") { [self] in
            await pipeline.answerPlainly($0) { call throws(APIError) in try await news.interpret(call) }
        }
        router.get("/v1/feed") { [self] in
            await pipeline.answerPlainly($0) { call throws(APIError) in try await feeds.general(call) }
        }
        router.get("/v1/personalized-feed") { [self] in
            await pipeline.answerPlainly($0) { call throws(APIError) in try await feeds.personalized(call) }
        }
        router.get("/v1/feed/story-groups") { [self] in
            await pipeline.answerPlainly($0) { call throws(APIError) in try await feeds.storyGroups(call) }
        }
        router.get("/v1/brief/latest") { [self] in
            await pipeline.answerPlainly($0) { call throws(APIError) in try await feeds.latestBrief(call) }
        }
        router.get("/v1/preferences") { [self] in
            await pipeline.answerPlainly($0) { call throws(APIError) in try await preferences.get(call) }
        }
        router.put("/v1/preferences") { [self] in
            await pipeline.answerPlainly($0) { call throws(APIError) in try await preferences.put(call) }
        }
        router.notFound = { [self] request in pipeline.refuse(request, .notFound("This address")) }
        router.methodNotAllowed = { [self] request, allowed in
            pipeline.refuse(request, .methodNotAllowed(allowed.map(\.rawValue)))
        }
        router.observer = { [operations] route in operations.requests.observer(of: route) }
        return router
    }

    /// What the server refuses before any route is asked, in the shape of the address.
    package func errorResponse(_ error: ServerError, at path: String?) -> ServerResponse {
        pipeline.errorResponse(error, at: path)
    }

    private func poll(_ request: ServerRequest) async -> ServerResponse {
        await pipeline.respond(request, .jobReads) { call throws(APIError) in
            switch try await jobs.read(call) {
            case .job(let reply): pipeline.envelopes.success(reply, requestID: call.requestID)
            case .notModified(let headers): pipeline.envelopes.empty(304, headers: headers, requestID: call.requestID)
            }
        }
    }
}
