import SQLSupport
internal import JobQueue

extension Parameters {
    /// The model calls of all requests of a batch, each with the place of its request, from 1.
    mutating func add(effects: [[Effect]]) {
        var calls: [(place: Int64, call: ModelCall)] = []
        for (index, effects) in effects.enumerated() {
            for case .recordModelCall(let call) in effects { calls.append((Int64(index + 1), call)) }
        }
        add(integers: calls.map { $0.place })
        add(texts: calls.map { $0.call.id })
        add(texts: calls.map { $0.call.provider })
        add(texts: calls.map { $0.call.model })
        add(integers: calls.map { $0.call.inputTokens })
        add(integers: calls.map { $0.call.outputTokens })
        add(integers: calls.map { $0.call.cacheReadTokens })
        add(integers: calls.map { $0.call.cacheWriteTokens })
        add(integers: calls.map { $0.call.costMicroDollars })
    }
}
