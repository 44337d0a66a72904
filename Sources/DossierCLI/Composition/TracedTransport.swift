import HTTP
import Observability

/// Names the span at work in each request to a provider, so that a gateway between adds its own to the trace.
struct TracedTransport: HTTPTransport {
    let transport: any HTTPTransport

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        try await transport.send(Self.traced(request))
    }

    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse {
        try await transport.stream(Self.traced(request))
    }

    private static func traced(_ request: HTTPRequest) -> HTTPRequest {
        guard let scope = TraceScope.current else { return request }
        var request = request
        request.headers["traceparent"] = scope.parent.description
        return request
    }
}
