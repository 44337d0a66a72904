import Foundation
import JobQueue
import JSON
import Observability

extension Command {
    private static let userArgument = Argument(name: "USER", help: "The user's id, as in X-User-ID")

    static let credits: [Command] = [
        Command(
            path: ["credits", "show"], summary: "Show a user's credits", arguments: [userArgument],
            options: [.database, .json]
        ) { invocation in
            try await withStore(invocation) { store, settings in
                let user = try await user(invocation, in: store)
                let plans = try Composition(settings: settings, logger: .silent).loadPlans()
                let balance = try await store.balance(of: user, startingCredits: plans.standard.startingCredits)
                show(balance, invocation)
            }
        },
        Command(
            path: ["credits", "grant"], summary: "Grant a user credits, or remove some (negative N)",
            arguments: [userArgument, Argument(name: "N", help: "The number of credits")],
            options: [.database, Option("--note", "TEXT", "The reason, for the ledger"), .json]
        ) { invocation in
            let text = try invocation.argument("N")
            guard let amount = Int(text), amount != 0, abs(amount) <= 1_000_000_000 else {
                throw CommandFailure.usage("N must be a whole number other than 0, not '\(text)'")
            }
            try await withStore(invocation) { store, settings in
                let user = try await user(invocation, in: store)
                let plans = try Composition(settings: settings, logger: .silent).loadPlans()
                let balance = try await store.grant(
                    amount, to: user, note: invocation.options["--note"] ?? "by an operator",
                    startingCredits: plans.standard.startingCredits)
                guard let balance else { throw CommandFailure.failed("the user has fewer credits than that to remove") }
                show(balance, invocation)
            }
        },
        Command(
            path: ["credits", "audit"], summary: "Recompute every balance from the ledger; exit 1 on a difference",
            options: [.database, .json]
        ) { invocation in
            try await withStore(invocation) { store, _ in
                let differences = try await store.auditCredits()
                if invocation.has("--json") {
                    Terminal.print(JSON.array(differences.map(\.json)).compact)
                } else if differences.isEmpty {
                    Terminal.print("every balance agrees with the ledger")
                } else {
                    for difference in differences { Terminal.print(difference.text) }
                }
                if !differences.isEmpty { throw CommandFailure.silent }
            }
        },
    ]

    static let costs = Command(
        path: ["costs"], summary: "Show the cost of model calls, failed and cancelled ones included",
        options: [
            Option("--by", "GROUP", "Group by day, kind, model, user or job (default day)"),
            Option("--days", "N", "The last N days (default 30)"), .database, .json,
        ]
    ) { invocation in
        let name = invocation.options["--by"] ?? "day"
        guard let grouping = CostGrouping(rawValue: name) else {
            throw CommandFailure.usage("--by must be day, kind, model, user or job, not '\(name)'")
        }
        let days = try invocation.integer("--days", in: 1...36_500, default: 30)
        try await withStore(invocation) { store, _ in
            let since = try await store.now() - .seconds(days * 86_400)
            let lines = try await store.modelCosts(by: grouping, since: since)
            if invocation.has("--json") {
                for line in lines { Terminal.print(line.json.compact) }
            } else {
                Terminal.print(CostTable(lines: lines, grouping: grouping).text)
            }
        }
    }

    // MARK: Shared

    private static func user(_ invocation: Invocation, in store: any Store) async throws -> UserID {
        try await store.account(for: try invocation.argument("USER")).id
    }

    private static func show(_ balance: CreditBalance, _ invocation: Invocation) {
        Terminal.print(invocation.has("--json") ? balance.json.compact : balance.text)
    }
}

extension CreditBalance {
    var text: String { "\(remaining) remaining, \(held) held, \(used) used of \(granted) granted" }
}

extension CreditDiscrepancy {
    var json: JSON {
        [
            "user": JSON(user.rawValue), "stored": stored.json, "recomputed": recomputed.json, "remarks": JSON(remarks),
        ]
    }

    var text: String {
        "user \(user.rawValue): stored \(stored.text); by the ledger \(recomputed.text)"
            + remarks.map { "; \($0)" }.joined()
    }
}

/// The cost of model calls as a table with a total.
struct CostTable {
    let lines: [CostLine]
    let grouping: CostGrouping

    var text: String {
        guard !lines.isEmpty else { return "no model calls" }
        let total = CostLine(
            group: "total", calls: lines.reduce(0) { $0 + $1.calls },
            inputTokens: lines.reduce(0) { $0 + $1.inputTokens },
            outputTokens: lines.reduce(0) { $0 + $1.outputTokens },
            microDollars: lines.reduce(0) { $0 + $1.microDollars },
            failedMicroDollars: lines.reduce(0) { $0 + $1.failedMicroDollars },
            cancelledMicroDollars: lines.reduce(0) { $0 + $1.cancelledMicroDollars })
        let header = [
            grouping.rawValue, "calls", "input tokens", "output tokens", "dollars", "of failed", "of cancelled",
        ]
        let rows = [header] + (lines + [total]).map(\.cells)
        let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}

extension CostLine {
    fileprivate var cells: [String] {
        [group, "\(calls)", "\(inputTokens)", "\(outputTokens)"]
            + [microDollars, failedMicroDollars, cancelledMicroDollars].map { amount in
                let cents = String(amount % 1_000_000)
                return "\(amount / 1_000_000)." + String(repeating: "0", count: 6 - cents.count) + cents
            }
    }

    var json: JSON {
        [
            "group": JSON(group), "calls": JSON(calls), "input_tokens": JSON(inputTokens),
            "output_tokens": JSON(outputTokens), "micro_dollars": JSON(microDollars),
            "of_failed": JSON(failedMicroDollars), "of_cancelled": JSON(cancelledMicroDollars),
        ]
    }
}
