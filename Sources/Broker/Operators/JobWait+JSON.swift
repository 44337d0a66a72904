internal import JSON
internal import JobQueue

extension JobWait {
    /// The wait with a sentence for people. The present one has the reason of the job itself.
    func json(_ why: JobWhy?) -> JSON {
        let present = until == nil ? why : nil
        return [
            "code": JSON(present?.code.rawValue ?? word), "from": JSON(from.iso8601), "until": JSON(until?.iso8601),
            "sentence": JSON(present?.sentence ?? sentence),
        ]
    }

    private var word: String {
        switch code {
        case .why(let code): code.rawValue
        case .death: "death"
        }
    }

    private var sentence: String {
        let time = ((until ?? from) - from).spoken
        guard case .why(let code) = code else {
            return "Its worker gave no sign any more; \(time) later another process noticed."
        }
        return switch code {
        case .scheduled: "It waited \(time) for the time that its request asked for."
        case .retry: "It waited \(time) before another attempt."
        case .providerBudget: "It waited \(time) for the service's own budget of model calls."
        case .providerBlocked: "It waited \(time) for a provider that took no calls."
        case .breakerOpen: "It waited \(time) for a provider that had failed too often in a row."
        case .batch: "It waited \(time) for the answer of a batch."
        case .paused: "Its kind or its lane was paused for \(time)."
        case .serial: "It waited \(time) for an earlier job of its concurrency key."
        case .shared: "It waited \(time) for another job that did the same work."
        case .slot: "It waited \(time), since as many jobs of its kind ran as may."
        case .noWorker, .noCapableWorker, .queue, .workerSilent, .providerSilent, .running, .failed, .cancelled:
            "It was ready and waited \(time) for a worker."
        }
    }
}

extension Duration {
    /// `250 ms`, `1.2 s`, `12 s`, `15 min` or `2.5 h`.
    fileprivate var spoken: String {
        let milliseconds = max(components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000, 0)
        func tenths(_ value: Int64, _ unit: Int64) -> String {
            let tenths = value * 10 / unit
            return tenths >= 100 || tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        }
        return switch milliseconds {
        case ..<1000: "\(milliseconds) ms"
        case ..<120_000: "\(tenths(milliseconds, 1000)) s"
        case ..<7_200_000: "\(tenths(milliseconds, 60_000)) min"
        default: "\(tenths(milliseconds, 3_600_000)) h"
        }
    }
}
