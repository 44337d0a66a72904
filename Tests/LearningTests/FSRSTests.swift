import Foundation
import JobQueue
import Testing

@testable import Learning

/// The schedule of cards, compared with the reference implementation of FSRS-6.
@Suite struct FSRSTests {
    private static let start = Timestamp(milliseconds: 1_800_000_000_000)

    private func intervals(_ ratings: [ReviewRating]) -> [Int64] {
        var card = CardSchedule(due: Self.start)
        return ratings.map { rating in
            let time = card.due
            card = FSRSParameters.standard.schedule(card, after: rating, at: time)
            return (card.due - time).wholeMilliseconds / 86_400_000
        }
    }

    /// The vector that the reference implementations of FSRS-6 publish in their own tests.
    @Test func theIntervalsAreThePublishedOnes() {
        let ratings: [ReviewRating] = [
            .good, .good, .good, .good, .good, .good, .again, .again, .good, .good, .good, .good, .good,
        ]
        #expect(intervals(ratings) == [0, 2, 11, 46, 163, 498, 0, 0, 2, 4, 7, 12, 21])
    }

    @Test func aCardThatIsAlwaysEasyHasTheLeastDifficulty() {
        var card = CardSchedule(due: Self.start)
        for second in 0..<10 {
            card = FSRSParameters.standard.schedule(card, after: .easy, at: Self.start + .seconds(second))
        }
        #expect(card.memory?.difficulty == 1)
    }

    @Test func theProbabilityOfRecallIsNinetyPercentWhenTheStabilityHasPassed() throws {
        let memory = MemoryState(stability: 10, difficulty: 5)
        let card = CardSchedule(phase: .review, memory: memory, lastReview: Self.start, due: Self.start)
        let later = try #require(
            FSRSParameters.standard.retrievability(of: card, at: Self.start + .seconds(10 * 86_400)))
        #expect(abs(later - 0.9) < 1e-12)
        #expect(FSRSParameters.standard.retrievability(of: card, at: Self.start - .seconds(5)) == 1)
        #expect(FSRSParameters.standard.retrievability(of: CardSchedule(due: Self.start), at: Self.start) == nil)
    }

    /// `Scripts/fsrs-vectors` writes the file.
    @Test func thousandsOfRandomReviewsHaveTheTimesAndMemoriesOfTheReference() throws {
        let vectors = try Vectors()
        var reviews = 0
        for vector in vectors.cards {
            var card = CardSchedule(due: Self.start)
            for (review, due) in zip(vector.reviews, vector.dues) {
                card = vector.parameters.schedule(card, after: review.rating, at: Self.start + .seconds(review.second))
                #expect(card.due == Self.start + .seconds(due), "line \(vector.line)")
                reviews += 1
            }
            let memory = try #require(card.memory)
            #expect(abs(memory.stability / vector.stability - 1) < 1e-9, "line \(vector.line)")
            #expect(abs(memory.difficulty - vector.difficulty) < 1e-9, "line \(vector.line)")
        }
        #expect(vectors.cards.count >= 3000 && reviews >= 15_000)
    }
}

/// The lines of `fsrs-vectors.tsv`.
private struct Vectors {
    struct Card {
        var line: Int
        var parameters: FSRSParameters
        var reviews: [(rating: ReviewRating, second: Int)]
        var dues: [Int]
        var stability: Double
        var difficulty: Double
    }

    private(set) var cards: [Card] = []

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "fsrs-vectors.tsv")
        var weights: [[Double]] = []
        for (number, line) in try String(contentsOf: file, encoding: .utf8).split(separator: "\n").enumerated() {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if fields[0] == "w" {
                weights.append(fields[2].split(separator: ",").compactMap { Double($0) })
                continue
            }
            try #require(fields.count == 9, "line \(number + 1)")
            func seconds(_ text: String) -> [Int] { text.split(separator: ",").compactMap { Int($0) } }
            let reviews = try fields[5].split(separator: ",").map { review in
                let parts = review.split(separator: "@").compactMap { Int($0) }
                return (rating: try #require(ReviewRating(rawValue: parts[0])), second: parts[1])
            }
            cards.append(
                Card(
                    line: number + 1,
                    parameters: FSRSParameters(
                        weights: weights[try #require(Int(fields[4]))],
                        desiredRetention: try #require(Double(fields[0])),
                        learningSteps: seconds(fields[2]).map { .seconds($0) },
                        relearningSteps: seconds(fields[3]).map { .seconds($0) },
                        maximumInterval: try #require(Int(fields[1]))),
                    reviews: reviews, dues: seconds(fields[6]), stability: try #require(Double(fields[7])),
                    difficulty: try #require(Double(fields[8]))))
        }
    }
}
