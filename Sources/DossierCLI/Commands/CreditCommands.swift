import Broker
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
                let user = try await user(invocation, settings, in: store)
                let plan = try await plan(of: user, settings, store)
                let balance = try await store.balance(of: user, startingCredits: plan.startingCredits)
                show(balance, invocation)
            }
        },
        Command(
            path: ["credits", "grant"], summary: "Grant a user credits, or remove some (negative N)",
            arguments: [userArgument, Argument(name: "N", help: "The number of credits")],
            options: [
                .database, Option("--note", "TEXT", "The reason, for the ledger"),
                Option("--external-id", "ID", "The id of the grant elsewhere; it happens once"),
                Option(
                    "--source", "SOURCE", "purchase, refund, gift or correction (default correction)",
                    choices: CreditSource.ofOperators.map(\.rawValue).sorted()), .json,
            ],
            notes: "With --external-id a negative N takes at most what remains."
        ) { invocation in
            let text = try invocation.argument("N")
            guard let amount = Int(text), amount != 0, abs(amount) <= 1_000_000_000 else {
                throw CommandFailure.usage("N must be a whole number other than 0, not '\(text)'")
            }
            let word = invocation.options["--source"] ?? CreditSource.correction.rawValue
            guard let source = CreditSource(rawValue: word), CreditSource.ofOperators.contains(source) else {
                throw CommandFailure.usage("--source must be purchase, refund, gift or correction")
            }
            try await withStore(invocation) { store, settings in
                if let externalID = invocation.options["--external-id"] {
                    let request = CreditGrantRequest(
                        user: try invocation.argument("USER"), amount: amount, externalID: externalID, source: source,
                        note: invocation.options["--note"], create: true)
                    return try await grant(request, settings, invocation, in: store)
                }
                let user = try await user(invocation, settings, in: store)
                let plan = try await plan(of: user, settings, store)
                let balance = try await store.grant(
                    amount, to: user, note: invocation.options["--note"] ?? "by an operator",
                    startingCredits: plan.startingCredits)
                guard let balance else { throw CommandFailure.failed("the user has fewer credits than that to remove") }
                show(balance, invocation)
            }
        },
        Command(
            path: ["credits", "monthly"], summary: "Grant the credits that plans give in a month, where they are due",
            options: [
                .database, Option("--month", "MONTH", "The month, such as 2026-12 (default: the present one)"), .json,
            ],
            notes: "Brokers do this by themselves; any number of times grants each month once."
        ) { invocation in
            try await withStore(invocation) { store, settings in
                let month: CalendarMonth
                if let text = invocation.options["--month"] {
                    guard let named = CalendarMonth(text) else {
                        throw CommandFailure.usage("--month must be a month such as 2026-12, not '\(text)'")
                    }
                    month = named
                } else {
                    month = CalendarMonth(of: try await store.now())
                }
                let plans = try Composition(settings: settings, logger: .silent).loadPlans()
                let change = try await MonthlySweep(store, plans: plans).begin(month)
                try await store.writeAudit(
                    .commandLine(
                        "credits.monthly", at: try await store.now(), target: month.description,
                        details: ["granted": JSON(change.granted), "expired": JSON(change.expired)]))
                if invocation.has("--json") {
                    let json: JSON = ["granted": JSON(change.granted), "expired": JSON(change.expired)]
                    Terminal.print(json.compact)
                } else {
                    Terminal.print("granted \(change.granted), expired \(change.expired)")
                }
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

    /// Grants credits under an external id, as the API does.
    private static func grant(
        _ request: CreditGrantRequest, _ settings: Settings, _ invocation: Invocation, in store: any Store
    ) async throws {
        guard abs(request.amount) <= CreditGrant.largest else {
            throw CommandFailure.usage("N must be from -\(CreditGrant.largest) to \(CreditGrant.largest)")
        }
        guard CreditGrantRequest.isExternalID(request.externalID) else {
            throw CommandFailure.usage(
                "--external-id must be 1 to \(CreditGrant.longestExternalID) printable characters")
        }
        if let earlier = try await request.madeBeforeErasure(in: store) {
            guard case .existing(let made) = earlier else {
                throw CommandFailure.failed("the external id belongs to another grant")
            }
            return Terminal.print(invocation.has("--json") ? request.answer(made).compact : made.balance.text)
        }
        try check(request.user, settings)
        let user = try await store.account(for: request.user).id
        let plan = try await plan(of: user, settings, store)
        let now = try await store.now()
        var generator = SystemRandomNumberGenerator()
        let grant = NewCreditGrant(
            id: JobID(at: now, using: &generator), user: user, amount: request.amount, externalID: request.externalID,
            source: request.source, note: request.note, startingCredits: plan.startingCredits)
        let audit = AuditEntry.commandLine(
            "credits.grant", at: now, target: request.user, user: user, details: request.auditDetails)
        switch try await store.grant(grant, audit: audit) {
        case .granted(let made), .existing(let made):
            Terminal.print(invocation.has("--json") ? request.answer(made).compact : made.balance.text)
        case .conflict: throw CommandFailure.failed("the external id belongs to another grant")
        case .tooMany: throw CommandFailure.failed("the user would have more credits than can be counted")
        }
    }

    // MARK: Shared

    /// The plan of a user, whose month begins before anything else.
    private static func plan(of user: UserID, _ settings: Settings, _ store: any Store) async throws -> Plan {
        let plans = try Composition(settings: settings, logger: .silent).loadPlans()
        let plan = plans.plan(for: try await store.planChoice(of: user)).plan
        let isKept = try await store.hasMonthlyCredits()
        guard isKept || plan.monthlyCredits > 0 else { return plan }
        let month = CalendarMonth(of: try await store.now())
        _ = try await store.begin(MonthlyGrant(plan, to: user, month: month.description))
        return plan
    }

    private static func user(
        _ invocation: Invocation, _ settings: Settings, in store: any Store
    ) async throws -> UserID {
        let subject = try invocation.argument("USER")
        try check(subject, settings)
        return try await store.account(for: subject).id
    }

    /// Refuses a user of another database before an account is opened.
    private static func check(_ subject: String, _ settings: Settings) throws(CommandFailure) {
        guard settings.userSlots.contains(subject) else {
            throw .usage(
                "the user has slot \(UserSlots.slot(of: subject)) and belongs to another database (DOSSIER_USER_SLOTS)")
        }
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
