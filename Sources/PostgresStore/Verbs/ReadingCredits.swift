import SQLSupport
internal import JobQueue

/// What a user spent on models since a moment.
struct SpendQuestion: Sendable {
    var user: UserID
    var since: Timestamp
}

/// What was spent on models, in groups, since a moment.
struct CostQuestion: Sendable {
    var grouping: CostGrouping
    var since: Timestamp

    fileprivate var query: Query {
        switch grouping {
        case .day: .modelCostsByDay
        case .kind: .modelCostsByKind
        case .model: .modelCostsByModel
        case .user: .modelCostsByUser
        }
    }
}

extension BatchOperation where Input == UserID, Output == CreditBalance? {
    static let balance = BatchOperation(
        limit: 128,
        statements: { inputs, _ in [Statement(.balanceGet) { $0.add(integers: inputs.map(\.rawValue)) }] },
        read: { answer, inputs in
            answer.verdicts(inputs.count, missing: .done(nil)) { .done(CreditBalance(&$0)) }
        })
}

extension BatchOperation where Input == SpendQuestion, Output == Int64 {
    static let spend = BatchOperation(
        limit: 32,
        statements: { inputs, _ in
            inputs.map { question in
                Statement(.modelSpend) { parameters in
                    parameters.add(question.user.rawValue)
                    parameters.add(question.since.milliseconds)
                }
            }
        },
        read: { answer, _ in answer.rows.map { rows in .done(rows.first { $0.integer() } ?? 0) } })
}

extension BatchOperation where Input == CostQuestion, Output == [CostLine] {
    static let costs = BatchOperation(
        limit: 4, timeout: .seconds(120),
        statements: { inputs, _ in
            inputs.map { question in Statement(question.query) { $0.add(question.since.milliseconds) } }
        },
        read: { answer, _ in
            answer.rows.map { rows in
                .done(
                    rows.map {
                        CostLine(
                            group: $0.text(), calls: $0.integer(), inputTokens: $0.integer(),
                            outputTokens: $0.integer(), microDollars: $0.integer())
                    })
            }
        })
}

extension BatchOperation where Input == Void, Output == [CreditDiscrepancy] {
    static let audit = BatchOperation(
        timeout: .seconds(300),
        statements: { _, _ in [Statement(.auditCredits)] },
        read: { answer, inputs in
            let found = answer.rows.first.map(Audit.discrepancies) ?? []
            return inputs.map { _ in .done(found) }
        })
}

private enum Audit {
    /// Puts what is wrong with jobs and holds beside their users' balances.
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
