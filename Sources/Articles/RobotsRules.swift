internal import Basics

/// What a site's `robots.txt` allows a program to read, by RFC 9309.
package struct RobotsRules: Sendable, Hashable {
    private struct Rule: Sendable, Hashable {
        var pattern: [UInt8]
        var isAllowed: Bool
    }

    /// Bytes of a file that are read; RFC 9309 asks for at least 500 KiB.
    package static let longestFile = 500 << 10

    /// Bytes of patterns with a star that are kept. Matching takes a time of their number times the length of a path, and
    /// a file may be made to cost much.
    private static let mostStarredBytes = 32 << 10

    private var rules: [Rule] = []
    private var starredBytes = 0
    /// The pause between two requests that the file asks for, in seconds.
    package private(set) var delay: Double?

    /// Nothing may be read, since the file could not be read.
    package static let nothing: RobotsRules = {
        var rules = RobotsRules()
        rules.rules = [Rule(pattern: [UInt8(ascii: "/")], isAllowed: false)]
        return rules
    }()

    /// Everything may be read.
    package static let everything = RobotsRules()

    private init() {}

    /// Reads the rules of the groups for a program, else those for all programs.
    ///
    /// - Parameters:
    ///   - file: The bytes of `robots.txt`.
    ///   - program: The program's name in `User-Agent`, such as `dossier`.
    package init(_ file: [UInt8], for program: String) {
        let name = program.lowercased()
        var own = RobotsRules()
        var common = RobotsRules()
        var isNamed = false
        // The groups that the lines below belong to. Names that follow each other share one group.
        var (isOwn, isCommon, readsNames) = (false, false, false)
        for line in file.prefix(Self.longestFile).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard let (key, value) = Self.member(line) else { continue }
            if key == "user-agent" {
                if !readsNames { (isOwn, isCommon, readsNames) = (false, false, true) }
                let agent = value.lowercased()
                if agent == "*" { isCommon = true }
                if agent == name { (isOwn, isNamed) = (true, true) }
                continue
            }
            guard ["allow", "disallow", "crawl-delay"].contains(key) else { continue }
            readsNames = false
            if isOwn { own.take(key, value) }
            if isCommon { common.take(key, value) }
        }
        self = isNamed ? own : common
    }

    /// Whether a path with its query may be read: the longest rule that fits decides, and of equal ones the one that
    /// allows.
    package func allows(_ path: String) -> Bool {
        let path = Self.normalized(path.isEmpty ? "/" : path)
        let fitting = rules.filter { Self.fits($0.pattern, path) }
        guard let longest = fitting.map(\.pattern.count).max() else { return true }
        return fitting.contains { $0.pattern.count == longest && $0.isAllowed }
    }

    private mutating func take(_ key: String, _ value: String) {
        if key == "crawl-delay" {
            delay = Double(value).flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } ?? delay
        } else if !value.isEmpty {
            append(Rule(pattern: Self.normalized(value), isAllowed: key == "allow"))
        }
    }

    /// Beyond the limit, a pattern with a star forbids all that begins with the part before the star, and allows nothing.
    private mutating func append(_ rule: Rule) {
        var rule = rule
        if let star = rule.pattern.firstIndex(of: UInt8(ascii: "*")) {
            starredBytes += rule.pattern.count
            if starredBytes > Self.mostStarredBytes {
                guard !rule.isAllowed else { return }
                rule.pattern = Array(rule.pattern[..<star])
            }
        }
        rules.append(rule)
    }

    /// The name before the colon, in lower case, and the text behind it, without a comment.
    private static func member(_ line: ArraySlice<UInt8>) -> (key: String, value: String)? {
        let text = String(decoding: line.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        var key = String(text[..<colon]).trimmed.lowercased()
        // A mark of the byte order may stand before the first line.
        if key.unicodeScalars.first == "\u{FEFF}" { key = String(key.unicodeScalars.dropFirst()) }
        return (key, String(text[text.utf8.index(after: colon)...]).trimmed)
    }

    /// Bytes that need no percent sign are compared without it, and all others with one.
    private static func normalized(_ path: String) -> [UInt8] {
        var bytes: [UInt8] = []
        let all = Array(path.utf8)
        var place = 0
        while place < all.count {
            let byte = all[place]
            if byte == UInt8(ascii: "%"), place + 2 < all.count, let high = hex(all[place + 1]),
                let low = hex(all[place + 2])
            {
                append(high << 4 | low, isEncoded: true, to: &bytes)
                place += 3
            } else {
                append(byte, isEncoded: false, to: &bytes)
                place += 1
            }
        }
        return bytes
    }

    private static func append(_ byte: UInt8, isEncoded: Bool, to bytes: inout [UInt8]) {
        let isPlain =
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
        if isPlain || !isEncoded && (0x21...0x7E).contains(byte) {
            bytes.append(byte)
        } else {
            let digits = Array("0123456789ABCDEF".utf8)
            bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    /// Whether a path begins with a pattern, in which `*` is any text and a final `$` the end. Takes a time of at most
    /// the product of both lengths.
    private static func fits(_ pattern: [UInt8], _ path: [UInt8]) -> Bool {
        let isWhole = pattern.last == UInt8(ascii: "$")
        let pattern = isWhole ? pattern.dropLast() : pattern[...]
        let star = UInt8(ascii: "*")
        var (place, at) = (0, pattern.startIndex)
        var retry: (place: Int, at: Int)?
        while true {
            if at == pattern.endIndex {
                if !isWhole || place == path.count { return true }
            } else if pattern[at] == star {
                retry = (place, at + 1)
                at += 1
                continue
            } else if place < path.count, pattern[at] == path[place] {
                place += 1
                at += 1
                continue
            }
            guard let last = retry, last.place < path.count else { return false }
            retry = (last.place + 1, last.at)
            (place, at) = (last.place + 1, last.at)
        }
    }
}
