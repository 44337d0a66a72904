/// A Swift file, as text and as code without comments and texts.
struct SourceFile: Sendable {
    /// Relative to the package's folder.
    let path: String
    /// The folder below `Sources` or `Tests`.
    let target: String
    /// As written.
    let lines: [String]
    /// The same lines with comments and the contents of string literals left out.
    let code: [String]
    let imports: [Import]

    init(path: String, target: String, text: String) {
        self.path = path
        self.target = target
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        code = CodeStripper.strip(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        imports = code.enumerated().compactMap { index, line in
            Self.module(importedBy: line).map { Import(module: $0, line: index + 1) }
        }
    }

    struct Import: Equatable {
        var module: String
        /// From 1.
        var line: Int
    }

    /// Attributes and access levels come before `import`; a kind (`struct`, `func`) may follow it.
    private static func module(importedBy line: String) -> String? {
        let words = line.split { $0 == " " || $0 == "\t" }
        guard let place = words.firstIndex(of: "import"), words[..<place].allSatisfy(isModifier) else { return nil }
        var rest = words[(place + 1)...]
        if let kind = rest.first, kinds.contains(String(kind)) { rest.removeFirst() }
        return rest.first.map { String($0.prefix { $0.isLetter || $0.isNumber || $0 == "_" }) }
    }

    private static func isModifier(_ word: Substring) -> Bool {
        word.hasPrefix("@") || ["public", "package", "internal", "fileprivate", "private"].contains(word)
    }

    private static let kinds: Set<String> = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]

    func violation(_ line: Int, _ message: String) -> Violation {
        Violation(file: path, line: line, message: message)
    }
}

/// Takes comments and the contents of string literals out of Swift source. Line breaks stay, so that line numbers hold;
/// code inside an interpolation stays too. Works on bytes: the sources are long and tests run without optimisation.
struct CodeStripper {
    private enum Context {
        /// Outside of literals, or in an interpolation with this number of open parentheses.
        case code(parentheses: Int)
        case text(hashes: Int, isMultiline: Bool)
    }

    private let source: [UInt8]
    private var place = 0
    private var result: [UInt8] = []
    private var contexts: [Context] = [.code(parentheses: 0)]

    private init(_ text: String) { source = Array(text.utf8) }

    static func strip(_ text: String) -> String {
        var stripper = CodeStripper(text)
        stripper.run()
        return String(decoding: stripper.result, as: UTF8.self)
    }

    private static let (newline, quote, hash, backslash) = (byte("\n"), byte("\""), byte("#"), byte("\\"))
    private static let (slash, star, open, close) = (byte("/"), byte("*"), byte("("), byte(")"))

    private static func byte(_ scalar: Unicode.Scalar) -> UInt8 { UInt8(ascii: scalar) }

    private func at(_ offset: Int) -> UInt8? { place + offset < source.count ? source[place + offset] : nil }

    private mutating func run() {
        result.reserveCapacity(source.count)
        while place < source.count {
            switch contexts[contexts.count - 1] {
            case .code(let parentheses): stepInCode(parentheses)
            case .text(let hashes, let isMultiline): stepInText(hashes, isMultiline)
            }
        }
    }

    // MARK: Code

    private mutating func stepInCode(_ parentheses: Int) {
        let byte = source[place]
        switch byte {
        case Self.slash where at(1) == Self.slash:
            while let next = at(0), next != Self.newline { place += 1 }
        case Self.slash where at(1) == Self.star: skipBlockComment()
        case Self.quote: beginText(hashes: 0)
        case Self.hash:
            let hashes = source[place...].prefix { $0 == Self.hash }.count
            if at(hashes) == Self.quote { return beginText(hashes: hashes) }
            result += source[place..<place + hashes]
            place += hashes
        default:
            result.append(byte)
            place += 1
            guard contexts.count > 1, byte == Self.open || byte == Self.close else { return }
            let left = parentheses + (byte == Self.open ? 1 : -1)
            contexts.removeLast()
            // The parenthesis that closes the interpolation leads back into the text.
            if left > 0 { contexts.append(.code(parentheses: left)) }
        }
    }

    private mutating func skipBlockComment() {
        var depth = 0
        repeat {
            if at(0) == Self.slash, at(1) == Self.star {
                depth += 1
                place += 2
            } else if at(0) == Self.star, at(1) == Self.slash {
                depth -= 1
                place += 2
            } else {
                if at(0) == Self.newline { result.append(Self.newline) }
                place += 1
            }
        } while depth > 0 && place < source.count
    }

    // MARK: Texts

    private mutating func beginText(hashes: Int) {
        place += hashes
        let isMultiline = at(1) == Self.quote && at(2) == Self.quote
        place += isMultiline ? 3 : 1
        result.append(Self.quote)
        contexts.append(.text(hashes: hashes, isMultiline: isMultiline))
    }

    private mutating func stepInText(_ hashes: Int, _ isMultiline: Bool) {
        let byte = source[place]
        let quotes = isMultiline ? 3 : 1
        if byte == Self.quote, hasRun(of: Self.quote, quotes, at: 0), hasRun(of: Self.hash, hashes, at: quotes) {
            place += quotes + hashes
            result.append(Self.quote)
            contexts.removeLast()
        } else if byte == Self.backslash, hasRun(of: Self.hash, hashes, at: 1) {
            place += 1 + hashes
            if at(0) == Self.open {
                place += 1
                result.append(Self.open)
                contexts.append(.code(parentheses: 1))
            } else if at(0) != Self.newline {
                place += 1
            }
        } else {
            place += 1
            guard byte == Self.newline else { return }
            result.append(byte)
            if !isMultiline { contexts.removeLast() }
        }
    }

    private func hasRun(of byte: UInt8, _ count: Int, at offset: Int) -> Bool {
        (0..<count).allSatisfy { at(offset + $0) == byte }
    }
}

/// A place where the sources break a rule.
struct Violation: Equatable, CustomStringConvertible {
    /// Relative to the package's folder.
    var file: String
    /// From 1.
    var line: Int
    var message: String

    var description: String { "\(file):\(line): \(message)" }
}
