internal import Basics
internal import JSON

/// A rule that an answer says nothing which its material does not bear out.
package enum GroundingRule: String, Sendable, Hashable, CaseIterable {
    /// People, companies and places occur in the material.
    case names = "names-in-source"
    /// Years, months, days of the week and quarters occur in the material.
    case dates = "dates-in-source"
    /// Nothing is stated that the material denies, denied that it states, or turned into its opposite.
    case claims = "claims-in-source"
    /// Causes are those that the material gives.
    case causes = "causes-in-source"
    /// Nothing is said to happen that the material does not announce.
    case forecasts = "no-forecast"
    /// A figure belongs to the company, the year or the thing that the material gives it to.
    case figures = "figures-of-source"
    /// Each sentence speaks of something that the material speaks of.
    case told = "told-in-source"
    /// No text has a link, markup, the name of an account or of a site that the material does not name, or characters
    /// that nobody sees.
    case plain = "plain-text"
    /// No text breaks off.
    case complete = "complete-sentences"
}

extension Check {
    /// The failures of a rule on the material of an answer, at the texts that break it.
    func groundingFailures(
        _ context: CheckContext, _ rule: GroundingRule, sources: [OutputPath], exempt: [OutputPath]
    ) -> [CheckFailure] {
        let texts = OutputText.all(in: context.json ?? .string(context.output)).filter { text in
            (path?.covers(text.place) ?? true) && !exempt.contains { $0.covers(text.place) }
        }
        guard !texts.isEmpty else { return [] }
        let material = context.readings.material(at: sources) {
            let given =
                sources.isEmpty ? Self.material(of: context.input) : Self.texts(at: sources, in: context.input)
            return Material.Content(
                texts: given + context.facts.map(\.label) + context.quotable, facts: context.facts,
                companies: Self.companies(in: context.input))
        }
        let readings = context.readings
        if rule == .told,
            material.claims.isStrange(answer: texts.map { readings.answer($0.text) }, context.language)
        {
            return [
                failure(
                    texts[0].path, "The material says nothing of this. Say what it says, with its names and figures.")
            ]
        }
        return texts.compactMap { text in
            rule.problem(with: readings.answer(text.text), material, context.language).map {
                failure(text.path, $0)
            }
        }
    }

    /// The tickers of the columns of a comparison, by the first words of the companies' names and by themselves.
    private static func companies(in input: JSON) -> [String: String] {
        var companies: [String: String] = [:]
        for column in input["columns"]?.array ?? [] {
            guard let ticker = column["ticker"]?.string, let name = column["company"]?.string else { continue }
            if let first = CalmWords.split(NormalizedText(name)).first { companies[first.folded] = ticker }
            companies[ticker.folded] = ticker
        }
        // One company that several investors read has no other beside it.
        return Set(companies.values).count > 1 ? companies : [:]
    }

    /// The texts of an input without an earlier answer and what is wrong with it.
    private static func material(of input: JSON) -> [String] {
        guard case .object(let members) = input else { return OutputText.texts(in: input) }
        return members.flatMap { name, value in
            ["draft", "failures", "language"].contains(name) ? [] : OutputText.texts(in: value)
        }
    }
}

extension GroundingRule {
    /// What is wrong with a text of an answer; `nil` when nothing is.
    func problem(with text: ParsedText, _ material: Material, _ language: Language) -> String? {
        switch self {
        case .names:
            material.names(language).strayName(in: text).map {
                "The name \"\($0.prefix(scalars: 80))\" does not occur in the material. Name nobody and nothing that "
                    + "it does not name."
            }
        case .dates:
            material.dates.strayDate(in: text, language).map {
                "The date \"\($0)\" does not occur in the material. Give a date as the material does, or none."
            }
        case .claims:
            material.claims.contradictions(in: text, language).first.map(\.message)
                ?? material.roles.swapped(in: text, language).map { found in
                    "The material says \"\(found.source.prefix(scalars: 160))\", not "
                        + "\"\(found.claim.prefix(scalars: 160))\". Say who did it as the material does."
                }
                ?? material.speakers.misplaced(in: text, language).map { found in
                    "The material has \"\(found.source.prefix(scalars: 160))\", not "
                        + "\"\(found.claim.prefix(scalars: 160))\". Say who said it as the material does."
                }
        case .causes:
            (CauseWords.gives(text, language) ? material.claims.strayCauses(in: text, language).first : nil)?.message
                ?? (CauseWords.tellsMove(text, language)
                ? material.claims.strayPushes(in: text, language).first : nil)?.message
        case .forecasts:
            ClaimRule.mayForecast(text, language)
                ? material.claims.forecasts(in: text, language).first.map(\.message) : nil
        case .told:
            material.claims.strangeSentence(in: text, language).map {
                "The material says nothing of \"\($0.prefix(scalars: 160))\". Leave it out."
            }
        case .figures: material.owners.problem(in: text, language)
        case .plain:
            (PlainTextRule.fault(in: text.text, sources: material.content.texts, hasLines: true)
                ?? ContactRule.fault(in: text) ?? material.takeover.fault(in: text, language)).map { "It \($0)." }
        case .complete:
            CompletenessRule.brokenEnd(of: text.text, language).map {
                "The text breaks off at \"\($0)\". Finish it."
            }
        }
    }
}

extension ClaimRule.Problem {
    /// The problem in words for the model.
    fileprivate var message: String {
        let said = "\"\(claim.prefix(scalars: 160))\""
        let given = source.map { " (\"\($0.prefix(scalars: 160))\")" } ?? ""
        switch reason {
        case .denied:
            return "The material says the contrary\(given) of \(said). State and deny what it states and denies."
        case .opposite: return "The material says the opposite\(given) of \(said). Say what it says."
        case .cause:
            return
                "The material does not give the cause \(said)\(given). Give the causes that it gives, or say that the "
                + "cause is not known."
        case .forecast: return "The material does not announce \(said). Say what is known, and forecast nothing."
        }
    }
}
