internal import Basics
package import JSON

/// The data of a video's page on YouTube that leads to its captions.
package struct WatchPage: Sendable {
    /// The key with which the page asks for details.
    package let apiKey: String?
    /// Whether the page is the form that asks for consent.
    package let isConsentForm: Bool
    /// The token with which that form is answered.
    package let consentToken: String?
    /// Whether the page asks for a proof that the caller is not a robot.
    package let isRobotCheck: Bool
    package let publishedAt: PublishedDate?
    /// The details that the page itself carries.
    package let player: JSON?

    package init(_ body: [UInt8]) {
        let text = String(decoding: body.prefix(8 << 20), as: UTF8.self).sanitized
        apiKey = Self.value(after: "\"INNERTUBE_API_KEY\"", in: text)
        isRobotCheck = text.contains("class=\"g-recaptcha\"")
        let isForm = text.contains("action=\"https://consent.youtube.com/s\"")
        isConsentForm = isForm
        consentToken = text.firstRange(of: "name=\"v\" value=\"").flatMap { range in
            isForm ? Self.token(text[range.upperBound...]) : nil
        }
        publishedAt = Self.value(after: "\"publishDate\"", in: text).flatMap { PublishedDate($0) }
        player = Self.object(after: "ytInitialPlayerResponse = ", in: text)
    }

    /// The string in `"name": "value"`, which holds no references.
    private static func value(after name: String, in text: String) -> String? {
        guard let range = text.firstRange(of: name) else { return nil }
        let rest = text[range.upperBound...].drop { $0 == " " || $0 == ":" }
        guard rest.first == "\"" else { return nil }
        return token(rest.dropFirst())
    }

    /// The text up to the next quote. Bounded, and without characters that could end a header or a query.
    private static func token(_ text: Substring) -> String? {
        let token = text.prefix(200).prefix { $0 != "\"" }
        let isPlain = token.utf8.allSatisfy { (0x2B...0x7A).contains($0) && $0 != 0x3B && $0 != 0x3C && $0 != 0x5C }
        return token.isEmpty || !isPlain ? nil : String(token)
    }

    /// The JSON object after a mark, up to its closing brace; braces in strings do not count.
    private static func object(after mark: String, in text: String) -> JSON? {
        guard let range = text.firstRange(of: mark) else { return nil }
        let bytes = text.utf8[range.upperBound...]
        var depth = 0
        var isString = false
        var isEscaped = false
        for place in bytes.indices {
            let byte = bytes[place]
            if isEscaped {
                isEscaped = false
            } else if isString {
                if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isString = true
            } else if byte == UInt8(ascii: "{") {
                depth += 1
            } else if byte == UInt8(ascii: "}") {
                depth -= 1
                if depth == 0 { return try? JSON(parsing: bytes[...place]).mapStrings(\.sanitized) }
            } else if depth == 0 {
                return nil
            }
        }
        return nil
    }
}

/// The transcript of a video, line by line.
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
    /// - Throws: `protected` for an empty body, the answer to callers without a proof of origin;
    ///   `unexpected` for any other format.
    package init(_ body: [UInt8]) throws(VideoError) {
        let text = CharacterEncoding.utf8(body)
        guard let first = text.first(where: { $0 > 0x20 }) else { throw .protected }
        if first == UInt8(ascii: "{") {
            guard let events = try? JSON(parsing: text).mapStrings(\.sanitized), let list = events["events"]?.array
            else { throw .unexpected }
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
