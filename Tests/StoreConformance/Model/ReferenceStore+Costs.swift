import Foundation
import JobQueue
import TestSupport

extension ReferenceStore {
    func costs(by grouping: CostGrouping) -> Set<CostLine> {
        let groups = Dictionary(grouping: calls.values) { paid in
            switch grouping {
            case .day: Self.day(of: paid.at)
            case .kind: paid.kind
            case .model: paid.call.provider + "/" + paid.call.model
            case .user: "\(paid.user.rawValue)"
            }
        }
        return Set(
            groups.map { group, paid in
                let calls = paid.map(\.call)
                return CostLine(
                    group: group, calls: Int64(calls.count),
                    inputTokens: calls.reduce(0) { $0 + $1.inputTokens + $1.cacheReadTokens + $1.cacheWriteTokens },
                    outputTokens: calls.reduce(0) { $0 + $1.outputTokens },
                    microDollars: calls.reduce(0) { $0 + $1.costMicroDollars })
            })
    }

    private static func day(of timestamp: Timestamp) -> String {
        String(Date(timeIntervalSince1970: Double(timestamp.milliseconds) / 1000).ISO8601Format().prefix(10))
    }
}
