import Basics
import DossierAPI
import BrokerClient
import Foundation
import HTTP
import JSON
import Simulator
import Testing

extension SystemTests.Crashes {
    /// Model calls by batch, with worker processes that are killed with SIGKILL at every point of a batch.
    @Suite(.serialized) struct BatchCrashTests {
        /// More than one transaction of results.
        private static let jobs = 18

        /// A point at which all workers die. A trigger in the database holds the batch there: it refuses the next
        /// commit, so that the worker is killed between the commit before it and that one.
        enum Point: String, Sendable, CaseIterable {
            case sealed, sending, out, collecting

            /// The table, the condition on the new row, and whether the update is refused.
            fileprivate var trigger: (table: String, condition: String) {
                switch self {
                case .sealed: ("model_batch", "NEW.state = 'sending'")
                // The provider has made the batch, and its id is lost with the process.
                case .sending: ("model_batch", "NEW.state IN ('out', 'unclear')")
                case .out: ("model_batch", "NEW.state = 'ended'")
                // Some results are stored.
                case .collecting:
                    (
                        "model_batch_line",
                        "NEW.state = 'answered' AND (SELECT count(*) FROM model_batch_line WHERE state <> 'open') >= 16"
                    )
                }
            }
        }

        @Test(
            .timeLimit(.minutes(10)), arguments: [(DatabaseEngine.sqlite, false), (.sqlite, true), (.postgres, true)])
        func linesAreBoughtOnceAtHalfThePriceHoweverOftenWorkersAreKilled(
            _ engine: DatabaseEngine, _ losesTheAnswer: Bool
        ) async throws {
            try await Fleet.with(
                database: { folder in
                    switch engine {
                    case .sqlite: SQLiteFleetDatabase(in: folder)
                    case .postgres: try await PostgresFleetDatabase()
                    }
                }
            ) { fleet in
                try shortenPauses(of: fleet)
                if losesTheAnswer {
                    fleet.simulator.faults.add(
                        FaultRule(.lostAnswer, service: .claude, path: "/v1/messages/batches", times: 1))
                }
                fleet.simulator.setBatches(BatchSettings(seconds: 3))
                try await fleet.startBroker()
                for point in Point.allCases { try await hold(point, fleet) }
                var ids: [Int: String] = [:]
                for user in 1...Self.jobs {
                    ids[user] = try await fleet.client(user).submit(
                        kind: "research", input: Fleet.input, within: 3600
                    ).id
                }
                for point in Point.allCases {
                    let workers = [try await fleet.startWorker(), try await fleet.startWorker()]
                    try await reached(point, fleet)
                    for worker in workers { try await worker.crash() }
                    try await release(point, fleet)
                }
                _ = try await fleet.startWorker()
                for (user, id) in ids {
                    let job = try await fleet.end(of: id, user: user)
                    #expect(job.status == "completed" && job.attempt == 1, "\(job)")
                }
                try await eventually("the end of every batch") {
                    try await number("SELECT count(*) FROM model_batch WHERE state <> 'collected'", fleet) == 0
                }
                try await expectBooks(fleet)
                try await fleet.expectCleanAudit()
            }
        }

        /// The pauses of an hour's work in seconds, by the operator's settings.
        private func shortenPauses(of fleet: Fleet) throws {
            let file = try #require(fleet.environment["DOSSIER_HOME"]) + "/models.yaml"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let bounds = "batches: {gather: 12, gather_hurried: 4, poll: 2, unclear: 120, lease: 5}\n"
            try (text + "\n" + bounds).write(toFile: file, atomically: true, encoding: .utf8)
        }

        private func number(_ sql: String, _ fleet: Fleet) async throws -> Int {
            try #require(try await fleet.query(sql).first.flatMap { Int($0) })
        }

        // MARK: The points

        private func hold(_ point: Point, _ fleet: Fleet) async throws {
            let (table, condition) = point.trigger
            switch fleet.database.engine {
            case .sqlite:
                try await fleet.database.change(
                    """
                    CREATE TRIGGER hold_\(point) BEFORE UPDATE ON \(table) WHEN \(condition)
                    BEGIN SELECT RAISE(ABORT, 'held by the test'); END
                    """)
            case .postgres:
                try await fleet.database.change(
                    """
                    CREATE FUNCTION hold_\(point)() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN
                        IF \(condition) THEN RAISE EXCEPTION 'held by the test'; END IF;
                        RETURN NEW;
                    END $$
                    """)
                try await fleet.database.change(
                    "CREATE TRIGGER hold_\(point) BEFORE UPDATE ON \(table) FOR EACH ROW EXECUTE FUNCTION hold_\(point)()"
                )
            }
        }

        private func release(_ point: Point, _ fleet: Fleet) async throws {
            let isSQLite = fleet.database.engine == .sqlite
            try await fleet.database.change(
                "DROP TRIGGER hold_\(point)" + (isSQLite ? "" : " ON \(point.trigger.table)"))
        }

        /// Waits until a batch has got to a point.
        private func reached(_ point: Point, _ fleet: Fleet) async throws {
            let state = point == .collecting ? "ended" : point.rawValue
            try await eventually("a batch that is \(point)") {
                guard try await number("SELECT count(*) FROM model_batch WHERE state = '\(state)'", fleet) > 0 else {
                    return false
                }
                switch point {
                case .sealed, .out: return true
                case .sending:
                    return !fleet.simulator.calls(to: .claude).filter { $0.path.hasSuffix("batches") }.isEmpty
                case .collecting:
                    return try await number("SELECT count(*) FROM model_batch_line WHERE state <> 'open'", fleet) > 0
                }
            }
        }

        // MARK: The books

        private func expectBooks(_ fleet: Fleet) async throws {
            let bill = fleet.simulator.bill()
            #expect(bill.count >= Self.jobs && bill.allSatisfy(\.isHalfPrice), "a call was bought at the full price")
            let lines = bill.compactMap(\.line)
            #expect(lines.count == bill.count && Set(lines).count == lines.count, "a line was bought twice")
            let tries = try await fleet.query("SELECT custom_id FROM model_batch_line")
            #expect(Set(tries) == Set(lines), "every line was bought at its first try")
            // Of Claude Sonnet 5.5 in models.yaml.
            let price = BillPrice(input: 2, output: 10, cacheRead: 0.1, cacheWrite5m: 2.5, cacheWrite1h: 4)
            let billed = bill.reduce(0) { $0 + price.microDollars($1) }
            let booked = try await number("SELECT sum(cost_micro_dollars) FROM model_call", fleet)
            #expect(Double(booked) >= Double(billed) * 0.95 && Double(booked) <= Double(billed) * 1.05)
            #expect(try await number("SELECT count(*) FROM model_call WHERE state <> 'ok'", fleet) == 0)
            #expect(try await number("SELECT count(*) FROM model_call", fleet) == bill.count)
            let costs = try await fleet.run("costs", "--by", "kind", "--json")
            #expect(try JSON(parsing: costs.output)["micro_dollars"]?.integer == Int64(booked), "\(costs.output)")
            #expect(try await number("SELECT count(*) FROM model_batch_line WHERE state <> 'journalled'", fleet) == 0)
        }
    }
}
