import Basics
import Foundation
import HTTP
import Observability

/// OpenTelemetry's variables, as its specification names and reads them.
struct TelemetrySettings: Sendable {
    enum Signal: String, CaseIterable, Sendable {
        case traces, metrics, logs

        fileprivate var variable: String { "OTEL_\(rawValue.uppercased())_EXPORTER" }
    }

    /// The base URL of the collector; `nil` for none.
    var endpoint: String?
    var headers: [(name: String, value: Secret)]
    /// The attributes of the resource, `service.name` first.
    var resource: [(String, Span.Attribute)]
    var signals: Set<Signal>
    var metricInterval: Duration

    init(_ reader: SettingReader) throws(CommandFailure) {
        endpoint = try reader.url("OTEL_EXPORTER_OTLP_ENDPOINT")
        headers = try Self.pairs("OTEL_EXPORTER_OTLP_HEADERS", reader).map { ($0.0, Secret($0.1)) }
        let canBeSent = headers.allSatisfy { name, value in
            name.allSatisfy(\.isHTTPToken) && value.reveal().utf8.allSatisfy { $0 >= 0x20 }
        }
        guard canBeSent else {
            throw .usage("OTEL_EXPORTER_OTLP_HEADERS: has a header that cannot be sent")
        }
        var attributes = try Self.pairs("OTEL_RESOURCE_ATTRIBUTES", reader)
        let named = attributes.first { $0.0 == "service.name" }?.1
        attributes.removeAll { $0.0 == "service.name" }
        let name = reader.text("OTEL_SERVICE_NAME") ?? named ?? "dossier"
        resource = [("service.name", .text(name))] + attributes.map { ($0.0, .text($0.1)) }
        signals = []
        for signal in Signal.allCases {
            let isOn = try reader.read(signal.variable, default: true) { text throws(ConfigurationError) in
                guard ["otlp", "none"].contains(text) else { throw ConfigurationError("must be otlp or none") }
                return text == "otlp"
            }
            if isOn { signals.insert(signal) }
        }
        _ = try reader.read("OTEL_EXPORTER_OTLP_PROTOCOL", default: "http/json") { text throws(ConfigurationError) in
            guard text == "http/json" else { throw ConfigurationError("must be http/json") }
            return text
        }
        metricInterval = .milliseconds(
            try reader.integer("OTEL_METRIC_EXPORT_INTERVAL", in: 1000...3_600_000) ?? 60_000)
    }

    /// Reads `name=value,name=value`, values percent-encoded.
    private static func pairs(
        _ variable: String, _ reader: SettingReader
    ) throws(CommandFailure) -> [(String, String)] {
        try reader.read(variable, default: []) { text throws(ConfigurationError) in
            var pairs: [(String, String)] = []
            for part in text.split(separator: ",") {
                let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = String(sides[0]).trimmed
                // The text is not repeated: it may be a key.
                guard sides.count == 2, !name.isEmpty,
                    let value = String(sides[1]).trimmed.removingPercentEncoding
                else { throw ConfigurationError("must be name=value,name=value, with values percent-encoded") }
                pairs.append((name, value))
            }
            return pairs
        }
    }
}

extension Character {
    /// Whether a header's name may contain it.
    fileprivate var isHTTPToken: Bool {
        isASCII && (isLetter || isNumber || "!#$%&'*+-.^_`|~".contains(self))
    }
}
