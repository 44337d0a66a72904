import HTTP
import JobQueue
import JSON
import Synchronization
import TestSupport
import Testing

@testable import LanguageModels

/// Books that keep what they are told.
private final class RecordingBook: CallBook {
    struct Entry: Sendable {
        var planned: PlannedCall
        /// Requests that had left when the call was booked.
        var requestsBefore: Int
        var end: CallRecord?
        var use: (@Sendable () -> (usage: TokenUsage, cost: MicroDollars)?)?
    }

    private let transport: ScriptedTransport
    private let refusal: ModelError?
    private let kept = Mutex<[Entry]>([])

    init(_ transport: ScriptedTransport, refusal: ModelError? = nil) {
        self.transport = transport
        self.refusal = refusal
    }

    var entries: [Entry] { kept.withLock(\.self) }
    var ends: [CallRecord] { entries.compactMap(\.end) }

    func begin(_ call: PlannedCall) async throws(ModelError) -> String {
        if let refusal { throw refusal }
        return kept.withLock { kept in
            kept.append(Entry(planned: call, requestsBefore: transport.requests.count))
            return "\(kept.count - 1)"
        }
    }

    func follow(_ id: String, _ use: @escaping @Sendable () -> (usage: TokenUsage, cost: MicroDollars)?) {
        kept.withLock { kept in
            if let place = Int(id) { kept[place].use = use }
        }
    }

    func end(_ id: String, _ call: CallRecord) async {
        kept.withLock { kept in
            guard let place = Int(id) else { return }
            kept[place].end = call
        }
    }
}

/// The books of calls: estimates before the request leaves, and the use of every kind of end.
@Suite struct CallBookTests {
    private let clock = ManualClock()

    private func router(_ transport: ScriptedTransport) throws -> ModelRouter {
        let sonnet = try Fixture.sonnet()
        return ModelRouter(
            ModelCatalogue(models: [sonnet.id: sonnet], tiers: ["deep": [sonnet.id]]),
            configuration: ModelsConfiguration(claude: .init(key: Fixture.key, baseURL: "https://claude.example")),
            transport: transport, clock: clock.source)
    }

    /// A question of 3,000 bytes: 1,001 tokens as estimated.
    private static let question = ModelRequest(
        messages: [.user(String(repeating: "a", count: 3000))], maxOutputTokens: 4000)

    private static func event(_ type: String, _ json: String) -> [UInt8] {
        Array("event: \(type)\ndata: \(json)\n\n".utf8)
    }

    private static func start(_ usage: String) -> [UInt8] {
        event(
            "message_start",
            #"{"type":"message_start","message":{"id":"m","model":"claude-sonnet-5-5","content":[],"usage":\#(usage)}}"#
        )
    }

