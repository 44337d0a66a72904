internal import HTTP
internal import HTTPServer

/// Serves the console, a page for browsers, below `/console`. It holds no data: its modules read the API.
///
/// The console stands before the router, since its addresses are screens and files and no operations of the API.
struct ConsoleRoutes: Sendable {
    private static let prefix = "/console/"

    let isOn: Bool
    let pipeline: RequestPipeline
    let session: ConsoleSession
    var files: ConsoleFiles { .shared }

    // MARK: Around the router

    /// A handler that answers for the console, and passes other requests on with the sign-in of its cookie.
    ///
    /// - Parameters:
    ///   - handler: The API.
    ///   - servesOperators: Whether the API has the operators' addresses.
    /// - Returns: The handler of both.
    func serving(_ handler: @escaping RequestHandler, servesOperators: Bool) -> RequestHandler {
        guard isOn else { return handler }
        return { request in
            if Self.isConsole(request.path) {
                var response = await respond(to: request, servesOperators: servesOperators)
                for (name, value) in Self.headers { response.headers[name] = value }
                return response
            }
            if request.path == "/", Self.isRead(request.method), Self.wantsPage(request) {
                return ServerResponse(status: 302, headers: ["Location": Self.prefix, "Cache-Control": "no-store"])
            }
            return await handler(session.signedIn(request))
        }
    }

    /// The decisions about bodies, with the sign-in of the console's cookie.
    func serving(_ check: @escaping HeadCheck) -> HeadCheck {
        guard isOn else { return check }
        return { request in
            Self.isConsole(request.path) ? pipeline.checkSignInHead(request) : check(session.signedIn(request))
        }
    }

    static func isConsole(_ path: String) -> Bool { path == "/console" || path.hasPrefix(prefix) }

    private static func isRead(_ method: HTTPMethod) -> Bool { method == .get || method == .head }

    private static func wantsPage(_ request: ServerRequest) -> Bool {
        request.headers.values(of: "Accept").contains { $0.lowercased().contains("text/html") }
    }

    // MARK: Answers

    private func respond(to request: ServerRequest, servesOperators: Bool) async -> ServerResponse {
        if request.path == "/console/session" { return await session.respond(to: request, servesOperators) }
        do throws(APIError) {
            try pipeline.origin.checkPage(request)
            guard Self.isRead(request.method) else { throw .methodNotAllowed(["GET", "HEAD"]) }
            if request.path == "/console" {
                return ServerResponse(status: 302, headers: ["Location": Self.prefix, "Cache-Control": "no-cache"])
            }
            let parts = request.path.dropFirst(Self.prefix.count).split(
                separator: "/", omittingEmptySubsequences: false)
            if parts.first == "assets" {
                guard parts.count > 2,
                    let file = files.asset(parts[2...].joined(separator: "/"), hash: String(parts[1]))
                else { throw .notFound("This file of the console") }
                return Self.response(file, to: request, ["Cache-Control": "public, max-age=31536000, immutable"])
            }
            guard parts.last?.utf8.contains(UInt8(ascii: ".")) == false else { throw .notFound("This address") }
            let tag = "\"\(files.hash)\""
            let headers: HTTPHeaders = ["Cache-Control": "no-cache", "ETag": tag]
            if request.knows(tag) { return ServerResponse(status: 304, headers: headers) }
            return Self.response(files.page, to: request, headers)
        } catch {
            var response = pipeline.refuse(request, error)
            if error.status == 405 { response.headers["Allow"] = "GET, HEAD" }
            return response
        }
    }

    private static func response(
        _ file: ConsoleFiles.File, to request: ServerRequest, _ headers: HTTPHeaders
    ) -> ServerResponse {
        var headers = headers
        headers["Content-Type"] = file.type
        headers["Vary"] = "Accept-Encoding"
        guard GzipEncoding.isAccepted(by: request.headers.values(of: "Accept-Encoding")),
            let compressed = file.compressed
        else {
            return ServerResponse(status: 200, headers: headers, bytes: file.bytes)
        }
        headers["Content-Encoding"] = "gzip"
        return ServerResponse(status: 200, headers: headers, bytes: compressed)
    }

    // MARK: Headers

    /// Of every answer below `/console`. Pages load and run what this service serves, and nothing else; a worker's script
    /// needs the policy on its own answer, too.
    private static let headers = [
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
                + "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
                + "require-trusted-types-for 'script'; trusted-types dossier-worker"
        ),
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
    ]
}
