internal import JSON

/// Spans as OTLP writes them in JSON: ids in hexadecimal, 64-bit numbers as text, kinds by number.
struct OTLPBody {
    let service: String
    let spans: [Span]

    var json: JSON {
        [
            "resourceSpans": [
                [
                    "resource": ["attributes": [Self.attribute("service.name", .text(service))]],
                    "scopeSpans": [["scope": ["name": "dossier"], "spans": .array(spans.map(Self.span))]],
                ]
            ]
        ]
    }

    private static func span(_ span: Span) -> JSON {
        var body: JSONObject = [
            "traceId": JSON("\(span.trace)"), "spanId": JSON("\(span.id)"),
            "parentSpanId": JSON(span.parent?.description ?? ""), "name": JSON(span.name),
            "kind": JSON(span.kind.rawValue), "startTimeUnixNano": JSON("\(span.start)"),
            "endTimeUnixNano": JSON("\(span.end)"),
            "attributes": .array(span.attributes.map { attribute($0.0, $0.1) }),
        ]
        body["status"] = span.problem.map { ["code": 2, "message": JSON($0)] } ?? ["code": 0]
        return .object(body)
    }

    private static func attribute(_ key: String, _ value: Span.Attribute) -> JSON {
        let written: JSON =
            switch value {
            case .text(let text): ["stringValue": JSON(text)]
            case .integer(let number): ["intValue": JSON("\(number)")]
            case .number(let number): ["doubleValue": JSON(number)]
            case .flag(let flag): ["boolValue": JSON(flag)]
            }
        return ["key": JSON(key), "value": written]
    }
}
