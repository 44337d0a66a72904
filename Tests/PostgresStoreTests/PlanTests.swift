import SQLSupport
import JobQueue
import PostgresTesting
import Testing

@testable import PostgresStore

/// The rows that hot functions read, in a fresh database without statistics, and in one with 100,000 finished jobs, half
/// of them archived, 100,000 future and 100,000 blocked jobs of another user.
@Suite struct PlanTests {
    @Test(arguments: [0, 100_000]) func hotStatementsReadLittleMoreThanTheirResults(_ others: Int) async throws {
        let database = try await PostgresFixture.makeDatabase()
        try await database.sql(Self.fill(others))
        if others > 0 { try await database.sql("ANALYZE") }
        for (name, statement) in Self.statements {
            let rows = try await database.sql(
                """
                BEGIN; \(statement);
                SELECT 'read', coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)
                FROM pg_stat_xact_user_tables; COMMIT
                """)
            let read = rows.last { $0.hasPrefix("read|") }.flatMap { Int($0.dropFirst(5)) }
            // Fifty jobs, each with a few rows: its own, its place, its lease, its user's balance and position.
            #expect(try #require(read) <= 50 * 10, "\(name) read \(read ?? -1) rows")
        }
        #expect(try await database.sql("SELECT count(*) FROM job WHERE user_id = 2 AND status = 'completed'") == ["50"])
        await database.remove()
    }

    /// To begin two more processes takes longer than any statement of the store, beside ten million jobs too.
    @Test func noStatementIsGivenToSeveralProcesses() async throws {
        let database = try await PostgresFixture.makeDatabase()
        let explain = """
            SELECT set_config(name, 'on', false) FROM pg_settings
            WHERE name IN ('force_parallel_mode', 'debug_parallel_query');
            EXPLAIN SELECT count(*) FROM job WHERE user_id = 7
            """
        func isShared(_ settings: String) async throws -> Bool {
            try await database.sql("\(settings); \(explain)").contains { $0.contains("Gather") }
        }
        #expect(try await isShared("SET max_parallel_workers_per_gather = 2"), "the server shares what it may")
        for settings in [SessionSettings.reader, .writer(limit: .seconds(8), lockTimeout: .seconds(1))] {
            #expect(try await !isShared(settings.ofSession))
        }
        await database.remove()
    }

    /// The worst case: a user with many ready jobs, the last of which has the same position as everybody else's.
    @Test func aCancelFindsItsUsersLastJobWithoutReadingOthers() async throws {
        let (few, many) = (
            try await Self.rowsRead(cancelling: 50, of: 100), try await Self.rowsRead(cancelling: 50, of: 20_000)
        )
        #expect(many <= few + 50, "\(few) rows beside 50 others, \(many) beside 20,000")
    }

    /// The rows that are read when a user's first ready jobs are cancelled, with as many jobs of other users.
    private static func rowsRead(cancelling cancelled: Int, of jobs: Int) async throws -> Int {
        let database = try await PostgresFixture.makeDatabase()
        func id(_ number: String) -> String { "('04' || lpad(to_hex(\(number)), 30, '0'))::uuid" }
        // In a transaction of its own, whose reading does not count.
        try await database.sql(
            """
            INSERT INTO job (
                id, user_id, priority, cost, max_attempts, created_at, time_limit, deadline, queue, limited, kind, bundle,
                input, status, progress)
            SELECT
                \(id("n")), CASE WHEN n <= \(jobs) THEN 7 ELSE n END, 0, 0, 1, 1000, 1000, 9000000000000000,
                'background', false, 'k', 'b', '{}', 'pending', 0
            FROM generate_series(1, 2 * \(jobs)) AS n;
            INSERT INTO ready (queue, position, job, user_id, priority, deadline, unordered)
            SELECT
                'background', CASE user_id WHEN 7 THEN row_number() OVER (ORDER BY id) - 1 ELSE \(jobs) - 1 END, number,
                user_id, 0, deadline, false
            FROM job;
            INSERT INTO user_position (user_id, position, queue) VALUES (7, \(jobs) - 1, 'background')
            """)
        let rows = try await database.sql(
            """
            BEGIN;
            SELECT count(*) FROM cancel_jobs(
                NULL, ARRAY(SELECT \(id("n")) FROM generate_series(1, \(cancelled)) AS n),
                array_fill(7::bigint, ARRAY[\(cancelled)]), 1024,
                array_fill('user'::text, ARRAY[\(cancelled)]), array_fill(NULL::text, ARRAY[\(cancelled)]));
            SELECT 'read', coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)
            FROM pg_stat_xact_user_tables;
            COMMIT;
            SELECT 'left', count(*), min(position), max(position) FROM ready WHERE user_id = 7;
            SELECT 'last', position FROM user_position WHERE user_id = 7 ORDER BY bucket DESC LIMIT 1
            """)
        let left = jobs - cancelled
        #expect(rows.contains("left|\(left)|0|\(left - 1)") && rows.contains("last|\(left - 1)"), "\(rows.suffix(3))")
        await database.remove()
        return try #require(rows.last { $0.hasPrefix("read|") }.flatMap { Int($0.dropFirst(5)) })
    }

