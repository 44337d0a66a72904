/// The reason that a field of a JSON value cannot be used, with the path of the field from the root.
public struct JSONFieldError: Error, Equatable, CustomStringConvertible {
    /// The way from the root, for example `holdings[2].ticker`; empty for the root itself.
    public let path: String
    /// A phrase that completes "the field …": `is missing`, `must be a string, not a number`.
    public let problem: String

    /// An error from its path and a phrase that completes "the field …".
    public init(path: String, problem: String) {
        self.path = path
        self.problem = problem
    }

    /// A sentence that names the field.
    public var description: String { path.isEmpty ? "the value \(problem)" : "'\(path)' \(problem)" }
}

/// A place in a JSON value with the path to it, so that a wrong type is reported by name.
///
///     let input = JSONField(json)
///     let ticker = try input["ticker"].string()
///     let notes = try input["notes"].optional?.string()
public struct JSONField: Sendable {
    /// The value; `nil` for a member that is not there.
    public let value: JSON?
    private let place: Place

    /// The way from the root. It is written out only for an error, since a large value has thousands of fields.
    private indirect enum Place: Sendable {
        case start(String)
        case member(Place, String)
        case element(Place, Int)

        var path: String {
            switch self {
            case .start(let path): return path
            case .element(let parent, let index): return "\(parent.path)[\(index)]"
            case .member(let parent, let key):
                let path = parent.path
                return path.isEmpty ? key : "\(path).\(key)"
            }
        }
    }

    /// The way from the root, for example `holdings[2].ticker`; empty for the root itself.
    public var path: String { place.path }

    /// The root of a value, or a part of it whose path is known.
    public init(_ value: JSON, path: String = "") {
        self.value = value
        place = .start(path)
    }

    private init(value: JSON?, place: Place) {
        self.value = value
        self.place = place
    }

    /// The field of a member, whether or not it is there.
    public subscript(key: String) -> JSONField {
        JSONField(value: value?[key], place: .member(place, key))
    }

    /// This field when it is there and not null.
    public var optional: JSONField? { value == nil || value == .null ? nil : self }

    /// The string of this field.
    public func string() throws(JSONFieldError) -> String { try read("a string", \.string) }
    /// The truth value of this field.
    public func bool() throws(JSONFieldError) -> Bool { try read("true or false", \.bool) }
    /// The number of this field, which must be a 64-bit integer.
    public func integer() throws(JSONFieldError) -> Int64 { try read("a whole number", \.integer) }
    /// The number of this field as the nearest double.
    public func double() throws(JSONFieldError) -> Double { try read("a number", \.double) }
    /// The members of this field.
    public func object() throws(JSONFieldError) -> JSONObject { try read("an object", \.object) }

    /// The elements of an array, each with its own path.
    public func array() throws(JSONFieldError) -> [JSONField] {
        try read("an array", \.array).enumerated().map { JSONField(value: $1, place: .element(place, $0)) }
    }

    /// The elements of an array of strings.
    public func strings() throws(JSONFieldError) -> [String] {
        var texts: [String] = []
        for element in try array() { texts.append(try element.string()) }
        return texts
    }

    /// An error that names this field.
    public func failure(_ problem: String) -> JSONFieldError { JSONFieldError(path: path, problem: problem) }

    private func read<Value>(_ expected: String, _ reader: (JSON) -> Value?) throws(JSONFieldError) -> Value {
        guard let value else { throw failure("is missing") }
        guard let result = reader(value) else { throw failure("must be \(expected), not \(article(value.kind))") }
        return result
    }

    private func article(_ kind: JSON.Kind) -> String {
        switch kind {
        case .null: "null"
        case .array, .object: "an \(kind.rawValue)"
        default: "a \(kind.rawValue)"
        }
    }
}
