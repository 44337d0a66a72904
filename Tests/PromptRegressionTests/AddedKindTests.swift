import JSON
import LanguageModels
import Prompts
import Simulator
import Testing

@testable import PromptRegression

/// A kind of job that is added as files works with the simulator: no line of Swift knows its schema.
@Suite struct AddedKindTests {
    private static func workspace() throws -> Workspace {
        let workspace = try Workspace(cases: [])
        try workspace.write(tour, to: "prompts/tour.prompt")
        try workspace.write(tourCase, to: "prompts/cases/tour/clocks/case.yaml")
        try workspace.write(ledger, to: "prompts/ledger.prompt")
        try workspace.write(ledgerCase, to: "prompts/cases/ledger/chess/case.yaml")
        let kind = try workspace.text("jobs/summary.yaml").replacing("kind: summary", with: "kind: tour")
            .replacing("phone: summary", with: "phone: tour").replacing("watch: summary.watch", with: "watch: tour")
        try workspace.write(kind, to: "jobs/tour.yaml")
        return workspace
    }

    @Test(arguments: ["tour/clocks", "ledger/chess"], [ModelProvider.claude, .gemini, .openai])
    func theSimulatorsAnswerFitsTheSchemaAndPassesTheChecks(name: String, provider: ModelProvider) async throws {
        let workspace = try Self.workspace()
        let bundle = try workspace.bundle()
        #expect(bundle.kinds["tour"] != nil)
        let promptCase = try #require(
            CaseLibrary.load(home: workspace.home, bundle: bundle).cases.first { "\($0.id)" == name })
        let prompt = try #require(bundle.prompts[promptCase.id.prompt])
        let request = try CaseRun(promptCase, bundle: bundle).request.get()
        let simulated = SimulatedModelClient(try Workspace.catalogue())
        let recording = try await simulated.record(request, provider: provider, simulation: nil, at: "now")
        await simulated.stop()
        let evaluation = Evaluation(of: recording, to: promptCase, by: prompt, in: bundle)
        #expect(evaluation.outcome == .answered, "\(evaluation.problem ?? "")")
        #expect(evaluation.failures.isEmpty, "\(evaluation.failures)")
        #expect(recording.response.text.contains("simulated"))
    }

    private static let tour = """
        ---
        description: Turns an interview into a tour of a museum.
        model: fast
        config:
          maxOutputTokens: 1500
        input:
          schema:
            visitor: string, what the visitor wants
            interview: string
            rooms(array):
              id: string
              name: string
              remark: string, where the interview speaks of it
        output:
          format: json
          schema:
            greeting: string, exactly two sentences
            mood(enum, the mood of the interview): [bright, sombre, plain]
            usefulness: number, from 1 to 5
            stops(array, exactly three stops):
              room: string, the name of the room, copied from the list
              saying: string, one sentence of the interview, copied word for word
              note: string, one sentence
            tags(array, exactly two tags): string, a few words
            riddles(array, exactly two questions):
              type(enum): [open, mcq]
              question: string, one question
              answer: string, the right answer; of an mcq one of its options, copied word for word
              options?(array): string, only for an mcq, three options
        dossier.checks:
          - {type: sentence-count, path: greeting, value: 2}
          - {type: starts-with, path: greeting, value: Welcome inside}
          - {type: item-count, path: stops, value: 3}
          - {type: sources-in-input, path: "stops[].room", value: "rooms[].name"}
          - {type: quote-in-source, path: "stops[].saying", value: interview}
          - {type: no-near-duplicates, path: "stops[].saying", value: 0.85}
          - {type: sentence-count, path: "stops[].note", value: 1}
          - {type: word-count, path: "stops[].note", value: {max: 20}}
          - {type: item-count, path: tags, value: 2}
          - {type: word-count, path: "tags[]", value: {min: 1, max: 10}}
          - {type: item-count, path: riddles, value: 2}
          - {type: recall-question, path: "riddles[]"}
          - {type: figures-in-facts, sources: [interview], exempt: [usefulness]}
          - {type: not-icontains-any, value: [matter, report, lasting]}
          - {type: json-schema, path: usefulness, value: {type: number, minimum: 1, maximum: 5}}
        ---
        {{role "system"}}
        You plan a tour of a museum.

        - greeting: begin with "Welcome inside". Exactly two sentences.
        - note: what the visitor sees there.
        - Never use the words "matter", "report" or "lasting".
        {{role "user"}}
        What the visitor wants:
        {{fenced visitor as="visitor"}}

        The rooms:
        {{fenced (json rooms indent=2) as="rooms"}}

        The interview:
        {{fenced interview as="interview"}}
        """

    private static let tourCase = """
        description: A museum of clocks.
        input:
          visitor: How clocks were made
          interview: >-
            Our oldest clock was built in 1640 and still strikes every hour. In the workshop, apprentices filed each wheel by hand
            for seven years. The tower room holds a pendulum of 12 metres. Sailors trusted the brass chronometer more than the
            stars. A repair takes us about three weeks.
          rooms:
            - {id: r1, name: the workshop, remark: "In the workshop, apprentices filed each wheel by hand for seven years."}
            - {id: r2, name: the tower room, remark: The tower room holds a pendulum of 12 metres.}
            - {id: r3, name: the sea gallery, remark: Sailors trusted the brass chronometer more than the stars.}
        """

    private static let ledger = #"""
        ---
        description: Comments on the accounts of a club.
        model: fast
        config:
          maxOutputTokens: 1200
        input:
          schema:
            facts(array):
              id: string
              label: string
              value: string
              unit?: string
              period?: string
              form?: string
        output:
          format: json
          schema:
            type: object
            additionalProperties: false
            required: [overview, remarks, grade, code]
            properties:
              overview: {type: string, description: "two or three sentences", maxLength: 600}
              remarks:
                type: array
                minItems: 4
                maxItems: 4
                items:
                  type: object
                  additionalProperties: false
                  required: [about, detail, reference]
                  properties:
                    about: {type: string, description: "a few words"}
                    detail: {type: string, description: "one sentence with its figure"}
                    reference: {type: string, description: the id of a fact}
              grade: {type: integer, minimum: 1, maximum: 6}
              code: {type: string, pattern: "^[A-Z]{2}-[0-9]{4}$"}
        dossier.checks:
          - {type: figures-in-facts, exempt: [code, grade, "remarks[].reference"]}
          - {type: sentence-count, path: overview, value: {min: 2, max: 3}}
          - {type: item-count, path: remarks, value: 4}
          - {type: sentence-count, path: "remarks[].detail", value: 1}
          - {type: sources-in-input, path: "remarks[].reference", value: "facts[].id"}
        ---
        {{role "system"}}
        You comment on the accounts of a club for its members.
        {{role "user"}}
        The facts:
        {{fenced (facts_table facts) as="facts"}}
        """#

    private static let ledgerCase = """
        description: A chess club.
        input:
          facts:
            - {id: dues.2025, label: Dues received, value: "12,400", unit: EUR, period: FY2025, form: ledger}
            - {id: hall.2025, label: Rent of the hall, value: "4,800", unit: EUR, period: FY2025, form: ledger}
            - {id: members.2025, label: Members, value: "155", unit: people, period: FY2025, form: ledger}
            - {id: prizes.2025, label: Prizes paid, value: "950", unit: EUR, period: FY2025, form: ledger}
        facts:
          - {label: Dues received, value: 12400, unit: EUR}
          - {label: Rent of the hall, value: 4800, unit: EUR}
          - {label: Members, value: 155, unit: number}
          - {label: Prizes paid, value: 950, unit: EUR}
        """
}