    /// Row versions that cannot be removed pile up; a search for the last one must not read them.
    @Test func frequentlyChangedRowsAreFoundAtOnceBesideAnOpenTransaction() async throws {
        let database = try await PostgresFixture.makeDatabase()
        try await database.sql("SELECT begin_balances(ARRAY[1], ARRAY[100000], 0); SELECT \(Self.advance)")
        let holder = try PostgresConnection(PostgresURL(database.url), limit: .seconds(30))
        _ = try holder.runScript(
            "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*)::text FROM balance", limit: .seconds(30))
        try await database.sql(
            """
            DO $$ BEGIN
                FOR n IN 1..5000 LOOP
                    PERFORM change_balances(ARRAY[1], ARRAY[1], NULL);
                    PERFORM \(Self.advance);
                    COMMIT;
                END LOOP;
            END $$
            """)
        #expect(try await database.sql("SELECT held FROM balance") == ["5000"])
        for look in [
            "balance_of(1)", "lock_balances(ARRAY[1])", "change_balances(ARRAY[1], ARRAY[1], NULL)", Self.advance,
        ] {
            // A first call reads the catalogues as well, and so does any call after others have changed them. Old row
            // versions would slow down every call, so the fastest one counts.
            let explain = "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT FROM \(look)"
            let lines = try await database.sql(Array(repeating: explain, count: 5).joined(separator: ";"))
            let buffers = zip(lines, lines.dropFirst()).filter { $0 != "Planning:" && $1.contains("Buffers:") }
                .map { $1 }
            let pages = buffers.map { $0.split { !$0.isNumber }.compactMap { Int($0) }.reduce(0, +) }
            #expect(try #require(pages.min()) <= 80, "\(look): \(buffers)")
        }
        _ = try holder.runScript("COMMIT", limit: .seconds(30))
        await database.remove()
    }

    /// What operators read of the ledger and of the jobs that ended, beside 100,000 entries and jobs of ten users.
    @Test func readsOfOperatorsDoNotGrowWithTheHistory() async throws {
        let database = try await PostgresFixture.makeDatabase()
        try await database.sql(
            """
            INSERT INTO ledger (entry, user_id, kind, amount, source, job, created_at)
            SELECT
                n, n % 10, CASE WHEN n <= 10 THEN 'grant' ELSE 'hold' END::ledger_kind, 1, CASE WHEN n <= 10 THEN 'gift' END,
                CASE WHEN n > 10 THEN ('07' || lpad(to_hex(n), 30, '0'))::uuid END, n * 1000
            FROM generate_series(1, 100000) AS n;
            INSERT INTO balance (user_id, granted, held, used) SELECT n, 10001, 9999, 0 FROM generate_series(0, 9) AS n;
            INSERT INTO job (
                id, user_id, priority, cost, max_attempts, created_at, time_limit, deadline, queue, limited, kind, bundle,
                input, status, progress, completed_at, result)
            SELECT
                ('07' || lpad(to_hex(n), 30, '0'))::uuid, n % 10, 0, 0, 1, n * 1000, 1000, 9000000000000000, 'background',
                false, 'k', 'b', '{}', 'completed', 100, n * 1000, '1'
            FROM generate_series(1, 100000) AS n
            """)
        let (first, last) = (Int64.min + 1, Int64.max)
        let page = (99_950...99_999).map { "\($0)" }.joined(separator: ",")
        let looks: [(RecordQuery, String, String)] = [
            (.ledgerNumbers, "bigint,bigint,bigint,bigint,uuid,bigint,text", "\(first),\(last),0,\(last),NULL,51,NULL"),
            (.ledgerNumbers, "bigint,bigint,bigint,bigint,uuid,bigint,text", "\(first),50000,0,\(last),NULL,51,'hold'"),
            (
                .ledgerNumbersOfUser, "bigint,bigint,bigint,bigint,uuid,bigint,text,bigint",
                "\(first),\(last),0,\(last),NULL,51,NULL,7"
            ), (.ledgerGrants, "bigint,bigint,bigint,bigint,uuid,bigint", "\(first),\(last),0,\(last),NULL,51"),
            (
                .ledgerGrantsOfUser, "bigint,bigint,bigint,bigint,uuid,bigint,bigint",
                "\(first),\(last),0,\(last),NULL,51,7"
            ), (.ledgerNumberAt, "bigint", "50000000"), (.ledgerEntries, "bigint[]", "'{\(page)}'"),
            (.endedJobs, "bigint,uuid,bigint", "99900000,NULL,0"),
        ]
        for isAnalyzed in [false, true] {
            if isAnalyzed { try await database.sql("ANALYZE") }
            for mode in ["force_custom_plan", "force_generic_plan"] {
                for (query, types, arguments) in looks {
                    let read = try await rowsRead(
                        by: query, types, arguments, "SET plan_cache_mode = \(mode)", database)
                    let place = "\(mode), analyzed \(isAnalyzed)"
                    #expect(try #require(read) <= 1000, "\(query) read \(read ?? -1) rows, \(place)")
                }
            }
        }
        await database.remove()
    }

