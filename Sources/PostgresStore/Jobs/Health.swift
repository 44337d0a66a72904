package import JobQueue
import SQLSupport

extension PostgresStore: StoreHealth {
    package func health(keeping retention: Retention) async throws(StoreError) -> [HealthReading] {
        let counts = try await readers.perform(retention, in: reads.health).map(\.reading)
        return [schema.reading] + counts + (try await readers.perform((), in: reads.settings).map(\.reading))
    }
}

/// A measured number for operators.
struct HealthCount: Sendable {
    var name: String
    var value: Int64?

    /// The time after its deadline from which an unfinished job means that no worker checks deadlines.
    static let overdue: Duration = .seconds(60)
    /// Retention runs every minute until nothing is left; a delay of a day means that no worker runs.
    static let retentionDelay: Duration = .seconds(86_400)
    /// The age in seconds from which an open transaction is a problem: it keeps dead rows from being removed.
    private static let oldTransaction: Int64 = 600

    var reading: HealthReading {
        let count = value ?? 0
        return switch name {
        case "invalid_indexes":
            reading(
                "integrity", isGood: count == 0, "every index is valid", "\(count) indexes are invalid; rebuild them")
        case "database_bytes": good("the database has \(count) bytes")
        case "dead_rows": good("\(count) dead rows are still to be vacuumed")
        case "oldest_transaction_seconds":
            reading(
                name, isGood: count < Self.oldTransaction, "no transaction has been open for long",
                "a transaction has been open for \(count) s and keeps dead rows from being removed")
        case "jobs_ready": good("\(count) jobs are ready")
        case "jobs_scheduled": good("\(count) jobs wait for their time")
        case "jobs_waiting": good("\(count) jobs wait for a permit of their kind")
        case "jobs_blocked": good("\(count) jobs wait behind another of their concurrency key")
        case "jobs_following": good("\(count) jobs wait for a shared job")
        case "leases": good("\(count) jobs run")
        case "leases_idle": HealthReading.idleLeases(count)
        case "jobs_unserved": HealthReading.unservedJobs(count)
        case "oldest_unfinished_seconds":
            good(value.map { "the oldest unfinished job is \($0) s old" } ?? "no job is unfinished")
        case "jobs_overdue":
            reading(
                name, isGood: count == 0, "no job is past its deadline",
                "\(count) jobs are past their deadline; is a worker running?")
        case "jobs_to_delete":
            reading(
                name, isGood: count == 0, "no old job is left over",
                "\(count) old jobs should have been deleted; is a worker running?")
        case "jobs_lost":
            reading(
                name, isGood: count == 0, "every unfinished job is in the place of its state",
                "\(count) unfinished jobs are in no place")
        default:
            reading(
                name, isGood: count == 0, "every count of permits agrees with the jobs",
                "\(count) counts of permits contradict the jobs")
        }
    }

    private func good(_ text: String) -> HealthReading {
        HealthReading(name: name, value: value, text: text, isGood: true)
    }

    private func reading(_ name: String, isGood: Bool, _ well: String, _ badly: String) -> HealthReading {
        HealthReading(name: name, value: value, text: isGood ? well : badly, isGood: isGood)
    }
}

extension BatchOperation where Input == Retention, Output == [HealthCount] {
    static let health = BatchOperation(
        limit: 1, timeout: .seconds(120), scansTables: true,
        statements: { inputs, context in
            inputs.map { retention in
                Statement(.health) { parameters in
                    parameters.add(HealthCount.overdue.wholeMilliseconds)
                    parameters.add((retention.jobs + HealthCount.retentionDelay).wholeMilliseconds)
                    parameters.add(HistoryPass.idempotencyWindow.wholeMilliseconds)
                    parameters.add(context.now?.milliseconds)
                }
            }
        },
        read: { answer, _ in
            [.done(answer.rows.first?.map { HealthCount(name: $0.text(), value: $0.integerIfAny()) } ?? [])]
        })
}

extension PostgresStore: JobCounting {
    package func jobCounts(submittedSince timestamp: Timestamp) async throws(StoreError) -> [JobCount] {
        try await readers.perform(timestamp, in: reads.counts)
    }

    package func jobTimes(limit: Int) async throws(StoreError) -> [JobTime] {
        try await perform(Statement(.jobTimes) { $0.add(Int64(limit)) }, in: readers, reads.monitoring) {
            JobTime(kind: $0.text(), duration: .milliseconds($0.integer()))
        }
    }
}

extension BatchOperation where Input == Timestamp, Output == [JobCount] {
    static let counts = BatchOperation(
        limit: 4, timeout: .seconds(60), scansTables: true,
        statements: { inputs, context in
            inputs.map { timestamp in
                Statement(.jobCounts) { parameters in
                    parameters.add(timestamp.milliseconds)
                    parameters.add(context.now?.milliseconds)
                }
            }
        },
        read: { answer, _ in
            try answer.rows.map { rows in
                var tallies: [JobCount] = []
                try rows.each { tallies.append(try JobCount(&$0)) }
                return .done(tallies)
            }
        })
}
