import DataSources
import Prompts
import Testing

@testable import Agents

@Suite struct PersonaTests {
    @Test func everyPersonaNamesMetricsThatExistAndTheFiguresTheyAreMadeOf() throws {
        let personas = try Home.bundle.get().personas
        #expect(Set(personas.keys).isSuperset(of: ["buffett", "munger", "graham", "lynch", "fisher", "wood"]))
        for persona in personas.values {
            let named =
                persona.checklist.map { ($0.rule.metric, $0.needs) } + persona.walkAways.map { ($0.metric, $0.needs) }
            for (name, needs) in named {
                let metric = try #require(Metric.all[name], "\(persona.id): \(name)")
                #expect(Set(needs) == Set(metric.needs.map(\.rawValue)), "\(persona.id): \(name)")
            }
            #expect(isNear(persona.checklist.reduce(0) { $0 + $1.weight }, 100), "\(persona.id)")
        }
    }

    @Test func aPersonaThatLeavesOutAFigureIsRefused() throws {
        var rules = Home.rules
        rules.metrics["roic_median"]?.insert("goodwill")
        #expect(throws: BundleProblems.self) { try BundleLoader.load(home: Home.path, rules: rules) }
    }

    /// Without a price and without what banks do not report, each still has half of its weight, or abstains.
    @Test func noPersonaRestsOnThePriceForMoreThanHalf() throws {
        for persona in try Home.bundle.get().personas.values {
            let priced = persona.checklist.filter { Metric.all[$0.rule.metric]?.needsPrice == true }
            #expect(priced.reduce(0) { $0 + $1.weight } <= 50, "\(persona.id)")
        }
    }

    /// Rules are flat beyond their ends: what loses money or shrinks must not lie on a plateau above zero.
    @Test func lossesAndShrinkingScoreNothing() throws {
        for persona in try Home.bundle.get().personas.values {
            for item in persona.checklist {
                let isEarning = item.rule.metric.hasPrefix("owner_earnings") || item.rule.metric.contains("roic")
                let isGrowth = item.rule.metric.contains("_growth_") && !item.rule.metric.hasSuffix("_years")
                guard isEarning || isGrowth else { continue }
                #expect(item.rule.score(of: -0.3) == 0, "\(persona.id): \(item.id)")
            }
        }
    }
}
