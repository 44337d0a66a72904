/// Metrics in Prometheus's text format, version 0.0.4.
package struct PrometheusText {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// What a family of samples is.
    package enum Kind: String {
        case counter, gauge, histogram
    }

    package typealias Labels = [(name: String, value: String)]

    /// All that was written.
    package private(set) var text = ""

    package init() {}

    /// Begins a family; its samples follow. `help` is one sentence.
    package mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    package mutating func sample(_ name: String, _ value: Int, _ labels: Labels = []) {
        write(name, labels, String(value))
    }

    package mutating func sample(_ name: String, _ value: Double, _ labels: Labels = []) {
        write(name, labels, "\(value)")
    }

    /// The buckets, each with all that are shorter, the sum and the count.
    package mutating func sample(_ name: String, _ histogram: Histogram, _ labels: Labels = []) {
        var below = 0
        for (place, count) in histogram.counts.enumerated() {
            below += count
            let end = place < histogram.bounds.count ? "\(Self.seconds(histogram.bounds[place]))" : "+Inf"
            sample(name + "_bucket", below, labels + [("le", end)])
        }
        sample(name + "_sum", histogram.sum, labels)
        sample(name + "_count", below, labels)
    }

    private mutating func write(_ name: String, _ labels: Labels, _ value: String) {
        let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }.joined(separator: ",")
        text += name + (list.isEmpty ? "" : "{\(list)}") + " \(value)\n"
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds / 1_000_000_000_000) / 1_000_000
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