    /// The rows that a prepared statement reads.
    private func rowsRead(
        by query: RecordQuery, _ types: String, _ arguments: String, _ setting: String, _ database: PostgresDatabase
    ) async throws -> Int? {
        let rows = try await database.sql(
            """
            \(setting); PREPARE look (\(types)) AS \(QueryText(named: query.rawValue).text);
            BEGIN; EXECUTE look (\(arguments));
            SELECT 'read', coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)
            FROM pg_stat_xact_user_tables; COMMIT
            """)
        return rows.last { $0.hasPrefix("read|") }.flatMap { Int($0.dropFirst(5)) }
    }

    /// The search by vectors runs beside 20,000 passages of other users, most of which have vectors.
    @Test func theSearchByVectorsDoesNotReadPassagesOfOtherUsers() async throws {
        let database = try await PostgresFixture.makeDatabase()
        try await database.sql(
            """
            INSERT INTO passage (kind, source, part, owner, title, body, terms, written_at, digest)
            SELECT 'report', 'other' || n, 0, 1 + n % 500 * 2, 'T', 'x', 'x', n, 'other' || n
            FROM generate_series(1, 20000) AS n;
            INSERT INTO passage (kind, source, part, owner, title, body, terms, written_at, digest)
            SELECT 'report', 'own' || n, 0, CASE n % 2 WHEN 0 THEN 2 END, 'T', 'x', 'x', n, 'own' || n
            FROM generate_series(1, 200) AS n;
            INSERT INTO passage_vector SELECT digest, 'm', repeat('0', 64) FROM passage WHERE written_at % 3 <> 0;
            ANALYZE
            """)
        let looks: [(RecordQuery, String)] = [
            (.passageVectors, "'m', 2, 100"), (.passageVectorsMissing, "'m', 2, 100"),
            (.passagesByDigest, "ARRAY['own1', 'own2', 'other1'], 2"),
        ]
        // After some executions, a statement is planned without its arguments.
        for (mode, (query, arguments)) in looks.flatMap({ [("force_custom_plan", $0), ("force_generic_plan", $0)] }) {
            let types = query == .passagesByDigest ? "text[], bigint" : "text, bigint, bigint"
            let read = try await rowsRead(by: query, types, arguments, "SET plan_cache_mode = \(mode)", database)
            // Each own or common passage, and its vector.
            #expect(try #require(read) <= 600, "\(query), \(mode): read \(read ?? -1) rows")
        }
        await database.remove()
    }

    private static let advance = "advance_positions(ARRAY[1], ARRAY['background']::queue[], 0, 0)"

    private static let jobs =
        "(SELECT array_agg(j.id ORDER BY j.number) FROM job AS j JOIN lease AS l ON l.job = j.number)"