    private static func text(_ bytes: Int) -> [UInt8] {
        event(
            "content_block_start",
            #"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#)
            + event(
                "content_block_delta",
                """
                {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\
                \(String(repeating: "x", count: bytes))"}}
                """)
    }

    private static func end(_ output: Int) -> [UInt8] {
        event(
            "message_delta",
            #"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":\#(output)}}"#)
    }

    private static let started = start(#"{"input_tokens":800,"output_tokens":1}"#)
    private static let stop = event("message_stop", #"{"type":"message_stop"}"#)

    @Test func aCallIsBookedAtItsEstimateBeforeItsRequestLeaves() async throws {
        let transport = ScriptedTransport(.pieces([Self.started, Self.text(400), Self.end(100), Self.stop]))
        let book = RecordingBook(transport)
        _ = try await router(transport).respond(
            to: Self.question, tier: "deep", caller: CallContext(book: book))
        let entry = try #require(book.entries.first)
        #expect(entry.requestsBefore == 0 && transport.requests.count == 1)
        #expect(entry.planned.usage.input == 1001 && entry.planned.usage.output == 2000)
        #expect(entry.planned.cost.rawValue == 1001 * 2 + 2000 * 10)
        #expect(entry.end?.state == .ok && entry.end?.certainty == .told)
        #expect(entry.end?.usage == TokenUsage(input: 800, output: 100))
        #expect(entry.end?.cost == MicroDollars(rawValue: 800 * 2 + 100 * 10))
    }

    @Test func theBooksCanAskForTheUseOfACallWhileItsAnswerArrives() async throws {
        let pieces = [Self.started, Self.text(300), Self.text(30), Self.end(100), Self.stop]
        let transport = ScriptedTransport(.pieces(pieces))
        let book = RecordingBook(transport)
        let uses = Mutex<[TokenUsage?]>([])
        _ = try await router(transport).respond(
            to: Self.question, tier: "deep", caller: CallContext(book: book)
        ) { _ in
            let use = book.entries.first?.use?()
            uses.withLock { $0.append(use?.usage) }
            if let use { #expect(use.cost.rawValue == use.usage.input * 2 + use.usage.output * 10) }
        }
        // Of each text the bytes count when it has been passed on.
        #expect(uses.withLock { $0.map { $0?.input } } == [800, 800])
        #expect(uses.withLock { $0.map { $0?.output } } == [100, 110])
        let least = try #require(book.entries.first?.planned.least)
        #expect(least.outputTokens == 50 && least.costMicroDollars == 1001 * 2 + 50 * 10)
    }

    @Test func nothingIsKnownOfTheUseOfACallBeforeTheFirstWordOfItsProvider() {
        let planned = TokenUsage(input: 10, output: 1000, isEstimated: true)
        let use = { CallSettlement.use(at: $0, planned: planned, outputTokens: { Int64($0 / 3) }) }
        #expect(use(CallProgress()) == nil)
        #expect(use(CallProgress(outputBytes: 30)) == TokenUsage(input: 10, output: 10, isEstimated: true))
        let told = CallProgress(usage: TokenUsage(input: 8, output: 7), outputBytes: 300, isOutputTold: true)
        #expect(use(told) == TokenUsage(input: 8, output: 7, isEstimated: true))
    }

    @Test func thinkingThatIsNotShownIsBookedByTheTimeThatItTook() throws {
        let (estimates, model) = (CallEstimates(), try Fixture.sonnet())
        var thinking = CallActivity.Snapshot(startedAt: .zero)
        thinking.headAt = .seconds(1)
        // As fast as models of this kind think, until the first answer has shown more: 200 tokens in 4 s, or rather less,
        // since slow calls think longest.
        #expect(estimates.hiddenTokens(of: thinking, until: .seconds(5), by: model) == 155)
        var answered = thinking
        answered.receive(300, at: .seconds(11))
        let usage = TokenUsage(input: 10, output: 900, thinking: 800)
        estimates.learnThinking(from: usage, written: 300, answered, by: model)
        // 800 tokens in 10 s, beside four usual answers of 250 tokens in 5 s.
        #expect(estimates.hiddenTokens(of: thinking, until: .seconds(6), by: model) == 230)
        // The thinking is over when the first content has come.
        #expect(estimates.hiddenTokens(of: answered, until: .seconds(60), by: model) == 600)
        // A provider that fell silent may not write at all.
        #expect(estimates.hiddenTokens(of: thinking, until: nil, by: model) == 0)
        #expect(estimates.hiddenTokens(of: .init(startedAt: .zero), until: .seconds(6), by: model) == 0)
        var error = ModelError(.cancelled)
        error.usage = TokenUsage(input: 10, output: 1)
        let settlement = CallSettlement(usage: .failure(error), planned: usage, hidden: 400)
        #expect(settlement.usage.output == 400 && settlement.certainty == .counted)
    }

    @Test func thinkingThatItsProviderDoesNotTellIsAPartOfTheOutputByItsTime() throws {
        let (estimates, model) = (CallEstimates(), try Fixture.sonnet())
        var thinking = CallActivity.Snapshot(startedAt: .zero)
        thinking.headAt = .seconds(1)
        var answered = thinking
        answered.receive(1, at: .seconds(6))
        answered.receive(1999, at: .seconds(21))
        let response = ModelResponse(
            provider: .claude, requestedModel: model.id, model: model.id, text: String(repeating: "x", count: 2000),
            stopReason: .endOfTurn, usage: TokenUsage(input: 10, output: 800), cost: .zero,
            timings: .init(total: .zero), original: ProviderContent(provider: .claude, content: []))
        estimates.learn(from: response, to: Self.question, by: model, answered)
        estimates.learnThinking(from: response.usage, written: 2000, answered, by: model)
        // Five of twenty seconds are 200 of 800 tokens, and the other 600 are those of the text.
        #expect(estimates.hiddenTokens(of: thinking, until: .seconds(4), by: model) == 118)
        #expect(estimates.tokens(ofOutputBytes: 1000, by: model) == 300)
    }

    @Test func anAnswerThatIsWrittenSlowlyWasThoughtSlowly() throws {
        let (estimates, model) = (CallEstimates(), try Fixture.sonnet())
        var call = CallActivity.Snapshot(startedAt: .zero)
        call.headAt = .seconds(1)
        call.receive(30, at: .seconds(11))
        #expect(estimates.hiddenTokens(of: call, until: .seconds(12), by: model) == 500, "the usual speed")
        call.receive(570, at: .seconds(21))
        // 600 bytes are 200 tokens in ten seconds, as long as it thought.
        #expect(estimates.hiddenTokens(of: call, until: .seconds(22), by: model) == 200)
    }

    @Test func whatAnotherCallHasWrittenMeanwhileIsBookedAsRead() {
        let planned = TokenUsage(input: 10, output: 50, cacheRead: 100, cacheWrite5m: 900, isEstimated: true)
        #expect(planned.reading(0) == planned && planned.reading(100) == planned)
        let read = planned.reading(700)
        #expect(read.cacheRead == 700 && read.cacheWrite5m == 300 && read.prompt == planned.prompt)
        #expect(planned.reading(5000).cacheRead == 1000)
        let long = TokenUsage(input: 10, output: 50, cacheWrite1h: 900)
        #expect(long.reading(700).cacheWrite1h == 200)
    }

    @Test func theFirstQuickAnswersDoNotMakeAllThinkingQuick() throws {
        let (estimates, model) = (CallEstimates(), try Fixture.sonnet())
        var thinking = CallActivity.Snapshot(startedAt: .zero)
        thinking.headAt = .seconds(1)
        var (answered, begun) = (thinking, thinking)
        answered.receive(300, at: .seconds(6))
        begun.receive(1, at: .seconds(11))
        let usage = TokenUsage(input: 10, output: 600, thinking: 500)
        estimates.learnThinking(from: usage, written: 300, answered, by: model)
        #expect(estimates.hiddenTokens(of: begun, until: nil, by: model) == 600)
        #expect(estimates.hiddenTokens(of: thinking, until: .seconds(11), by: model) < 400, "it is a slow one")
        for _ in 0..<30 { estimates.learnThinking(from: usage, written: 300, answered, by: model) }
        #expect(estimates.hiddenTokens(of: begun, until: nil, by: model) > 900)
    }

    @Test func theOutputThatIsToldAtTheBeginningIsNoCountOfACallThatEndsEarly() {
        var error = ModelError(.cancelled)
        error.usage = TokenUsage(input: 10, output: 1)
        let planned = TokenUsage(input: 10, output: 900)
        #expect(
            CallSettlement(usage: .failure(error), planned: planned, isOutputTold: false).certainty == .counted)
        #expect(CallSettlement(usage: .failure(error), planned: planned).certainty == .told)
    }

    @Test func thinkingThatIsShownIsCountedByItsBytesAlone() throws {
        let (estimates, model) = (CallEstimates(), try Fixture.sonnet())
        var call = CallActivity.Snapshot(startedAt: .zero)
        call.headAt = .seconds(1)
        call.receive(2400, at: .seconds(2))
        call.receive(300, at: .seconds(11))
        estimates.learnThinking(
            from: TokenUsage(input: 10, output: 900, thinking: 800), written: 300, call, by: model)
        #expect(estimates.hiddenTokens(of: call, until: .seconds(60), by: model) == 0)
    }

    /// An end of a call, and what the books say of it.
    struct Ending: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var reply: ScriptedTransport.Reply
        var state: ModelCall.State
        var input: Int64 = 0
        var output: Int64 = 0
        var isTold = true
    }

    static let streams: [Ending] = [
        Ending(
            testDescription: "cut off in its midst",
            reply: .pieces([started, text(300)], .connectionLost(host: "h", reason: "reset")),
            state: .cut, input: 800, output: 100, isTold: false),
        Ending(
            testDescription: "cut off before any content",
            reply: .pieces([started], .connectionLost(host: "h", reason: "reset")),
            state: .cut, input: 800, output: 1, isTold: false),
        Ending(
            testDescription: "cut off after the count", reply: .pieces([started, text(300), end(7)]),
            state: .ok, input: 800, output: 7),
        Ending(
            testDescription: "an error in the midst of the stream",
            reply: .pieces([
                started, text(30), event("error", #"{"type":"error","error":{"type":"overloaded_error"}}"#),
            ]), state: .failed, input: 800, output: 10, isTold: false),
        Ending(
            testDescription: "an explicit zero",
            reply: .pieces([
                start(#"{"input_tokens":0,"output_tokens":0}"#), text(30), end(0), stop,
            ]), state: .ok),
        Ending(
            testDescription: "an answer without any usage",
            reply: .pieces([
                event(
                    "message_start",
                    #"{"type":"message_start","message":{"id":"m","model":"claude-sonnet-5-5","content":[]}}"#),
                text(300),
                event("message_delta", #"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#), stop,
            ]), state: .ok, input: 1001, output: 101, isTold: false),
        Ending(
            testDescription: "lost before the first byte", reply: .failure(.connectionLost(host: "h", reason: "reset")),
            state: .cut,
            input: 1001, isTold: false),
        Ending(testDescription: "never answered", reply: .silence, state: .stalled, input: 1001, isTold: false),
        Ending(testDescription: "never connected", reply: .failure(.cannotConnect(host: "h")), state: .failed),
        Ending(testDescription: "no such name", reply: .failure(.cannotResolve(host: "h")), state: .failed),
    ]

    static let statuses: [Ending] = [400, 401, 413, 429, 500, 529].map { status in
        Ending(
            testDescription: "an answer with status \(status)",
            reply: .answer(status: status, body: #"{"type":"error","error":{"type":"x","message":"y"}}"#),
            state: .failed)
    }

    @Test(arguments: streams + statuses)
    func everyEndIsBookedWithWhatIsKnown(_ ending: Ending) async throws {
        let transport = ScriptedTransport(ending.reply)
        let book = RecordingBook(transport)
        let router = try router(transport)
        let call = Task {
            try? await router.respond(to: Self.question, tier: "deep", caller: CallContext(book: book))
        }
        if case .silence = ending.reply {
            while transport.requests.isEmpty || clock.deadlines.isEmpty { await Task.yield() }
            clock.advance(by: CallTimeouts.standard.firstByte)
        }
        _ = await call.value
        let end = try #require(book.ends.first)
        #expect(end.state == ending.state)
        #expect(end.usage?.input == ending.input && end.usage?.output == ending.output)
        #expect(end.certainty == (ending.isTold ? .told : .counted))
        #expect(end.cost?.rawValue == ending.input * 2 + ending.output * 10)
    }

    @Test func aCallThatIsCancelledInItsMidstIsBookedWithItsPromptAndItsTextSoFar() async throws {
        let transport = ScriptedTransport(.pieces([Self.started, Self.text(600)]))
        let book = RecordingBook(transport)
        let error = try await failure {
            try await router(transport).respond(
                to: Self.question, tier: "deep", caller: CallContext(book: book)
            ) { _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        #expect(error.kind == .cancelled)
        let end = try #require(book.ends.first)
        #expect(end.state == .cancelled && end.usage?.input == 800 && end.usage?.output == 200)
        #expect(end.cost == MicroDollars(rawValue: 800 * 2 + 200 * 10))
    }

    @Test(arguments: [ModelError.Kind.spendCapReached(.user), .spendCapReached(.free), .notBooked, .cancelled])
    func aCallThatTheBooksRefuseIsNotMade(_ kind: ModelError.Kind) async throws {
        let transport = ScriptedTransport(.answer(body: "{}"))
        let book = RecordingBook(transport, refusal: ModelError(kind))
        let router = try router(transport)
        for _ in 0..<10 {
            let error = try await failure {
                try await router.respond(to: Self.question, tier: "deep", caller: CallContext(book: book))
            }
            #expect(error.kind == kind)
        }
        #expect(transport.requests.isEmpty)
        // Refusals say nothing of the provider's health.
        #expect(try await failure { try await router.respond(to: Self.question, tier: "deep") }.kind != .unavailable)
    }

    @Test func estimatesFollowTheAnswersOfTheModel() throws {
        let sonnet = try Fixture.sonnet()
        let estimates = CallEstimates()
        var answer = ModelResponse(
            provider: .claude, requestedModel: sonnet.id, model: sonnet.id, text: String(repeating: "x", count: 400),
            stopReason: .endOfTurn, usage: TokenUsage(), cost: .zero, timings: .init(total: .zero),
            original: ProviderContent(provider: .claude, content: []))
        for output in [80, 100, 120] as [Int64] {
            answer.usage = TokenUsage(input: 501, output: output, cacheRead: 250)
            estimates.learn(from: answer, to: Self.question, by: sonnet)
        }
        let usage = estimates.usage(of: Self.question, by: sonnet)
        // The longest answer, while few are known.
        #expect((751...752).contains(usage.input) && usage.output == 120)
        #expect(estimates.tokens(ofOutputBytes: 4000, by: sonnet) == 1000)
        // Requests that permit longer answers learn from their own; before the first one, half of it is expected.
        var long = Self.question
        long.maxOutputTokens = 8000
        #expect(estimates.usage(of: long, by: sonnet).output == 4000)
        answer.usage = TokenUsage(input: 501, output: 1300, cacheRead: 250)
        estimates.learn(from: answer, to: long, by: sonnet)
        #expect(estimates.usage(of: long, by: sonnet).output == 1300)
        #expect(estimates.usage(of: Self.question, by: sonnet).output == 120)
        // An absurd count changes nothing, and other models have estimates of their own.
        answer.usage = TokenUsage(input: 1_000_000, output: 1_000_000)
        estimates.learn(from: answer, to: Self.question, by: sonnet)
        #expect((751...752).contains(estimates.usage(of: Self.question, by: sonnet).input))
        #expect(estimates.usage(of: Self.question, by: try Fixture.flash()).input == 1001)
    }

    /// Processes that are killed every few seconds never see the end of an answer.
    @Test func aProcessEstimatesPromptsByTheFirstEventOfAnAnswer() throws {
        let sonnet = try Fixture.sonnet()
        let estimates = CallEstimates()
        let before = estimates.usage(of: Self.question, by: sonnet).input
        let activity = CallActivity(ManualClock().source) { _ in
        } onCounted: {
            estimates.learnPrompt($0, of: Self.question, by: sonnet)
        }
        #expect(!activity.hasCounted)
        for _ in 0..<2 { activity.counted(TokenUsage(input: before / 4, output: 0, cacheRead: before / 4)) }
        #expect(activity.hasCounted)
        let after = estimates.usage(of: Self.question, by: sonnet).input
        #expect(abs(after - before / 2) <= 1, "\(before) and \(after)")
        // The whole answer does not count once more.
        let answer = ModelResponse(
            provider: .claude, requestedModel: sonnet.id, model: sonnet.id, text: "x", stopReason: .endOfTurn,
            usage: TokenUsage(input: before, output: 10), cost: .zero, timings: .init(total: .zero),
            original: ProviderContent(provider: .claude, content: []))
        estimates.learn(from: answer, to: Self.question, by: sonnet, knowsPrompt: true)
        #expect(estimates.usage(of: Self.question, by: sonnet).input == after)
    }

    @Test func aCallForVectorsIsBookedAndARefusedOneIsNotMade() async throws {
        let transport = ScriptedTransport(
            .answer(body: #"{"embeddings":[{"values":[1]}]}"#), .failure(.connectionLost(host: "h", reason: "reset")),
            .answer(status: 429, body: "{}"))
        let catalogue = try ModelCatalogue(
            parsing: """
                embedding: e
                models:
                  e: { provider: gemini, context: 2048, max_output: 1, prices: [{ input: 1000, output: 0 }] }
                tiers: {}
                """)
        let model = try #require(
            EmbeddingModel(
                catalogue, configuration: ModelsConfiguration(gemini: .init(key: Fixture.key)), over: transport,
                clock: ManualClock().source))
        let book = RecordingBook(transport)
        let texts = [EmbeddingText("123456", for: .question)]
        for _ in 0..<3 { _ = try? await model.vectors(of: texts, booked: book) }
        #expect(book.entries.map(\.requestsBefore) == [0, 1, 2])
        #expect(book.ends.map(\.state) == [.ok, .cut, .failed])
        #expect(book.ends.map { $0.cost?.rawValue } == [3000, 3000, 0])
        let shut = RecordingBook(transport, refusal: ModelError(.spendCapReached(.free)))
        _ = try? await model.vectors(of: texts, booked: shut)
        #expect(transport.requests.count == 3)
    }
}
