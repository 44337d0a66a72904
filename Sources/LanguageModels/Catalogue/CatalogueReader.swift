internal import Basics
internal import JSON

/// A problem with an entry of `models.yaml`, and the path to the entry.
struct CatalogueProblem: Error {
    let path: [String]
    let message: String

    var description: String { path.isEmpty ? message : "\(path.joined(separator: ".")) \(message)" }
}

/// A value in `models.yaml` with its path.
struct CatalogueReader {
    private let value: JSON
    private let path: [String]

    init(_ value: JSON, path: [String]) {
        self.value = value
        self.path = path
    }

    func problem(_ message: String) -> CatalogueProblem { CatalogueProblem(path: path, message: message) }

    /// Refuses unknown keys, so that a mistyped key is not silently ignored.
    func allow(_ keys: Set<String>) throws(CatalogueProblem) {
        for (key, entry) in try members() where !keys.contains(key) {
            throw entry.problem("is not known here; possible are \(keys.sorted().joined(separator: ", "))")
        }
    }

    func member(_ key: String) throws(CatalogueProblem) -> CatalogueReader {
        guard let member = optional(key) else { throw problem("needs '\(key)'") }
        return member
    }

    func optional(_ key: String) -> CatalogueReader? {
        guard let member = value[key], !member.isNull else { return nil }
        return CatalogueReader(member, path: path + [key])
    }

    func members() throws(CatalogueProblem) -> [(String, CatalogueReader)] {
        guard let object = value.object else { throw problem("must be a list of keys and values") }
        return object.map { ($0.key, CatalogueReader($0.value, path: path + [$0.key])) }
    }

    func elements() throws(CatalogueProblem) -> [CatalogueReader] {
        guard let array = value.array else { throw problem("must be a list") }
        return array.enumerated().map { CatalogueReader($1, path: path + [String($0)]) }
    }

    func strings() throws(CatalogueProblem) -> [String] {
        var texts: [String] = []
        for element in try elements() { texts.append(try element.string()) }
        return texts
    }

    func string() throws(CatalogueProblem) -> String {
        guard let text = value.string, !text.isEmpty else { throw problem("must be a text") }
        return text
    }

    func bool() throws(CatalogueProblem) -> Bool {
        guard let flag = value.bool else { throw problem("must be true or false") }
        return flag
    }

    /// A number of tokens.
    func count() throws(CatalogueProblem) -> Int {
        guard let number = value.integer, (1...100_000_000).contains(number) else {
            throw problem("must be a whole number above zero")
        }
        return Int(number)
    }

    /// A whole number in a range.
    func count(in range: ClosedRange<Int>) throws(CatalogueProblem) -> Int {
        guard let number = value.integer, let count = Int(exactly: number), range.contains(count) else {
            throw problem("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return count
    }

    /// A number of calls or tokens in a minute.
    func rate() throws(CatalogueProblem) -> Int64 {
        guard let number = value.integer, (1...1_000_000_000).contains(number) else {
            throw problem("must be a whole number above zero")
        }
        return Int64(number)
    }

    /// A part from 0.01 to 1, in hundredths.
    func share() throws(CatalogueProblem) -> Int64 {
        guard let number = value.double, (0.01...1).contains(number) else {
            throw problem("must be a number from 0.01 to 1")
        }
        return Int64((number * 100).rounded())
    }

    /// A time in seconds, from a tenth of a second to an hour.
    func seconds() throws(CatalogueProblem) -> Duration {
        guard let number = value.double, (0.1...3600).contains(number) else {
            throw problem("must be a number of seconds from 0.1 to 3600")
        }
        return .milliseconds(Int64(number * 1000))
    }

    func price() throws(CatalogueProblem) -> TokenPrice {
        guard let price = TokenPrice(value) else {
            throw problem("must be a price in dollars per million tokens, with at most six decimals")
        }
        return price
    }

    func day() throws(CatalogueProblem) -> CalendarDate {
        guard let day = value.string.flatMap({ CalendarDate($0) }) else {
            throw problem("must be a day like 2026-12-31")
        }
        return day
    }

    func choice<Choice: RawRepresentable & CaseIterable>() throws(CatalogueProblem) -> Choice
    where Choice.RawValue == String {
        guard let choice = value.string.flatMap(Choice.init) else {
            throw problem("must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return choice
    }
}

/// The reason why `models.yaml` cannot be used, with the line.
package struct CatalogueError: Error, Hashable, Sendable, CustomStringConvertible {
    package let file: String
    /// From 1.
    package let line: Int
    package let message: String

    package var description: String { "\(file):\(line): \(message)" }
}
