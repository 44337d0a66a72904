import DossierClient
import Foundation

// The examples of documentation comments and of `docs/client.md` about reads, requests and errors, word for word;
// compiled, not run.

private func reading(_ dossier: Dossier) async throws -> Any {
    let stock = try await dossier.read(.stock("AAPL"))
    let price = stock.quote?.price  // members of the value directly
    let old = stock.freshness >= .stale  // show a warning
    return [price as Any, old]
}

private func watching(_ dossier: Dossier) async throws {
    for try await watchlist in dossier.values(of: .watchlist) {
        show(watchlist.value, isOld: watchlist.freshness >= .stale)
    }
}

struct Quiz: Codable, Sendable { let topic: String }

extension Resource where Value == Quiz {
    static func quiz(_ id: String) -> Self { Resource(path: "/api/v1/quizzes/\(id)") }
}

private func storing(_ cachesFolder: URL, _ personas: [Persona]) async -> [Persona]? {
    let cache = ResponseCache(directory: cachesFolder)
    await cache.store(personas, for: .personas)
    let known = await cache.value(for: .personas)?.value
    return known
}

private func lifetimes() -> Freshness {
    let policy = FreshnessPolicy(lifetime: .seconds(60))
    let tier = policy.freshness(atAge: .seconds(90))  // warm
    return tier
}

private func newer(_ dossier: Dossier) async throws -> JSONValue {
    let kinds: JSONValue = try await dossier.send(.get, "/api/v1/kinds")
    return kinds
}

private func configured(_ server: URL) -> Dossier {
    var configuration = Dossier.Configuration()
    configuration.retryPolicy = .aggressive
    let dossier = Dossier(server: server, configuration: configuration)
    return dossier
}

private func budgeted(_ configuration: inout Dossier.Configuration) {
    configuration.retryBudget = RetryBudget(limit: 10, per: .seconds(60))
}

private func retrying() async throws -> Data {
    let data = try await withRetry(policy: .aggressive) { try await download() }
    return data
}

private struct Images {
    let images = RequestDeduplicator<URL, Data>()
    func image(at url: URL) async throws -> Data {
        try await images.value(for: url) { try await download(url) }
    }
}

private func signingIn(_ url: URL, _ file: URL, _ token: String) async throws -> Dossier {
    let session = TokenSession(server: url, storage: FileTokenStorage(file: file))
    try await session.signIn(supabaseToken: token)
    let dossier = Dossier(server: url, authentication: session)
    return dossier
}

private func failing(_ dossier: Dossier) async throws {
    do {
        try await dossier.addToWatchlist("AAPL")
    } catch let error as DossierError where error.code == .stockNotFound {
        show("There is no such stock.")
    }
}

private func presenting(_ error: any Error) {
    if let presentation = ErrorPresentation(error) {
        show(presentation.title, presentation.message, presentation.systemImage)
    }
}

struct Log: Middleware {
    func send(
        _ request: TransportRequest, next: @Sendable (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        let response = try await next(request)
        print(request.method.rawValue, request.url.path, response.status)
        return response
    }
}

private func learning(_ dossier: Dossier) async throws {
    let due = try await dossier.page(of: .dueCards())
    if let card = due.items.first {
        let grade = try await dossier.answer(card.id, with: "The central bank")
        show(grade.isRight, grade.answer, grade.sentence)
    }
}
