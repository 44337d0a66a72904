import DossierClient
import Foundation
import HTTP

/// Carries the requests of the client library over libcurl, as everything else of the command line.
struct CurlTransport: Transport {
    let client: HTTPClient

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        do {
            let response = try await client.send(message(request))
            return TransportResponse(
                status: response.status, headers: headers(response.headers), body: Data(response.body))
        } catch {
            throw try failure(error)
        }
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream {
        do {
            let response = try await client.stream(message(request))
            return TransportStream(
                status: response.status, headers: headers(response.headers), body: response.body.map { Data($0) })
        } catch {
            throw try failure(error)
        }
    }

    private func message(_ request: TransportRequest) -> HTTPRequest {
        var message = HTTPRequest(
            HTTPMethod(rawValue: request.method.rawValue), request.url.absoluteString,
            headers: HTTPHeaders(request.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }),
            body: request.body.map(Array.init) ?? [])
        message.limits.idle = request.timeout
        // A stream lasts as long as its job; calls have a deadline of the library's.
        message.limits.total = .seconds(24 * 3600)
        // Sent once: whether a request may be repeated is for the library to say.
        message.isOnNewConnection = request.method != .get
        return message
    }

    private func headers(_ headers: HTTPHeaders) -> [String: String] {
        Dictionary(headers.fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    private func failure(_ error: HTTPClientError) throws -> DossierError {
        try Task.checkCancellation()
        let code: DossierError.Code =
            switch error {
            case .timedOut: .timedOut
            case .connectionLost, .bodyTooLarge, .tooManyRedirects, .cancelled: .connectionLost
            default: .cannotConnect
            }
        return DossierError(code, message: error.description)
    }
}

/// A user by name, for a broker in development, or by a token.
struct CommandAuthentication: Authentication {
    let user: String?
    let token: String?

    func account() async -> String { user ?? "1" }

    func authorize(_ request: inout TransportRequest) async throws {
        request.headers["X-User-ID"] = user
        request.headers["Authorization"] = token.map { "Bearer \($0)" }
    }

    func renew(after error: DossierError, rejected request: TransportRequest) async throws -> Bool { false }
}
