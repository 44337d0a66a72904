import DossierAPI
import BrokerClient
import Foundation
import Glibc
import HTTP
import JSON
import Simulator
import Testing

extension SystemTests.Timing {
    /// The books of model calls after cancels, deaths and sleeps of real processes, compared with what the provider
    /// saw.
    @Suite(.serialized) struct SpendTests {
        private static func with(
            _ engine: DatabaseEngine, variables: Fleet.Variables = [:], _ body: (Fleet) async throws -> Void
        ) async throws {
            try await Fleet.with(
                pacing: Pacing(tokensPerSecond: 1500, deltaLength: 80), variables: variables,
                database: { folder in
                    switch engine {
                    case .sqlite: SQLiteFleetDatabase(in: folder)
                    case .postgres: try await PostgresFleetDatabase()
                    }
                }, body)
        }

        /// Submits a report and holds its model in the midst of the answer.
        private func writing(_ fleet: Fleet) async throws -> String {
            fleet.tempo.hold(after: 15)
            let id = try await fleet.submit().id
            try await fleet.state(of: id) { $0.progress > 31 || $0.isFinished }
            return id
        }

        private func number(_ sql: String, _ fleet: Fleet) async throws -> Int {
            try #require(try await fleet.query(sql).first.flatMap { Int($0) })
        }

        @Test(.timeLimit(.minutes(10)), arguments: DatabaseEngine.allCases)
        func theBooksEqualWhatTheProviderSawAfterCancelsDeathsAndSleeps(_ engine: DatabaseEngine) async throws {
            try await Self.with(engine, variables: ["DOSSIER_STARTING_CREDITS": "20"]) { fleet in
                try await fleet.startBroker()
                let first = try await fleet.startWorker()
                // A first answer shows how the model counts.
                #expect(try await fleet.end(of: try await fleet.submit().id).status == "completed")

                for _ in 0..<2 {
                    let id = try await writing(fleet)
                    #expect(try await fleet.client().cancel(id).status == "cancelled")
                    try await eventually("the booking of the cancel") {
                        try await number("SELECT count(*) FROM model_call WHERE state = 'running'", fleet) == 0
                    }
                    fleet.tempo.release()
                }
                let cancelled = "SELECT count(*) FROM model_call WHERE state = 'cancelled' AND output_tokens > 0"
                #expect(try await number(cancelled, fleet) == 2)

                for status in [529, 400] {
                    fleet.fail(.status(status), user: 1, times: 1)
                    _ = try await fleet.end(of: try await fleet.submit().id)
                }

                // kill -9 in the midst of an answer.
                let orphan = try await writing(fleet)
                try await eventually("the booking of what has been written") {
                    let counted = "SELECT count(*) FROM model_call WHERE state = 'running' AND certainty = 1"
                    return try await number(counted, fleet) == 1
                }
                try await first.crash()
                let second = try await fleet.startWorker()
                fleet.tempo.release()
                #expect(try await fleet.end(of: orphan).status == "completed")
                try await eventually("the end of the dead worker's call") {
                    try await number("SELECT count(*) FROM model_call WHERE state = 'cut'", fleet) == 1
                }

                // A process that sleeps through its rescue books its answer and changes nothing.
                let stolen = try await writing(fleet)
                _ = try await fleet.startWorker()
                try await fleet.freeze(second)
                fleet.tempo.release()
                _ = try await fleet.rescue(of: second)
                #expect(try await fleet.end(of: stolen).status == "completed")
                let before = try await fleet.send(.get, "/api/v1/jobs/\(stolen)").headers["ETag"]
                try await eventually("the end of both calls") { !fleet.calls().contains { $0.outcome == .underWay } }
                second.signal(SIGCONT)
                _ = try await second.errors.record("declared dead; starting over under a new id")
                try await eventually("the booking of the late answer") {
                    let cut = try await number("SELECT count(*) FROM model_call WHERE state = 'cut'", fleet)
                    let running = try await number("SELECT count(*) FROM model_call WHERE state = 'running'", fleet)
                    return cut == 1 && running == 0
                }
                #expect(try await fleet.send(.get, "/api/v1/jobs/\(stolen)").headers["ETag"] == before)

                try await expectBooks(of: fleet)
                try await fleet.expectCleanAudit()
            }
        }

