import JSON
import JobQueue
import Synchronization
import TestSupport

@testable import LanguageModels

/// A model whose answers a test gives word by word.
final class SteeredModel: LanguageModel {
    enum Command: Sendable {
        case head
        case text(String)
        case end
        case failure(ModelError.Kind)
    }

    let description: ModelDescription
    /// Whether calls go on after their cancellation, as the bytes of an answer on its way do.
    private let ignoresCancellation: Bool
    private let state = Mutex<[AsyncStream<Command>.Continuation]>([])
    private let read = Mutex(0)

    init(_ description: ModelDescription, ignoresCancellation: Bool = false) {
        self.description = description
        self.ignoresCancellation = ignoresCancellation
    }

    var calls: Int { state.withLock(\.count) }
    /// The commands that calls have followed.
    var commandsRead: Int { read.withLock(\.self) }

    /// Continues the answer to a call, the latest one unless it is named.
    func send(_ commands: Command..., to call: Int? = nil) {
        let continuation = state.withLock { calls in call.map { calls[$0] } ?? calls.last }
        for command in commands { continuation?.yield(command) }
    }

    func respond(
        to request: ModelRequest, activity: CallActivity, onText: (@Sendable (String) -> Void)?
    ) async throws(ModelError) -> ModelResponse {
        let (commands, continuation) = AsyncStream.makeStream(of: Command.self)
        state.withLock { $0.append(continuation) }
        let reading = Task { await read(commands, activity, onText) }
        let ignores = ignoresCancellation
        let outcome = await withTaskCancellationHandler {
            await reading.value
        } onCancel: {
            if !ignores { reading.cancel() }
        }
        return try outcome.get()
    }

    private func read(
        _ commands: AsyncStream<Command>, _ activity: CallActivity, _ onText: (@Sendable (String) -> Void)?
    ) async -> Result<ModelResponse, ModelError> {
        var written = ""
        for await command in commands {
            defer { self.read.withLock { $0 += 1 } }
            switch command {
            case .head: activity.receivedHead()
            case .text(let text):
                written += text
                activity.received(text.utf8.count)
                onText?(text)
            case .end:
                return .success(
                    ModelResponse(
                        provider: description.provider, requestedModel: description.id, model: description.id,
                        text: written, stopReason: .endOfTurn, usage: TokenUsage(input: 100, output: 10),
                        cost: MicroDollars(rawValue: 300), timings: .init(total: .zero),
                        original: ProviderContent(provider: description.provider, content: [])))
            case .failure(let kind):
                return .failure(ModelError(kind, provider: description.provider, model: description.id))
            }
        }
        return .failure(ModelError(.cancelled))
    }
}

/// Books that keep what they are told, and hold hedges or not.
final class KeptBook: CallBook {
    struct Entry: Sendable {
        var planned: PlannedCall
        var end: CallRecord?
    }

    private let holdsHedges: Bool
    private let kept = Mutex<[Entry]>([])

    init(holdsHedges: Bool = true) { self.holdsHedges = holdsHedges }

    var entries: [Entry] { kept.withLock(\.self) }

    func begin(_ call: PlannedCall) async throws(ModelError) -> String {
        if call.hedgeOf != nil, !holdsHedges { throw ModelError(.hedgeRefused) }
        return kept.withLock { kept in
            kept.append(Entry(planned: call))
            return "\(kept.count - 1)"
        }
    }

    func follow(_ id: String, _ use: @escaping @Sendable () -> (usage: TokenUsage, cost: MicroDollars)?) {}

    func end(_ id: String, _ call: CallRecord) async {
        kept.withLock { kept in if let place = Int(id) { kept[place].end = call } }
    }
}
