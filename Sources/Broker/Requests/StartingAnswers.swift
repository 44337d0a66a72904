internal import Basics
package import HTTPServer
internal import JobQueue
internal import JSON

/// The answers of a broker whose database has been away since it started.
package struct StartingAnswers: Sendable {
    private let renderer = ResponseRenderer(now: { Timestamp(milliseconds: WallClock.milliseconds()) })
    private let ids = RequestIDs()

    package init() {}

    package var handler: RequestHandler { { request in answer(request) } }

    private func answer(_ request: ServerRequest) -> ServerResponse {
        let (id, format) = (ids.id(of: request), ResponseFormat(path: request.path))
        if request.path == "/health" {
            return renderer.success(APIResponse(["status": "ok"]), as: format, requestID: id)
        }
        return renderer.failure(.databaseUnavailable, as: format, requestID: id)
    }
}