    private static let leases = """
        \(jobs),
        (SELECT array_agg(j.epoch ORDER BY j.number) FROM job AS j JOIN lease AS l ON l.job = j.number)
        """

    private static func all(_ value: String, _ type: String) -> String { "array_fill(\(value)::\(type), ARRAY[50])" }

    private static let statements: [(String, String)] = [
        (
            "submit",
            """
            SELECT count(*) FROM submit_jobs(
                NULL, ARRAY(SELECT gen_random_uuid() FROM generate_series(1, 50)), \(all("2", "bigint")),
                \(all("'k'", "text")), \(all("'{}'", "text")), \(all("'b'", "text")), \(all("'background'", "text")),
                \(all("0", "bigint")), \(all("1", "bigint")), \(all("1", "bigint")), \(all("NULL", "text")),
                \(all("NULL", "text")), ARRAY(SELECT 'key' || n FROM generate_series(1, 50) AS n), \(all("'f'", "text")),
                \(all("NULL", "text")), \(all("9000000000000000", "bigint")), \(all("NULL", "bigint")),
                \(all("100", "bigint")), \(all("NULL", "bigint")), \(all("NULL", "bigint")),
                \(all("'AAPL as Warren Buffett'", "text")))
            """
        ),
        ("claim", "SELECT count(*) FROM claim_jobs(NULL, 'w', 1, '{}', true, 0, 50, 0, 0, '{}', '{}')"),
        (
            "a claim that finds nothing",
            "SELECT count(*) FROM claim_jobs(NULL, 'w', 2, '{}', true, 5, 50, 0, 0, '{}', '{}')"
        ),
        ("report", "SELECT report_progress(\(leases), \(all("30", "bigint")), \(all("'s'", "text")))"),
        (
            "append",
            """
            SELECT count(*) FROM append_steps(
                NULL, \(leases), \(all("'n'", "text")), \(all("0", "bigint")), \(all("'h'", "text")),
                \(all("'{}'", "text")), \(all("NULL", "bytea")), 1000, \(all("NULL", "bigint")),
                \(all("5", "bigint")))
            """
        ),
        ("expire of the last seconds", "SELECT count(*) FROM expire_jobs(NULL, 20000, 100, 'c', 'm', 'u')"),
        ("expire from the beginning", "SELECT count(*) FROM expire_jobs(NULL, NULL, 100, 'c', 'm', 'u')"),
        ("retention", "SELECT delete_finished_jobs(NULL, 1, 1, 100)"),
        (
            "booking of calls",
            """
            SELECT count(*) FROM begin_model_calls(
                NULL, \(leases), ARRAY(SELECT 'call' || n FROM generate_series(1, 50) AS n), \(all("'p'", "text")),
                \(all("'m'", "text")), \(all("1", "bigint")), \(all("1", "bigint")), \(all("5", "bigint")),
                \(all("5000000", "bigint")), \(all("500000000", "bigint")), \(all("50000000", "bigint")),
                \(all("1", "bigint")), \(all("2", "bigint")), \(all("0", "bigint")), \(all("0", "bigint")),
                \(all("0", "bigint")), \(all("'prompt'", "text")), \(all("NULL", "text")),
                \(all("NULL", "bigint")), \(all("NULL", "bigint")), \(all("0", "bigint")))
            """
        ),
        ("the sums of recent calls", recent(.modelCallSums)),
        ("the durations of recent calls", recent(.modelDurations)),
        ("the latencies of recent calls", recent(.modelLatencies)),
        ("recent calls with marks", recent(.markedCalls, "9000000000000", "''", "100")),
        ("batches that are not collected", QueryText(named: Query.batchCounts.rawValue).text),
        ("recent batches", recent(.batchDurations)),
        ("the budget of hedges", "SELECT holds_hedge(store_now(), 5, 'call1', 100, 100)"),
        ("the calls of the last hour", "SELECT * FROM calls_of_last_hour(NULL)"),
        ("the spend of a day", "SELECT count(*) FROM spend_of_day(NULL, 2)"),
        (
            "correction of running calls",
            """
            SELECT correct_model_calls(
                ARRAY['a', 'b'], '{1,1}', '{1,1}', '{1,1}', '{0,0}', '{0,0}', '{3,3}', '{0,0}', NULL)
            """
        ),
        ("closing of calls without any to close", "SELECT close_abandoned_calls(NULL, 1000)"),
        (
            "the ends of calls",
            """
            SELECT settle_model_calls(
                NULL, \(jobs), ARRAY(SELECT 'call' || n FROM generate_series(1, 50) AS n), \(all("'p'", "text")),
                \(all("'m'", "text")), \(all("'ok'", "text")), \(all("2", "bigint")), \(all("1", "bigint")),
                \(all("1", "bigint")), \(all("0", "bigint")), \(all("0", "bigint")), \(all("4", "bigint")),
                \(all("1", "bigint")), \(all("0", "bigint")), \(all("'{}'", "text")), \(all("NULL", "text")))
            """
        ),
        (
            "complete",
            "SELECT count(*) FROM complete_jobs(NULL, \(leases), \(all("'{}'", "text")), \(all("NULL", "bytea")))"
        ),
        (
            "submit of one job each",
            """
            SELECT count(*) FROM submit_one_each(
                NULL, ARRAY(SELECT gen_random_uuid() FROM generate_series(1, 50)),
                ARRAY(SELECT 1000 + n FROM generate_series(1, 50) AS n), \(all("'k'", "text")), \(all("'{}'", "text")),
                \(all("'b'", "text")), \(all("'background'", "text")), \(all("0", "bigint")), \(all("1", "bigint")),
                \(all("1", "bigint")), \(all("'join'", "text")), ARRAY(SELECT 'one' || n FROM generate_series(1, 50) AS n),
                \(all("'f'", "text")), \(all("NULL", "text")), \(all("9000000000000000", "bigint")),
                \(all("100", "bigint")), \(all("'AAPL as Warren Buffett'", "text")))
            """
        ),
    ]

