import JobQueue
import Synchronization

/// A budget store that grants every request unless it is told otherwise, and keeps the requests.
final class ScriptedBudgetStore: BudgetStore {
    private struct State {
        var requests: [BudgetRequest] = []
        var waits: [String: (pause: Duration, times: Int)] = [:]
        var blocks: [String: Duration] = [:]
        var isUnreachable = false
    }

    private let state = Mutex(State())

    var requests: [BudgetRequest] { state.withLock(\.requests) }

    var isUnreachable: Bool {
        get { state.withLock(\.isUnreachable) }
        set { state.withLock { $0.isUnreachable = newValue } }
    }

    /// Grants nothing for a number of requests.
    func wait(_ pause: Duration, for budget: String, times: Int = .max) {
        state.withLock { $0.waits[budget] = (pause, times) }
    }

    func exchange(_ requests: [BudgetRequest]) async throws(StoreError) -> [BudgetReply] {
        if isUnreachable { throw .unavailable(reason: "unreachable") }
        return state.withLock { state in requests.map { Self.reply(to: $0, &state) } }
    }

    private static func reply(to request: BudgetRequest, _ state: inout State) -> BudgetReply {
        state.requests.append(request)
        if let pause = request.blockedFor { state.blocks[request.budget] = pause }
        var reply = BudgetReply(
            granted: request.need == nil ? nil : request.wanted, wait: .zero, blockedFor: nil,
            timestamp: Timestamp(milliseconds: Int64(state.requests.count)))
        if let pause = state.blocks[request.budget] {
            (reply.granted, reply.wait, reply.blockedFor) = (nil, pause, pause)
        } else if request.need != nil, let wait = state.waits[request.budget], wait.times > 0 {
            state.waits[request.budget] = (wait.pause, wait.times - 1)
            (reply.granted, reply.wait) = (nil, wait.pause)
        }
        return reply
    }
}
