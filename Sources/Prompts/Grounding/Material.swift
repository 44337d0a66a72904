internal import Basics
internal import JSON
internal import Synchronization

/// The texts and facts that an answer was written from. Each rule reads them once, when it is first asked.
final class Material: Sendable {
    /// Two materials with the same content are one.
    struct Content: Hashable, Sendable {
        var texts: [String]
        var facts: [Fact]

        /// The bytes of its texts.
        var size: Int { texts.reduce(0) { $0 + $1.utf8.count } }
    }

    private struct Rules {
        var names: [Language: NameRule] = [:]
        var dates: DateRule?
        var roles: RoleRule?
        var claims: ClaimRule?
        var owners: FigureOwnerRule?
        var mentioned: Set<String>?
    }

    let content: Content
    private let texts: [ParsedText]
    private let rules = Mutex(Rules())

    init(_ content: Content) {
        self.content = content
        // Units and periods of facts occur many times.
        texts = content.texts.uniqued().map { ParsedText($0) }
    }

    /// The rule about names, for answers in a language.
    func names(_ language: Language) -> NameRule {
        rules.withLock { rules in
            let rule = rules.names[language] ?? NameRule(material: texts, language: language)
            rules.names[language] = rule
            return rule
        }
    }

    var dates: DateRule { rule(\.dates) { _ in DateRule(material: texts) } }

    var roles: RoleRule { rule(\.roles) { RoleRule(sources: texts, names: mentioned(&$0)) } }

    var claims: ClaimRule { rule(\.claims) { _ in ClaimRule(sources: texts) } }

    var owners: FigureOwnerRule {
        rule(\.owners) { FigureOwnerRule(sources: texts, facts: content.facts, names: mentioned(&$0)) }
    }

    private func rule<Rule: Sendable>(
        _ path: WritableKeyPath<Rules, Rule?>, _ read: (inout Rules) -> Rule
    ) -> Rule {
        rules.withLock { rules in
            let rule = rules[keyPath: path] ?? read(&rules)
            rules[keyPath: path] = rule
            return rule
        }
    }

    /// The names of companies and people.
    private func mentioned(_ rules: inout Rules) -> Set<String> {
        let names =
            rules.mentioned
            ?? texts.reduce(into: Set<String>()) { $0.formUnion(MaterialNames.of($1, $1.language ?? .english)) }
        rules.mentioned = names
        return names
    }
}

/// What the checks of one answer have read, so that each text is read once for all of them.
final class CheckReadings: Sendable {
    private struct State {
        var materials: [[OutputPath]: Material] = [:]
        var answers: [String: ParsedText] = [:]
    }

    private let state = Mutex(State())

    /// The material at these paths of the input.
    func material(at sources: [OutputPath], content: () -> Material.Content) -> Material {
        if let known = state.withLock({ $0.materials[sources] }) { return known }
        let material = MaterialCache.shared.material(content())
        state.withLock { $0.materials[sources] = material }
        return material
    }

    /// A text of the answer.
    func answer(_ text: String) -> ParsedText {
        if let known = state.withLock({ $0.answers[text] }) { return known }
        let parsed = ParsedText(text)
        state.withLock { $0.answers[text] = parsed }
        return parsed
    }
}

/// The materials that were read last: an answer and its repair have the same, and so have many cases of a prompt's tests.
final class MaterialCache: Sendable {
    static let shared = MaterialCache(capacity: 256 * 1024)

    private struct State {
        /// The last used is the last.
        var materials: [Material.Content: (material: Material, usedAt: UInt64)] = [:]
        var size = 0
        var uses: UInt64 = 0
    }

    /// The bytes of all texts. What rules keep of them takes many times as much.
    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = capacity }

    /// The number of materials that are kept.
    var count: Int { state.withLock { $0.materials.count } }

    /// A material with this content.
    func material(_ content: Material.Content) -> Material {
        let known = state.withLock { state -> Material? in
            state.uses += 1
            state.materials[content]?.usedAt = state.uses
            return state.materials[content]?.material
        }
        if let known { return known }
        let material = Material(content)
        let size = content.size
        // A large one would take the place of all others.
        guard size <= capacity / 4 else { return material }
        return state.withLock { state in
            if let other = state.materials[content]?.material { return other }
            while state.size + size > capacity,
                let oldest = state.materials.min(by: { $0.value.usedAt < $1.value.usedAt })
            {
                state.materials[oldest.key] = nil
                state.size -= oldest.key.size
            }
            state.uses += 1
            state.materials[content] = (material, state.uses)
            state.size += size
            return material
        }
    }
}
