import JSON
import Prompts
import Simulator
import Testing

@testable import Agents

/// The members of the prompts' inputs, and what the agents give.
@Suite struct PromptMembersTests {
    /// What the runtime gives to every prompt that takes it.
    private static let ofTheRuntime: Set = ["language", "draft", "failures[]"]

    /// Runs of other tests in which agents give to these prompts everything that they have.
    private static let runs: [(prompts: [String], run: @Sendable () async throws -> Void)] = [
        (
            ["analyze", "analyze-questions"],
            {
                let tests = AnalyzeAgentTests()
                try await tests.newContentThatServesTheGoalGetsQuestionsWithHardConceptsFirst()
                try await tests.longTextIsCutAndTheModelIsTold()
            }
        ),
        (
            ["article-chat", "article-chat.watch", "summary", "summary.watch"],
            {
                try await ChatAgentTests().conversationRemembersItsTurns()
                try await ChatAgentTests().watchGetsAShortAnswer()
                let tests = SummaryAgentTests()
                try await tests.summaryKeepsTheLimitsOfItsFormAndIsStoredForAllUsers(form: "phone", tokens: 500)
                try await tests.summaryKeepsTheLimitsOfItsFormAndIsStoredForAllUsers(form: "watch", tokens: 200)
                try await tests.aSubscribersPageIsNotSummarisedForAll()
            }
        ),
        (["comparison"], { try await ComparisonTests().aTextThatPassesStandsBesideTheTableWithTheFiguresItNames() }),
        (["education"], { try await EducationAgentTests().shortQuestionIsSearchedWithTheOneBeforeIt() }),
        (
            ["explanation", "interpret"],
            {
                try await ExplanationAgentTests().fivePartsAndSourcesHaveTheFormOfTheNewsDocuments()
                try await InterpretAgentTests().textWorthKnowingGetsARatingAndAnExplanation()
            }
        ),
        (
            ["filing-reading", "research", "research-repair"],
            {
                try await SharedReadingTests()
                    .`reports of two users at once pay for one reading, and their drafts use it`()
                try await FilingReadingTests()
                    .`a report shows what changed in the risks, word for word and with its place`()
                try await BadClaimTests().`a bad claim is put right by one more answer`(claim: .quote)
            }
        ),
        (["impact"], { try await ImpactAgentTests().oneCallRatesManyStoriesAndTheirLevelsStay() }),
        (
            ["recall-grade"],
            { try await RecallAgentTests().anAnswerIsGradedAgainstThePassageAndSchedulesTheCard() }
        ),
    ]

    /// What an agent gives where there is a reason, of which those runs have none: a text that is cut, an earlier turn, a
    /// story for everybody.
    private static let withReason: Set = [
        "cut", "turns[].question", "turns[].answer", "articles[].cut", "title", "holders[].id", "holders[].name",
        "holders[].required", "stories[].more[]", "columns[].industry", "columns[].walk_aways[]", "notes[]",
        "scorecard.walk_aways[]",
    ]

    @Test func eachMemberThatAPromptDeclaresIsGiven() async throws {
        let record = GivenMembers.Record()
        try await GivenMembers.$record.withValue(record) {
            for (_, run) in Self.runs { try await run() }
        }
        let bundle = try ContentFiles.bundle.get()
        let asked = Set(bundle.kinds.values.flatMap { $0.prompts.values })
        #expect(asked == Set(Self.runs.flatMap(\.prompts)))
        for name in asked.sorted() {
            let schema = try #require(bundle.prompts[name]?.inputSchema)
            let declared = GivenMembers.paths(declaredBy: schema).subtracting(Self.ofTheRuntime)
            let missing = declared.subtracting(record.given(to: name)).subtracting(Self.withReason).sorted()
            #expect(missing.isEmpty, "no agent gives \(missing) to \(name).prompt")
        }
    }
}
