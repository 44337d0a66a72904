/// Metrics that were written by `PrometheusText`.
struct PrometheusReading {
    struct Family {
        var name: String
        var kind: PrometheusText.Kind
        var help: String
        var series: [Series] = []
    }

    /// The samples of a family with the same labels.
    struct Series {
        var labels: PrometheusText.Labels
        /// The value; of a histogram, the sum.
        var value = 0.0
        /// The upper ends of a histogram's buckets, without the infinite one.
        var bounds: [Double] = []
        /// The number in each bucket, and beyond all bounds.
        var counts: [Int] = []
    }

    private(set) var families: [Family] = []

    init(_ text: String) {
        for line in text.split(separator: "\n") {
            if line.hasPrefix("# HELP ") {
                let words = line.dropFirst(7).split(separator: " ", maxSplits: 1)
                families.append(
                    Family(
                        name: String(words.first ?? ""), kind: .gauge, help: words.count > 1 ? String(words[1]) : ""))
            } else if line.hasPrefix("# TYPE ") {
                let kind = line.split(separator: " ").last.flatMap { PrometheusText.Kind(rawValue: String($0)) }
                if let kind, let last = families.indices.last { families[last].kind = kind }
            } else {
                add(line)
            }
        }
    }

    private mutating func add(_ line: Substring) {
        guard let place = families.indices.last, let space = line.lastIndex(of: " "),
            let value = Double(line[line.index(after: space)...])
        else { return }
        let head = line[..<space]
        let name = head.prefix { $0 != "{" }
        var labels = Self.labels(head.dropFirst(name.count))
        guard families[place].kind == .histogram else {
            families[place].series.append(Series(labels: labels, value: value))
            return
        }
        let end = labels.firstIndex { $0.name == "le" }.map { labels.remove(at: $0).value }
        var index = families[place].series.firstIndex { series in
            series.labels.elementsEqual(labels) { $0.name == $1.name && $0.value == $1.value }
        }
        if index == nil {
            families[place].series.append(Series(labels: labels))
            index = families[place].series.indices.last
        }
        guard let index else { return }
        if let end {
            // Buckets are written with all that are shorter.
            let shorter = families[place].series[index].counts.reduce(0, +)
            families[place].series[index].counts.append(Int(value) - shorter)
            if let bound = Double(end), bound.isFinite { families[place].series[index].bounds.append(bound) }
        } else if name.hasSuffix("_sum") {
            families[place].series[index].value = value
        }
    }

    /// The labels of `{name="value",…}`.
    private static func labels(_ text: Substring) -> PrometheusText.Labels {
        var labels: PrometheusText.Labels = []
        var rest = text.dropFirst()
        while let equals = rest.firstIndex(of: "=") {
            let name = String(rest[..<equals])
            rest = rest[rest.index(equals, offsetBy: 2)...]
            var value = ""
            while let character = rest.first, character != "\"" {
                rest.removeFirst()
                guard character == "\\", let escaped = rest.first else {
                    value.append(character)
                    continue
                }
                rest.removeFirst()
                value.append(escaped == "n" ? "\n" : escaped)
            }
            labels.append((name, value))
            rest = rest.dropFirst().drop { $0 == "," }
        }
        return labels
    }
}
