import Broker
import JobQueue
import JSON
import Observability

extension Command {
    static let costs = Command(
        path: ["costs"], summary: "Show the cost of model calls, failed and cancelled ones included",
        options: [
            Option(
                "--by", "GROUP", "Group by \(CostGrouping.names) (default day)",
                choices: CostGrouping.allCases.map(\.rawValue)),
            Option("--days", "N", "The last N days (default 30)"),
            Option(
                "--saved", nil, "Compare with the list price: what caches and batches saved, and unread marks cost"),
            .database, .json,
        ]
    ) { invocation in
        let name = invocation.options["--by"] ?? "day"
        guard let grouping = CostGrouping(rawValue: name) else {
            throw CommandFailure.usage("--by must be \(CostGrouping.names), not '\(name)'")
        }
        let days = try invocation.integer("--days", in: 1...36_500, default: 30)
        guard grouping != .bundle || !invocation.has("--saved") else {
            throw CommandFailure.usage("--saved does not go with --by bundle")
        }
        try await withStore(invocation) { store, settings in
            let since = try await store.now() - .seconds(days * 86_400)
            var lines = try await store.modelCosts(by: grouping, since: since)
            var unread: [String: Int64]?
            if invocation.has("--saved") { unread = try await unreadMarks(by: grouping, since: since, in: store) }
            if grouping == .user || grouping == .plan {
                let groups = Set(lines.map(\.group) + (unread ?? [:]).keys)
                let plans = try Composition(settings: settings, logger: .silent).loadPlans()
                let names =
                    try await grouping == .user
                    ? userNames(of: groups, in: store) : planNames(of: groups, plans, in: store)
                lines = lines.renamed { names[$0] ?? $0 }
                unread = unread.map { unread in
                    Dictionary(unread.map { (names[$0.key] ?? $0.key, $0.value) }) { $0 + $1 }
                }
            }
            if invocation.has("--json") {
                for line in lines {
                    Terminal.print(line.json(unread: unread.map { $0[line.group] ?? 0 }).compact)
                }
            } else {
                Terminal.print(CostTable(lines: lines, grouping: grouping, unread: unread).text)
            }
        }
    }

    /// The ids of users as apps know them, by the number that the store has for each. An erased user has none.
    private static func userNames(of groups: Set<String>, in store: any Store) async throws -> [String: String] {
        var names: [String: String] = [:]
        for group in groups {
            guard let number = Int64(group) else { continue }
            names[group] = try await store.account(id: UserID(rawValue: number))?.subject
        }
        return names
    }

    /// The plans that users have now, by the users' numbers.
    private static func planNames(
        of groups: Set<String>, _ plans: Plans, in store: any Store
    ) async throws -> [String: String] {
        var names: [String: String] = [:]
        for group in groups {
            guard let number = Int64(group) else { continue }
            let user = UserID(rawValue: number)
            names[group] = user == .system ? "system" : plans.plan(for: try await store.planChoice(of: user)).name
        }
        return names
    }

    /// What marks cost that nobody read, by group.
    private static func unreadMarks(
        by grouping: CostGrouping, since start: Timestamp, in store: any Store
    ) async throws -> [String: Int64] {
        let page = 2000
        var marks = UnreadMarks(by: grouping)
        var last: MarkedCall?
        repeat {
            let calls = try await store.markedCalls(since: start, after: last, limit: page)
            for call in calls { marks.add(call) }
            last = calls.count < page ? nil : calls.last
        } while last != nil
        marks.close(before: try await store.now())
        return marks.microDollars
    }
}

extension CostGrouping {
    /// The names for help and errors.
    fileprivate static let names: String = {
        let names = allCases.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }()
}

/// The cost of model calls as a table with a total.
struct CostTable {
    let lines: [CostLine]
    let grouping: CostGrouping

    /// What marks cost that nobody read, by group; `nil` for a table without what was saved.
    var unread: [String: Int64]?

    var text: String {
        guard !lines.isEmpty else { return "no model calls" }
        let total = lines.dropFirst().reduce(into: lines[0]) { $0.add($1) }
        let header = [grouping.rawValue, "calls"] + columns.map(\.title)
        let rows =
            [header] + lines.map { cells($0, $0.group, unread: unread?[$0.group] ?? 0) }
            + [cells(total, "total", unread: unread?.values.reduce(0, +) ?? 0)]
        let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private typealias Column = (title: String, text: @Sendable (_ line: CostLine, _ unread: Int64) -> String)

    private var columns: [Column] {
        guard unread != nil else {
            return [
                ("input tokens", { line, _ in "\(line.inputTokens)" }),
                ("output tokens", { line, _ in "\(line.outputTokens)" }),
                ("dollars", { line, _ in Self.dollars(line.microDollars) }),
                ("of failed", { line, _ in Self.dollars(line.failedMicroDollars) }),
                ("of cancelled", { line, _ in Self.dollars(line.cancelledMicroDollars) }),
            ]
        }
        return [
            ("list price", { line, _ in Self.dollars(line.microDollars + line.saved) }),
            ("saved by cache", { line, _ in Self.dollars(line.savedByCache) }),
            ("saved by batch", { line, _ in Self.dollars(line.savedByBatch) }),
            ("dollars", { line, _ in Self.dollars(line.microDollars) }),
            ("of unread marks", { _, unread in Self.dollars(unread) }),
        ]
    }

    private func cells(_ line: CostLine, _ group: String, unread: Int64) -> [String] {
        [group, "\(line.calls)"] + columns.map { $0.text(line, unread) }
    }

    private static func dollars(_ amount: Int64) -> String {
        let cents = String(amount.magnitude % 1_000_000)
        return "\(amount < 0 ? "-" : "")\(amount.magnitude / 1_000_000)."
            + String(repeating: "0", count: 6 - cents.count) + cents
    }
}

extension CostLine {
    fileprivate mutating func add(_ other: CostLine) {
        calls += other.calls
        inputTokens += other.inputTokens
        outputTokens += other.outputTokens
        microDollars += other.microDollars
        failedMicroDollars += other.failedMicroDollars
        cancelledMicroDollars += other.cancelledMicroDollars
        savedByCache += other.savedByCache
        savedByBatch += other.savedByBatch
    }
}
