internal import JSON

/// What no schema can allow, because judging it would overflow the stack or take too long.
enum ValueLimits {
    static func violation(in value: JSON, comparesElements: Bool) -> JSONSchema.Violation? {
        var places: [(value: JSON, path: FieldPath, depth: Int)] = [(value, FieldPath(), 0)]
        while let (value, path, depth) = places.popLast() {
            guard depth <= JSONSchema.depthLimit else {
                return path.violation("is nested deeper than \(JSONSchema.depthLimit) levels")
            }
            switch value {
            case .array(let elements):
                if comparesElements, elements.count > JSONSchema.longestUniqueList {
                    return path.violation("has more than \(JSONSchema.longestUniqueList) elements")
                }
                for (index, element) in elements.enumerated() where element.isContainer {
                    places.append((element, path.element(index), depth + 1))
                }
            case .object(let members):
                for (key, member) in members where member.isContainer {
                    places.append((member, path.member(key), depth + 1))
                }
            default: break
            }
        }
        return nil
    }
}

extension JSON {
    fileprivate var isContainer: Bool { kind == .array || kind == .object }
}

/// A way through a value, as messages write it.
///
/// Long keys are cut and long ways end early: a path is made for each of what may be hundreds of thousands of values
/// below keys that somebody else chose.
struct FieldPath {
    private static let longestKey = 100
    private static let longestText = 400

    private(set) var text = ""

    func member(_ key: String) -> FieldPath {
        guard text.utf8.count < Self.longestText else { return self }
        let key = key.utf8.count > Self.longestKey ? "\(key.prefix(Self.longestKey / 4))…" : key
        return FieldPath(text: text.isEmpty ? key : "\(text).\(key)")
    }

    func element(_ index: Int) -> FieldPath {
        text.utf8.count < Self.longestText ? FieldPath(text: "\(text)[\(index)]") : self
    }

    func violation(_ problem: String) -> JSONSchema.Violation { JSONSchema.Violation(path: text, problem: problem) }
}
