import JSON
import JobQueue
import Observability

extension Command {
    private static let userArgument = Argument(name: "USER", help: "A user's id, as X-User-ID names it")

    static let credits: [Command] = [
        Command(
            path: ["credits", "show"], summary: "Show a user's credits", arguments: [userArgument],
            options: [.database, .json]
        ) { invocation in
            try await withStore(invocation) { store, settings in
                let user = try await user(invocation, in: store)
                let balance = try await store.balance(of: user, startingCredits: settings.startingCredits)
                show(balance, invocation)
            }
        },
        Command(
            path: ["credits", "grant"], summary: "Give a user credits, or take some away (negative N)",
            arguments: [userArgument, Argument(name: "N", help: "How many")],
            options: [.database, Option("--note", "TEXT", "Why; kept in the ledger"), .json]
        ) { invocation in
            let text = try invocation.argument("N")
            guard let amount = Int(text), amount != 0, abs(amount) <= 1_000_000_000 else {
                throw CommandFailure.usage("N must be a whole number other than 0, not '\(text)'")
            }
            try await withStore(invocation) { store, settings in
                let user = try await user(invocation, in: store)
                let balance = try await store.grant(
                    amount, to: user, note: invocation.options["--note"] ?? "by an operator",
                    startingCredits: settings.startingCredits)
                guard let balance else { throw CommandFailure.failed("the user has not as many credits to take away") }
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
        path: ["costs"], summary: "Show what was spent on models",
        options: [
            Option("--by", "GROUP", "day, kind, model or user (default day)"),
            Option("--days", "N", "The last N days (default 30)"), .database, .json,
        ]
    ) { invocation in
        let name = invocation.options["--by"] ?? "day"
        guard let grouping = CostGrouping(rawValue: name) else {
            throw CommandFailure.usage("--by must be day, kind, model or user, not '\(name)'")
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

    /// Does something with the database and closes it.
    static func withStore(
        _ invocation: Invocation, _ body: (any Store, Settings) async throws -> Void
    ) async throws {
        let settings = try Settings(environment: invocation.environment, flags: invocation.options)
        let store = try await Composition(settings: settings, logger: .silent).openStore()
        do {
            try await body(store, settings)
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }

    private static func user(_ invocation: Invocation, in store: any Store) async throws -> UserID {
        UserID(rawValue: try await store.account(for: try invocation.argument("USER")).id)
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
