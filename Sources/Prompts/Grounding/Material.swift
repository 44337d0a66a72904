internal import Basics
internal import JSON
internal import Synchronization

/// The texts and facts that an answer was written from. Each rule reads them once, when it is first asked.
final class Material: Sendable {
    /// Two materials with the same content are one.
    struct Content: Hashable, Sendable {
        var texts: [String]
        var facts: [Fact]
        /// The tickers of the companies that an input puts side by side, by the first words of their names.
        var companies: [String: String] = [:]

        /// The bytes of its texts.
        var size: Int { texts.reduce(0) { $0 + $1.utf8.count } }
    }

    private struct Rules {
        var names: [Language: NameRule] = [:]
        var dates: DateRule?
        var roles: RoleRule?
        var speakers: SpeakerRule?
        var claims: ClaimRule?
        var owners: FigureOwnerRule?
        var takeover: TakeoverRule?
        var mentioned: Set<String>?
    }

    static let cache = ReadCache<Content, Material>(capacity: 512 * 1024, size: \.size)

    let content: Content
    private let texts: [ParsedText]
    private let rules = Mutex(Rules())

    init(_ content: Content) {
        self.content = content
        // Units and periods of facts occur many times.
        texts = content.texts.uniqued().map { ParsedText.cache.value($0, ParsedText.init) }
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

    var speakers: SpeakerRule {
        let claims = claims
        return rule(\.speakers) { SpeakerRule(sources: texts, names: mentioned(&$0), claims: claims) }
    }

    var claims: ClaimRule { rule(\.claims) { _ in ClaimRule(sources: texts) } }

    var owners: FigureOwnerRule {
        rule(\.owners) {
            FigureOwnerRule(
                sources: texts, facts: content.facts, names: mentioned(&$0), companies: content.companies)
        }
    }

    var takeover: TakeoverRule { rule(\.takeover) { _ in TakeoverRule(sources: texts) } }

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
            ?? texts.reduce(into: Set<String>()) { $0.formUnion($1.names($1.language ?? .english)) }
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
        let material = Material.cache.value(content(), Material.init)
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
