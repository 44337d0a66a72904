import SQLSupport
import PostgresTesting
import StoreConformance
import TestSupport
import Testing

@testable import PostgresStore

/// `submit_one_each` handles most batches faster, and must do the same as `submit_jobs`.
@Suite struct SubmitOneEachTests {
    @Test func bothFunctionsDoTheSame() async throws {
        let database = try await PostgresFixture.makeDatabase()
        try await database.sql(Self.present)
        var seen: Set<Substring> = []
        for seed in 1...40 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let batch = Batch(&random)
            let (quick, usual) = (
                try await outcome(of: batch.quick, database), try await outcome(of: batch.usual, database)
            )
            #expect(quick == usual, "seed \(seed)")
            seen.formUnion(quick.flatMap { $0.split(separator: "|") })
        }
        #expect(seen.isSuperset(of: ["accepted", "existing", "conflict", "short"]))
        await database.remove()
    }

    /// The answer of a call and the rows that it wrote, before they are rolled back.
    private func outcome(of call: String, _ database: PostgresDatabase) async throws -> [String] {
        try await database.sql("BEGIN; \(call); \(Self.traces); ROLLBACK")
    }

    /// Users 1 to 12 have two credits each, some of them held; some jobs have keys.
    private static let present = """
        SELECT begin_balances(array_agg(n), array_agg(2::bigint), 0) FROM generate_series(1::bigint, 12) AS s (n);
        SELECT submit_jobs(
            NULL, array_agg(('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid ORDER BY n),
            array_agg(n ORDER BY n), array_agg('k'::text), array_agg('{}'::text), array_agg('b'::text),
            array_agg('background'::text), array_agg(0::bigint), array_agg(n % 3 ORDER BY n), array_agg(1::bigint),
            array_agg(NULL::text), array_agg('join' || n % 2 ORDER BY n), array_agg('key' || n % 3 ORDER BY n),
            array_agg('print' || n % 2 ORDER BY n), array_agg(NULL::text), array_agg(9000000000000000),
            array_agg(NULL::bigint), array_agg(2::bigint), array_agg(NULL::bigint), array_agg(NULL::bigint),
            array_agg(NULL::text))
        FROM generate_series(1::bigint, 12) AS s (n)
        """

    /// All rows that a submit writes, except numbers of sequences.
    private static let traces = """
        SELECT j.id, j.user_id, j.priority, j.cost, j.max_attempts, j.time_limit, j.deadline, j.run_at, j.hold IS NULL,
            j.revision, j.status, j.queue, j.blocked, j.limited, j.kind, j.bundle, j.input, j.concurrency_key, j.unique_key,
            j.idempotency_key, j.idempotency_fingerprint, j.request_id, j.subject
        FROM job AS j ORDER BY 1;
        SELECT l.user_id, l.kind, l.amount, l.job, l.note, (SELECT j.id FROM job AS j WHERE j.hold = l.entry)
        FROM ledger AS l ORDER BY 1, 2, 4;
        SELECT * FROM balance ORDER BY 1;
        SELECT * FROM account_owner ORDER BY 1;
        SELECT * FROM user_position ORDER BY user_id, queue;
        SELECT r.queue, r.position, j.id, r.user_id, r.priority, r.deadline, r.unordered
        FROM ready AS r JOIN job AS j ON j.number = r.job ORDER BY 1, 2, 3;
        SELECT k.user_id, k.unique_key, j.id FROM unique_job AS k JOIN job AS j ON j.number = k.job ORDER BY 1, 2
        """

    /// Jobs of different users, some of them new, with keys and ids that may exist already.
    private struct Batch {
        let quick: String
        let usual: String

        init(_ random: inout SeededRandom) {
            let users = Array((1...20).shuffled(using: &random).prefix(.random(in: 1...12, using: &random)))
            func array(_ type: String, _ value: (Int) -> String) -> String {
                "ARRAY[\(users.map(value).joined(separator: ", "))]::\(type)[]"
            }
            let nothing = { (type: String) in array(type) { _ in "NULL" } }
            let hasKeys = Bool.random(using: &random)
            let key = { (name: String, count: Int, random: inout SeededRandom) in
                hasKeys && Bool.random(using: &random)
                    ? "'\(name)\(Int.random(in: 0..<count, using: &random))'" : "NULL"
            }
            // The id of the next user's job is a conflict when it exists. The jobs of a batch never share an id.
            let isShifted = Bool.random(using: &random)
            let ids = array("uuid") { user in
                let isKnown = Int.random(in: 0..<4, using: &random) == 0
                let digits = String((isKnown ? 0 : 500) + (isShifted ? user % 20 + 1 : user))
                return "'00000000-0000-0000-0000-\(String(repeating: "0", count: 12 - digits.count))\(digits)'"
            }
            let idempotency = users.map { _ in key("key", 3, &random) }
            var (keys, prints) = (idempotency.makeIterator(), idempotency.makeIterator())
            let before = [
                "1000", ids, array("bigint", String.init), array("text") { _ in "'k'" },
                array("text") { "'{\"n\": \($0)}'" },
                array("text") { _ in "'b'" },
                array("text") { _ in Bool.random(using: &random) ? "'interactive'" : "'background'" },
                array("bigint") { _ in String(Int.random(in: -1...1, using: &random)) },
                array("bigint") { _ in String(Int.random(in: 0...3, using: &random)) }, array("bigint") { _ in "3" },
            ]
            let between = [
                array("text") { _ in key("join", 2, &random) }, array("text") { _ in keys.next() ?? "NULL" },
                array("text") { _ in
                    prints.next() == "NULL" ? "NULL" : "'print\(Int.random(in: 0...1, using: &random))'"
                },
                array("text") { "'request \($0)'" }, array("bigint") { _ in "9000000000000000" },
            ]
            let starting = array("bigint") { _ in "2" }
            let subjects = array("text") { "'subject \($0)'" }
            let call = { (name: String, arguments: [String]) in
                "SELECT place, outcome, earlier, granted, held, used, stored_at, is_blocked "
                    + "FROM \(name)(\(arguments.joined(separator: ", "))) ORDER BY place"
            }
            quick = call("submit_one_each", before + between + [starting, subjects])
            usual = call(
                "submit_jobs",
                before + [nothing("text")] + between
                    + [nothing("bigint"), starting, nothing("bigint"), nothing("bigint"), subjects])
        }
    }
}