        /// Compares the books with the provider's record, and the day's sums with the rows.
        private func expectBooks(of fleet: Fleet) async throws {
            let seen = fleet.simulator.calls(to: .claude)
            let billed = seen.compactMap(\.billed)
            #expect(try await number("SELECT count(*) FROM model_call", fleet) == seen.count)
            let input = try await number(
                "SELECT sum(input_tokens + cache_read_tokens + cache_write_tokens) FROM model_call", fleet)
            let prompts = billed.reduce(0) { $0 + $1.input }
            #expect(abs(Double(input - prompts)) <= Double(prompts) * 0.02, "\(input) booked, \(prompts) billed")
            let output = try await number("SELECT sum(output_tokens) FROM model_call", fleet)
            let written = billed.reduce(0) { $0 + $1.output }
            // What a process had read of an answer since its last heartbeat dies with it: less than a usual answer.
            #expect(
                abs(Double(output - written)) <= Double(written) * 0.05 + 900, "\(output) booked, \(written) written")
            let rows = try await number("SELECT sum(cost_micro_dollars) FROM model_call", fleet)
            #expect(try await number("SELECT sum(micro_dollars) FROM user_spend", fleet) == rows)
            #expect(try await number("SELECT sum(micro_dollars) FROM service_spend", fleet) == rows)
            let costs = try await fleet.run("costs", "--by", "kind", "--json")
            let line = try JSON(parsing: costs.output)
            #expect(line["micro_dollars"]?.integer == Int64(rows), "\(costs.output)")
            #expect((line["of_cancelled"]?.integer ?? 0) > 0 && (line["of_failed"]?.integer ?? 0) > 0)
        }

        @Test(.timeLimit(.minutes(10)), arguments: DatabaseEngine.allCases)
        func cancelsWhileAReportIsWrittenReachTheLimitOfTheDay(_ engine: DatabaseEngine) async throws {
            try await Self.with(engine) { fleet in
                let plans = fleet.folder + "/plans.yaml"
                let text = "default: standard\nplans:\n  standard:\n    spend_dollars_per_day: 0.10\n"
                try text.write(toFile: plans, atomically: true, encoding: .utf8)
                let variables: Fleet.Variables = ["DOSSIER_PLANS": plans]
                try await fleet.startBroker(variables: variables)
                let worker = try await fleet.startWorker(variables: variables)
                var cancels = 0
                var refusal: ErrorCode?
                while refusal == nil, cancels < 60 {
                    let id: String
                    do {
                        id = try await writing(fleet)
                    } catch ClientError.refused(_, let error) {
                        // The limit is reached exactly: the submit is refused, and not the job's call.
                        refusal = error.code
                        fleet.tempo.release()
                        break
                    }
                    let job = try await fleet.client().cancel(id)
                    refusal = job.error?.code
                    if refusal == nil { cancels += 1 }
                    fleet.tempo.release()
                    try await eventually("the booking of the cancel") {
                        try await number("SELECT count(*) FROM model_call WHERE state = 'running'", fleet) == 0
                    }
                }
                #expect(refusal == .spendLimitReached && (2..<60).contains(cancels), "\(cancels) cancels")
                #expect(fleet.calls().count == cancels)
                // The last call may have written more until its cancel than was expected of it.
                let others = "SELECT sum(cost_micro_dollars) - max(cost_micro_dollars) FROM model_call"
                #expect(try await number(others, fleet) <= 100_000)
                #expect(worker.errors.records("the day's model spend has passed 80 % of a limit").count == 1)
                // Nobody paid a credit, and other users go on.
                try await fleet.expectBalance(used: 0)
                #expect(try await fleet.end(of: try await fleet.submit(user: 2).id, user: 2).status == "completed")
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func workWithoutCreditsEndsAtTheServicesLimitAndPaidWorkGoesOn() async throws {
            try await Self.with(.sqlite) { fleet in
                let plans = fleet.folder + "/plans.yaml"
                try "default: standard\nplans: {standard: {}}\nservice:\n  free_spend_dollars_per_day: 0\n".write(
                    toFile: plans, atomically: true, encoding: .utf8)
                let variables: Fleet.Variables = ["DOSSIER_PLANS": plans]
                try await fleet.startBroker(variables: variables)
                _ = try await fleet.startWorker(variables: variables)
                let refused = try await fleet.send(
                    .post, "/api/v1/jobs", body: ["kind": "education", "input": ["question": "What is a moat?"]])
                #expect(refused.status == 503 && refused.code == "BIZ_2009", "\(refused.body.compact)")
                let wait = refused.headers["Retry-After"].flatMap { Int($0) } ?? 0
                #expect((1...86_401).contains(wait))
                #expect(try await fleet.end(of: try await fleet.submit().id).status == "completed")
            }
        }
    }
}
