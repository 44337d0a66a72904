package import JSON

/// The part of a model's JSON output that a check is about: `summary`, `risks[].detail`, `risks[0]`.
package struct OutputPath: Sendable, Hashable, CustomStringConvertible {
    enum Step: Sendable, Hashable {
        case member(String)
        case element(Int)
        case everyElement
    }

    let steps: [Step]
    package let description: String

    /// A path from its text; `nil` when the text is no path.
    package init?(_ text: String) {
        var steps: [Step] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false) {
            let name = part.prefix { $0 != "[" }
            let isName = !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            guard isName || name.isEmpty && steps.isEmpty && part.first == "[" else { return nil }
            if !name.isEmpty { steps.append(.member(String(name))) }
            var rest = part.dropFirst(name.count)
            while !rest.isEmpty {
                guard let end = rest.firstIndex(of: "]") else { return nil }
                let index = rest[..<end].dropFirst()
                if index.isEmpty || index == "*" {
                    steps.append(.everyElement)
                } else if let number = Int(index), number >= 0 {
                    steps.append(.element(number))
                } else {
                    return nil
                }
                rest = rest[rest.index(after: end)...]
                if let next = rest.first, next != "[" { return nil }
            }
        }
        guard !steps.isEmpty else { return nil }
        self.steps = steps
        description = text
    }

    /// The values that the path leads to, each with its own path; none where a member is missing.
    package func values(in json: JSON) -> [(path: String, value: JSON)] {
        steps.reduce([("", json)]) { found, step in
            found.flatMap { path, value -> [(path: String, value: JSON)] in
                switch step {
                case .member(let key):
                    return value[key].map { [(path.isEmpty ? key : "\(path).\(key)", $0)] } ?? []
                case .element(let index):
                    return value[index].map { [("\(path)[\(index)]", $0)] } ?? []
                case .everyElement:
                    return (value.array ?? []).enumerated().map { ("\(path)[\($0)]", $1) }
                }
            }
        }
    }

    /// Whether this path leads to a place in the output or to a part around it.
    func covers(_ place: [Step]) -> Bool {
        guard place.count >= steps.count else { return false }
        return zip(steps, place).allSatisfy { step, other in
            switch (step, other) {
            case (.everyElement, .element): true
            default: step == other
            }
        }
    }
}

/// A text in a model's output and its place.
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

    /// The same without their places.
    static func texts(in value: JSON) -> [String] {
        var texts: [String] = []
        func collect(_ value: JSON) {
            switch value {
            case .string(let text): texts.append(text)
            case .number(let number): texts.append(number.literal)
            case .array(let elements): for element in elements { collect(element) }
            case .object(let members): for member in members { collect(member.value) }
            case .null, .bool: break
            }
        }
        collect(value)
        return texts
    }
}
