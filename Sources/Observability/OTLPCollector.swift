package import Basics
package import HTTP
import JSON

/// A collector of OpenTelemetry, and what identifies this process to it: OTLP over HTTP, as JSON.
package struct OTLPCollector: Sendable {
    /// The base URL, to which `/v1/traces`, `/v1/metrics` and `/v1/logs` are added.
    let endpoint: String
    /// Headers of each request, which usually have a key.
    let headers: [(name: String, value: Secret)]
    /// The attributes of the process, `service.name` first.
    let resource: [(String, Span.Attribute)]
    let transport: any HTTPTransport

    private static let longestPause: Duration = .seconds(5)

    package init(
        endpoint: String, headers: [(name: String, value: Secret)] = [], resource: [(String, Span.Attribute)],
        transport: any HTTPTransport
    ) {
        self.endpoint = endpoint
        self.headers = headers
        self.resource = resource
        self.transport = transport
    }

    /// Sends one request, and a second one where that may help.
    ///
    /// - Parameters:
    ///   - body: The body, with the resource.
    ///   - path: The signal's path, such as `v1/traces`.
    ///   - limit: The longest time for each request.
    /// - Returns: Whether the collector took it.
    func send(_ body: JSON, to path: String, within limit: Duration) async -> Bool {
        var limits = HTTPLimits()
        limits.total = limit
        limits.body = 64 << 10
        var fields: HTTPHeaders = [:]
        for (name, value) in headers { fields[name] = value.reveal() }
        fields["Content-Type"] = "application/json"
        let request = HTTPRequest(
            .post, URLPath.join(endpoint, path), headers: fields, body: body.utf8, limits: limits)
        for attempt in 1...2 {
            guard let response = try? await transport.send(request) else { return false }
            if response.isSuccess { return true }
            guard attempt == 1, [429, 502, 503, 504].contains(response.status) else { return false }
            let asked = response.headers["Retry-After"].flatMap { Double($0) }.map { Duration.seconds($0) }
            try? await Task.sleep(for: min(asked ?? .seconds(1), Self.longestPause))
        }
        return false
    }

    /// The resource and the scope, as each signal has them around its own.
    func body(_ signal: String, _ name: String, _ items: [JSON]) -> JSON {
        var scope: JSONObject = ["scope": ["name": "dossier"]]
        scope[name] = .array(items)
        var group: JSONObject = ["resource": ["attributes": OTLP.attributes(resource)]]
        group["scope\(signal)"] = [.object(scope)]
        var body: JSONObject = [:]
        body["resource\(signal)"] = [.object(group)]
        return .object(body)
    }
}

/// Values as OTLP writes them in JSON: 64-bit numbers as text.
enum OTLP {
    static func attributes(_ attributes: [(String, Span.Attribute)]) -> JSON {
        .array(attributes.map { ["key": JSON($0.0), "value": value($0.1)] })
    }

    static func value(_ value: Span.Attribute) -> JSON {
        switch value {
        case .text(let text): ["stringValue": JSON(text)]
        case .integer(let number): ["intValue": JSON("\(number)")]
        case .number(let number): ["doubleValue": JSON(number)]
        case .flag(let flag): ["boolValue": JSON(flag)]
        }
    }
}
