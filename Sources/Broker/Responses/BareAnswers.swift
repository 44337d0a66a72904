internal import Basics
package import HTTPServer
internal import JSON
internal import JobQueue
package import Observability

/// The answers of a process without routes: `/health`, and what it says at every other address.
package struct BareAnswers: Sendable {
    private let renderer = ResponseRenderer(now: { Timestamp(milliseconds: WallClock.milliseconds()) })
    private let ids = RequestIDs()
    private let other: @Sendable (_ path: String) throws(APIError) -> APIResponse

    private init(other: @escaping @Sendable (String) throws(APIError) -> APIResponse) { self.other = other }

    /// Those of a broker whose database has been away since it started.
    package static let starting = BareAnswers { _ throws(APIError) in throw .databaseUnavailable }

    /// Those of a process that shows its metrics and serves nobody else.
    package static func metrics(_ write: @escaping @Sendable (inout PrometheusText) -> Void) -> BareAnswers {
        BareAnswers { path throws(APIError) in
            guard path == "/metrics" else { throw .notFound("The address") }
            var text = PrometheusText()
            write(&text)
            return .text(text.text, type: PrometheusText.contentType)
        }
    }

    package var handler: RequestHandler { { request in answer(request) } }

    private func answer(_ request: ServerRequest) -> ServerResponse {
        let (id, format) = (ids.id(of: request), ResponseFormat(path: request.path))
        do {
            let answer = request.path == "/health" ? APIResponse(["status": "ok"]) : try other(request.path)
            return renderer.success(answer, as: format, requestID: id)
        } catch {
            return renderer.failure(error, as: format, requestID: id)
        }
    }
}
