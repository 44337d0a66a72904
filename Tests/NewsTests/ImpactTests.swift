import Foundation
import JobQueue
import Testing

@testable import News

/// Hand-labelled headlines, each told by one publisher. The rule was written with `development.tsv` in
/// view; `held-out.tsv` was written before it and looked at only for its figure.
@Suite struct ImpactTests {
    private struct Labelled {
        var level: ImpactLevel
        var title: String
    }

    private static func headlines(_ name: String) throws -> [Labelled] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Impact/\(name).tsv")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            let parts = line.split(separator: "\t")
            return Labelled(
                level: try #require(ImpactLevel(rawValue: String(parts[0]))), title: String(try #require(parts.last)))
        }
    }

    private static func level(_ title: String, publishers: Int = 1) -> ImpactLevel {
        let members = (0..<publishers).map { place in
            Story.Member(
                article: StoryArticle(
                    id: "\(place)", title: title, url: "u\(place)", source: "Paper \(place)", publishedAt: 0),
                similarity: 1)
        }
        return StoryProfile(of: Story(id: StoryID("s"), members: members)).impact
    }

    /// The shares of headlines whose level is right, and at most one level away.
    private static func agreement(_ name: String) throws -> (right: Double, near: Double) {
        let distances = try headlines(name).map { abs($0.level.rank - level($0.title).rank) }
        let count = Double(distances.count)
        return (Double(distances.count { $0 == 0 }) / count, Double(distances.count { $0 <= 1 }) / count)
    }

    /// The rule that counted publishers beside few kinds of events had 0.41 of these right, and 0.80 within one level.
    @Test func theRuleAgreesWithTheHeadlinesThatItWasWrittenWith() throws {
        let (right, near) = try Self.agreement("development")
        #expect(right >= 0.97 && near >= 0.99, "\(right) right, \(near) within one level")
    }

    /// The rule before had 0.38 of these right, and 0.69 within one level.
    @Test func theRuleAgreesWithHeadlinesThatItHasNotSeen() throws {
        let (right, near) = try Self.agreement("held-out")
        #expect(right >= 0.92 && near >= 0.98, "\(right) right, \(near) within one level")
    }

    /// Headlines that were written when the rule was finished; at first it had 0.63 of these right, and 0.80 within one
    /// level, and then got the words that it lacked.
    @Test func theRuleAgreesWithALaterTable() throws {
        let (right, near) = try Self.agreement("second")
        #expect(right >= 0.92 && near >= 0.98, "\(right) right, \(near) within one level")
    }

    /// Three tables, each written before the rule was run on it and then looked at: at first it had 0.58, 0.61 and 0.78
    /// of them right, and 0.83, 0.90 and 0.93 within one level.
    @Test(arguments: [("third", 0.95), ("fourth", 0.95), ("fifth", 0.85)])
    func theRuleAgreesWithTablesInFourLanguages(_ name: String, _ least: Double) throws {
        let (right, near) = try Self.agreement(name)
        #expect(right >= least && near >= 0.97, "\(right) right, \(near) within one level")
    }

    @Test func theTablesHaveManyHeadlinesOfEachLevel() throws {
        let all = try Self.headlines("development") + Self.headlines("held-out")
        let counts = Dictionary(grouping: all, by: \.level).mapValues(\.count)
        #expect(all.count >= 250 && Set(all.map(\.title)).count == all.count)
        #expect(ImpactLevel.allCases.allSatisfy { counts[$0, default: 0] >= 50 })
    }

    @Test(arguments: [
        ("City museum opens new wing for modern art", ImpactLevel.veryLow),
        ("Lakers beat Celtics in overtime", .veryLow),
        ("A plane is missing over the sea", .low), ("Ford recalls 3,200 Mustangs for loose bolts", .low),
        ("Apple posts record holiday quarter as iPhone sales climb", .moderate),
    ]) func manyPublishersMakeNothingLarge(title: String, most: ImpactLevel) {
        #expect(Self.level(title, publishers: 40) <= most)
        #expect(Self.level(title, publishers: 1) <= Self.level(title, publishers: 40))
    }

    @Test(arguments: [
        "Swiss bank rescued in weekend deal", "Lender rescued by rival after deposits flee",
        "Government bails out country's second largest bank", "Regulators take over Signature Bank",
    ]) func aBanksRescueIsHighWhenOnePublisherTellsIt(title: String) {
        #expect(Self.level(title) == .high)
    }

    @Test(arguments: [
        "Firefighters rescue cat from bank roof", "Food bank faces closure", "Blood bank runs low",
        "Film about a bank's collapse wins prize", "Ten years on: how the bank rescues changed Britain",
        "Bank robbery suspect arrested", "Civil War re-enactment draws crowds", "War film tops box office",
    ]) func wordsOfGraveEventsInOtherSensesWeighNothing(title: String) {
        #expect(Self.level(title) == .veryLow)
    }

    @Test(arguments: [
        "Tyre maker to close plant in Ohio", "Paper mill in Maine to shut after a century",
        "Closure of a steelworks in Wales is confirmed", "Smelter in Tasmania to shut after forty years",
        "Reifenhersteller schließt Werk in Thüringen", "Fermeture d'une usine de pneus à Cholet",
        "Cierra una fábrica de coches en Barcelona",
    ]) func theEndOfAPlaceOfWorkIsLowAndNotLess(title: String) {
        #expect(Self.level(title) == .low)
    }

    @Test(arguments: ["Bakery to close early on Sunday", "Museum in old mill closes for repairs"])
    func otherClosingsWeighNothing(title: String) { #expect(Self.level(title) == .veryLow) }

    @Test func headlinesThatAskOrAllegeWeighLess() {
        #expect(Self.level("Could Apple buy Disney?") < Self.level("Apple to buy Disney"))
        #expect(Self.level("Hackers claim exchange is bankrupt") < Self.level("Bitcoin exchange is bankrupt"))
        // The month is no doubt.
        #expect(Self.level("US inflation rises in May") == Self.level("US inflation rises in June"))
    }

    @Test func figuresDecideHowMuchAnEventWeighs() {
        #expect(Self.level("Ford recalls 12,000 vehicles") < Self.level("Ford recalls 1.2 million vehicles"))
        #expect(Self.level("Deere to cut 200 jobs") < Self.level("Deere to cut 20,000 jobs"))
        #expect(Self.level("Kroger buys bakery for $90 million") < Self.level("Kroger buys rival for $24.6bn"))
        #expect(Self.level("Oil falls 1%") < Self.level("Oil falls 9 percent"))
    }
}
