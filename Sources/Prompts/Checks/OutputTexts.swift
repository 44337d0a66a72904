internal import JSON

/// A text in a model's output, and where it stands.
struct OutputText {
    var place: [OutputPath.Step]
    var text: String

    /// `risks[0].detail`; empty for an output that is one text.
    var path: String {
        place.reduce("") { path, step in
            switch step {
            case .member(let key): path.isEmpty ? key : "\(path).\(key)"
            case .element(let index): "\(path)[\(index)]"
            case .everyElement: "\(path)[]"
            }
        }
    }

    /// All texts in a value, numbers among them, in their order.
    static func all(in value: JSON, at place: [OutputPath.Step] = []) -> [OutputText] {
        switch value {
        case .string(let text): [OutputText(place: place, text: text)]
        case .number(let number): [OutputText(place: place, text: number.literal)]
        case .array(let elements):
            elements.enumerated().flatMap { all(in: $1, at: place + [.element($0)]) }
        case .object(let members): members.flatMap { all(in: $0.value, at: place + [.member($0.key)]) }
        case .null, .bool: []
        }
    }
}
