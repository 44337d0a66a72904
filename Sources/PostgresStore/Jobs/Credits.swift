package import JobQueue
import SQLSupport

extension PostgresStore {
    package func balance(of user: UserID, startingCredits: Int) async throws(StoreError) -> CreditBalance {
        try await readers.perform(user, in: reads.balance)
            ?? CreditBalance(granted: startingCredits, held: 0, used: 0)
    }

    package func grant(
        _ amount: Int, to user: UserID, note: String, startingCredits: Int
    ) async throws(StoreError) -> CreditBalance? {
        try Texts.rejectNUL([("note", note)])
        let input = GrantInput(
            operation: JobID(high: .random(in: 0...(.max)), low: .random(in: 0...(.max))), user: user, amount: amount,
            note: note, startingCredits: startingCredits)
        return try await writers.perform(input, in: writes.grant)
    }

    package func auditCredits() async throws(StoreError) -> [CreditDiscrepancy] {
        try await readers.perform((), in: reads.audit)
    }
}

struct GrantInput: Sendable {
    /// Identifies this grant when it is repeated after a lost answer.
    var operation: JobID
    var user: UserID
    var amount: Int
    var note: String
    var startingCredits: Int
}

extension BatchOperation where Input == GrantInput, Output == CreditBalance? {
    /// Repeatable: the ledger stores the id of each grant.
    static let grant = BatchOperation(
        limit: 16,
        keys: { [.user($0.user)] },
        lockOrder: { .user($0.user) },
        statements: { inputs, context in
            inputs.map { input in
                Statement(.grantCredits) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(input.operation)
                    parameters.add(input.user.rawValue)
                    parameters.add(Int64(input.amount))
                    parameters.add(input.note)
                    parameters.add(Int64(input.startingCredits))
                }
            }
        },
        read: { answer, _ in answer.rows.map { rows in .done(rows.first { CreditBalance(&$0) }) } })
}

extension BatchOperation where Input == UserID, Output == CreditBalance? {
    static let balance = BatchOperation(
        limit: 128,
        statements: { inputs, _ in [Statement(.balanceGet) { $0.add(integers: inputs.map(\.rawValue)) }] },
        read: { answer, inputs in
            answer.verdicts(inputs.count, missing: .done(nil)) { .done(CreditBalance(&$0)) }
        })
}

extension BatchOperation where Input == Void, Output == [CreditDiscrepancy] {
    static let audit = BatchOperation(
        timeout: .seconds(300), scansTables: true,
        statements: { _, _ in [Statement(.auditCredits)] },
        read: { answer, inputs in
            let found = answer.rows.first.map(Audit.discrepancies) ?? []
            return inputs.map { _ in .done(found) }
        })
}

private enum Audit {
    /// Joins problems of jobs and holds to the balances of their users.
    static func discrepancies(_ rows: PostgresRows) -> [CreditDiscrepancy] {
        var remarks: [UserID: [String]] = [:]
        var audited: [CreditDiscrepancy] = []
        rows.each { row in
            let (question, user, job) = (row.text(), row.user(), row.jobIDIfAny())
            let (status, opened, closed) = (row.textIfAny(), row.textIfAny(), row.textIfAny())
            let entry = row.integer()
            let (stored, recomputed) = (CreditBalance(&row), CreditBalance(&row))
            let id = job?.description ?? ""
            switch question {
            case "job":
                let state = opened == "hold" ? closed.map { "closed by '\($0)'" } ?? "open" : "missing"
                remarks[user, default: []].append(
                    "job \(id) is \(status ?? ""), but its hold is \(state) or of another amount")
            case "hold":
                remarks[user, default: []].append(
                    "ledger entry \(entry) holds credits for job \(id), which does not know of it")
            default: audited.append(CreditDiscrepancy(user: user, stored: stored, recomputed: recomputed))
            }
        }
        return audited.compactMap { line in
            var line = line
            line.remarks = remarks[line.user] ?? []
            return line.stored != line.recomputed || !line.remarks.isEmpty ? line : nil
        }.sorted { $0.user < $1.user }
    }
}
