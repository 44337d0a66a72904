/// An element of an XML document.
struct XMLElement: Sendable {
    enum Content: Sendable {
        case element(XMLElement)
        case text(String)
    }

    /// Without prefix, in lower case.
    var name: String
    /// What the prefix stands for; the prefix itself when the document does not say; empty without either.
    var namespace: String = ""
    /// By name without prefix, except `xml:base` and `xml:lang`.
    var attributes: [String: String] = [:]
    var content: [Content] = []

    var elements: [XMLElement] {
        content.compactMap { if case .element(let element) = $0 { element } else { nil } }
    }

    /// All text below, as it stands.
    var text: String {
        content.reduce(into: "") { text, piece in
            switch piece {
            case .text(let piece): text += piece
            case .element(let element): text += element.text
            }
        }
    }

    func first(_ name: String, in namespaces: [String] = [""]) -> XMLElement? {
        elements.first { $0.name == name && namespaces.contains($0.namespace) }
    }

    /// What stands in the element, written as HTML.
    var innerHTML: String {
        content.reduce(into: "") { html, piece in
            switch piece {
            case .text(let text): html += Self.escaped(text)
            case .element(let element):
                let attributes = ["href", "src", "alt"].compactMap { key in
                    element.attributes[key].map { " \(key)=\"\(Self.escaped($0))\"" }
                }
                html += "<\(element.name)\(attributes.joined())>\(element.innerHTML)</\(element.name)>"
            }
        }
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.append(character)
            }
        }
    }
}
