internal import Basics
package import HTTPServer
internal import JSON
internal import JobQueue
package import Observability

/// The answers of a process that has metrics and serves nobody else.
package struct MetricsAnswers: Sendable {
    private let renderer = ResponseRenderer(now: { Timestamp(milliseconds: WallClock.milliseconds()) })
    private let ids = RequestIDs()
    private let write: @Sendable (inout PrometheusText) -> Void

    package init(write: @escaping @Sendable (inout PrometheusText) -> Void) { self.write = write }

    package var handler: RequestHandler { { request in answer(request) } }

    private func answer(_ request: ServerRequest) -> ServerResponse {
        let (id, format) = (ids.id(of: request), ResponseFormat(path: request.path))
        switch request.path {
        case "/metrics":
            var text = PrometheusText()
            write(&text)
            let answer = APIResponse.text(text.text, type: PrometheusText.contentType)
            return renderer.success(answer, as: format, requestID: id)
        case "/health": return renderer.success(APIResponse(["status": "ok"]), as: format, requestID: id)
        default: return renderer.failure(.notFound("The address"), as: format, requestID: id)
        }
    }
}