    /// A reading since a time after all rows.
    private static func recent(_ query: Query, _ others: String...) -> String {
        (["9000000000000"] + others).enumerated().reduce(QueryText(named: query.rawValue).text) { text, parameter in
            text.replacing("$\(parameter.offset + 1)", with: parameter.element)
        }
    }

    /// Inserts jobs of user 1, which statements of user 2 should not read.
    private static func fill(_ count: Int) -> String {
        """
        CREATE FUNCTION fill(p_prefix text, p_count bigint) RETURNS void LANGUAGE sql AS $$
            INSERT INTO job (
                id, user_id, priority, cost, max_attempts, created_at, time_limit, deadline, queue, limited, kind, bundle,
                input, status, progress, result, completed_at, run_at, concurrency_key, blocked)
            SELECT
                (p_prefix || lpad(to_hex(n), 30, '0'))::uuid, 1, 0, 0, 1, 1000, 1000, 9000000000000000, 'background',
                false, 'k', 'b', '{}', CASE p_prefix WHEN '01' THEN 'completed' ELSE 'pending' END::job_status,
                CASE p_prefix WHEN '01' THEN 100 ELSE 0 END, CASE p_prefix WHEN '01' THEN '1' END,
                CASE p_prefix WHEN '01' THEN 5000 END, CASE p_prefix WHEN '02' THEN 8000000000000000 END,
                CASE p_prefix WHEN '03' THEN 'line' END, p_prefix = '03'
            FROM generate_series(1, p_count) AS n
        $$;
        SELECT fill('01', \(count)); SELECT fill('02', \(count)); SELECT fill('03', \(count));
        WITH moved AS (DELETE FROM ONLY job WHERE status = 'completed' AND number % 2 = 0 RETURNING *)
        INSERT INTO finished_job SELECT * FROM moved;
        INSERT INTO scheduled SELECT run_at, number, deadline FROM job WHERE run_at IS NOT NULL;
        INSERT INTO serialized_job SELECT user_id, number, deadline, false, concurrency_key FROM job WHERE blocked;
        INSERT INTO model_call (
            user_id, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, cost_micro_dollars, created_at,
            job, id, kind, provider, model)
        SELECT 1, 1, 1, 0, 0, 5, 1000 + n, gen_random_uuid(), 'old' || n, 'k', 'p', 'm'
        FROM generate_series(1, \(count)) AS n;
        INSERT INTO user_spend SELECT store_now() / 86400000, 1000 + n, 5 FROM generate_series(1, \(count)) AS n;
        INSERT INTO worker (id, host, process_id, concurrency, beats, started_at) VALUES ('w', 'h', 1, 1, 1, 0);
        """
    }
}
