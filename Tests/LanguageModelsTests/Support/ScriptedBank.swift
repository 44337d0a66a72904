import LanguageModels
import Synchronization

/// A bank that lends what is needed unless it is told otherwise, and remembers what it was asked.
final class ScriptedBank: BudgetBank {
    private struct State {
        var requests: [BudgetRequest] = []
        var waits: [String: (pause: Duration, times: Int)] = [:]
        var blocks: [String: Duration] = [:]
        var isClosed = false
    }

    struct Closed: Error {}

    private let state = Mutex(State())

    var requests: [BudgetRequest] { state.withLock(\.requests) }

    var isClosed: Bool {
        get { state.withLock(\.isClosed) }
        set { state.withLock { $0.isClosed = newValue } }
    }

    /// Lends nothing, so many times.
    func wait(_ pause: Duration, for budget: String, times: Int = .max) {
        state.withLock { $0.waits[budget] = (pause, times) }
    }

    func exchange(_ request: BudgetRequest) async throws -> BudgetAnswer {
        try state.withLock { state in
            if state.isClosed { throw Closed() }
            state.requests.append(request)
            let name = request.budget.name
            if let pause = request.blockedFor { state.blocks[name] = pause }
            let timestamp = Int64(state.requests.count)
            if let pause = state.blocks[name] {
                return BudgetAnswer(granted: nil, wait: pause, blockedFor: pause, timestamp: timestamp)
            }
            if request.need != nil, let wait = state.waits[name], wait.times > 0 {
                state.waits[name] = (wait.pause, wait.times - 1)
                return BudgetAnswer(granted: nil, wait: wait.pause, blockedFor: nil, timestamp: timestamp)
            }
            return BudgetAnswer(
                granted: request.need == nil ? nil : request.wanted, wait: .zero, blockedFor: nil, timestamp: timestamp)
        }
    }
}
