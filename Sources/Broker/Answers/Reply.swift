internal import DossierAPI
internal import HTTP
internal import HTTPServer
internal import JSON
internal import Observability

/// What a route answers, before it is put into the envelope.
struct Reply: Sendable {
    var status = 200
    var headers: [(String, String)] = []
    var data: JSON
    var pagination: JSON?
    /// Whether no data source had to be asked; `nil` where that is no question.
    var cacheHit: Bool?

    init(
        _ data: JSON, status: Int = 200, headers: [(String, String)] = [], pagination: JSON? = nil,
        cacheHit: Bool? = nil
    ) {
        self.data = data
        self.status = status
        self.headers = headers
        self.pagination = pagination
        self.cacheHit = cacheHit
    }
}

/// Puts replies and errors into the envelope of the native API.
struct Envelopes: Sendable {
    static let apiVersion = "1.0"

    let now: @Sendable () -> Int64

    func success(_ reply: Reply, requestID: String) -> ServerResponse {
        var body: JSONObject = ["success": true, "data": reply.data]
        if let pagination = reply.pagination { body["pagination"] = pagination }
        body["meta"] = meta(requestID, cacheHit: reply.cacheHit)
        return response(reply.status, .object(body), headers: reply.headers, requestID: requestID)
    }

    /// A reply as a document prints it, without an envelope.
    func plain(_ reply: Reply, requestID: String) -> ServerResponse {
        response(reply.status, reply.data, headers: reply.headers, requestID: requestID)
    }

    func failure(_ error: APIError, as shape: ErrorShape = .envelope, requestID: String) -> ServerResponse {
        var headers = error.headers
        if let retryAfter = error.retryAfter { headers.append(("Retry-After", String(retryAfter))) }
        let enveloped: JSON = ["success": false, "error": error.json, "meta": meta(requestID)]
        return response(
            shape.status(of: error), shape.body(of: error) ?? enveloped, headers: headers, requestID: requestID)
    }

    /// A text that is not JSON of the API.
    func text(_ text: String, type: String, requestID: String) -> ServerResponse {
        ServerResponse(
            status: 200, headers: HTTPHeaders([("Content-Type", type)] + standardHeaders(requestID)),
            bytes: Array(text.utf8))
    }

    /// An answer without a body (`304`).
    func empty(_ status: Int, headers: [(String, String)], requestID: String) -> ServerResponse {
        ServerResponse(status: status, headers: HTTPHeaders(standardHeaders(requestID) + headers))
    }

    private func response(
        _ status: Int, _ body: JSON, headers: [(String, String)], requestID: String
    ) -> ServerResponse {
        let all = [("Content-Type", "application/json; charset=utf-8")] + standardHeaders(requestID) + headers
        return ServerResponse(status: status, headers: HTTPHeaders(all), bytes: body.utf8)
    }

    /// What an event stream carries beside its own headers.
    func eventHeaders(_ requestID: String) -> HTTPHeaders { HTTPHeaders(standardHeaders(requestID)) }

    private func standardHeaders(_ requestID: String) -> [(String, String)] {
        [("X-API-Version", Self.apiVersion), ("X-Request-ID", requestID), ("Cache-Control", "no-store")]
    }

    private func meta(_ requestID: String, cacheHit: Bool? = nil) -> JSON {
        var meta: JSONObject = [
            "request_id": JSON(requestID), "timestamp": JSON(ISO8601.text(milliseconds: now())),
            "version": JSON(Self.apiVersion),
        ]
        if let cacheHit { meta["cache_hit"] = JSON(cacheHit) }
        return .object(meta)
    }
}
