internal import JSON

/// The structure that a request's JSON may have; strict, as the providers are.
indirect enum Shape: Sendable {
    case any, string, bool, integer, number
    case nullable(Shape)
    case choice([String])
    case list(Shape)
    case either(Shape, Shape)
    /// Any members, of any shape.
    case map
    /// These members and no others.
    case object([String: Shape], required: [String] = [])

    /// A problem and its place.
    struct Violation: Sendable, Equatable {
        enum Problem: Sendable, Equatable {
            case missing
            case unknown
            case wrongType(expected: String)
            case notAmong([String])
        }

        var path: [Step]
        var problem: Problem
        var value: JSON?
    }

    enum Step: Sendable, Equatable {
        case member(String)
        case index(Int)
    }

    /// Every violation, in the order of the document.
    func violations(of value: JSON, at path: [Step] = []) -> [Violation] {
        func wrong(_ expected: String) -> [Violation] {
            [Violation(path: path, problem: .wrongType(expected: expected), value: value)]
        }
        switch self {
        case .any: return []
        case .string: return value.string == nil ? wrong("string") : []
        case .bool: return value.bool == nil ? wrong("boolean") : []
        case .integer: return value.integer == nil ? wrong("integer") : []
        case .number: return value.number == nil ? wrong("number") : []
        case .nullable(let shape): return value.isNull ? [] : shape.violations(of: value, at: path)
        case .choice(let choices):
            guard let text = value.string else { return wrong("string") }
            return choices.contains(text) ? [] : [Violation(path: path, problem: .notAmong(choices), value: value)]
        case .list(let element):
            guard let elements = value.array else { return wrong("array") }
            return elements.enumerated().flatMap { element.violations(of: $1, at: path + [.index($0)]) }
        case .either(let one, let other):
            let first = one.violations(of: value, at: path)
            guard !first.isEmpty else { return [] }
            let second = other.violations(of: value, at: path)
            // The branch that matched further is more likely the intended one.
            return (second.first?.path.count ?? 0) > (first.first?.path.count ?? 0) || second.isEmpty ? second : first
        case .map: return value.object == nil ? wrong("object") : []
        case .object(let members, let required):
            guard let object = value.object else { return wrong("object") }
            var found: [Violation] = []
            for (name, value) in object {
                if let shape = members[name] {
                    found += shape.violations(of: value, at: path + [.member(name)])
                } else {
                    found.append(Violation(path: path + [.member(name)], problem: .unknown, value: value))
                }
            }
            for name in required where object[name] == nil {
                found.append(Violation(path: path + [.member(name)], problem: .missing))
            }
            return found
        }
    }
}
