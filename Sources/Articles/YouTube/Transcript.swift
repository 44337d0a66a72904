internal import JSON

/// What is said in a video, line by line.
package struct Transcript: Sendable, Hashable {
    package struct Line: Sendable, Hashable {
        /// In seconds from the beginning.
        package let start: Double
        /// In seconds, when the source says so.
        package let duration: Double?
        package let text: String

        package init(start: Double, duration: Double?, text: String) {
            self.start = start
            self.duration = duration
            self.text = text
        }
    }

    package var lines: [Line]

    package init(lines: [Line]) { self.lines = lines }

    /// A line for each line of the captions.
    package var text: String { lines.map(\.text).joined(separator: "\n") }

    private static let mostLines = 100_000

    /// Reads captions in any of the formats that YouTube gives: XML with `text` elements, `srv3` with `p` elements, and
    /// `json3`.
    ///
    /// - Throws: `protected` for an empty body, which is what callers get that should have proved themselves;
    ///   `unexpected` for any other format.
    package init(_ body: [UInt8]) throws(VideoError) {
        let text = CharacterEncoding.utf8(body)
        guard let first = text.first(where: { $0 > 0x20 }) else { throw .protected }
        if first == UInt8(ascii: "{") {
            guard let events = try? JSON(parsing: text), let list = events["events"]?.array else { throw .unexpected }
            lines = list.prefix(Self.mostLines).compactMap(Self.line(event:))
        } else {
            guard let root = XMLReader.read(text), root.name == "transcript" || root.name == "timedtext" else {
                throw .unexpected
            }
            let holder = root.name == "timedtext" ? root.elements.first { $0.name == "body" } : root
            lines = (holder ?? root).elements.prefix(Self.mostLines).compactMap(Self.line(element:))
        }
        guard !lines.isEmpty else { throw .noCaptions }
    }

    /// `text` counts in seconds, `p` in milliseconds.
    private static func line(element: XMLElement) -> Line? {
        let isMilliseconds = element.name == "p"
        guard isMilliseconds || element.name == "text" else { return nil }
        func seconds(_ key: String) -> Double? {
            element.attributes[key].flatMap { Double($0) }.map { isMilliseconds ? $0 / 1000 : $0 }
        }
        return line(start: seconds(isMilliseconds ? "t" : "start"), seconds(isMilliseconds ? "d" : "dur"), element.text)
    }

    private static func line(event: JSON) -> Line? {
        let text = (event["segs"]?.array ?? []).compactMap { $0["utf8"]?.string }.joined()
        return line(
            start: event["tStartMs"]?.double.map { $0 / 1000 }, event["dDurationMs"]?.double.map { $0 / 1000 }, text)
    }

    /// The text is HTML within XML: tags and references are taken out.
    private static func line(start: Double?, _ duration: Double?, _ html: String) -> Line? {
        guard let text = HTMLText.line(html).nonBlank else { return nil }
        return Line(start: start ?? 0, duration: duration, text: text)
    }
}
