import DossierAPI
import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Erasure of users.
    package static let erasures: [ConformanceCase] = [
        ConformanceCase("nothing in the database holds a text or the number of an erased user") { harness in
            for subject in ["subject-\(word)", "7001234567"] {
                let store = harness.store
                let user = try await harness.plant(subject)
                let other = try await harness.plant("other-\(subject.count)", word: "otherkestrel")
                #expect(try await harness.fixture.places(of: [word, "\(user.rawValue)"]) != [])
                let archive = try #require(try await store.newestExport(of: user))
                #expect(try await store.exportPart(0, of: archive)?.contains(word) == true)
                let half = try await harness.halfArchive(of: user)
                #expect(try await store.exportPart(0, of: half)?.contains(word) == true)
                let costs = try await store.modelCosts(by: .day, since: 0, until: nil).map(\.microDollars)
                let earlier = try await store.ledger(of: user, LedgerFilter(), before: nil, limit: 100)

                let erasure = try #require(try await harness.start(user, subject))
                #expect(try await store.unfinishedJobs(of: user, limit: 10) == [])
                #expect(try await store.balance(of: user, startingCredits: 10).held == 0)
                #expect(try await store.auditCredits() == [])
                let eraser = UserEraser(store, store, pause: .zero)
                #expect(try await !eraser.proceed(erasure), "rows may still arrive")
                harness.clock.advance(by: UserEraser.settling)
                try await harness.complete(erasure)

                #expect(try await store.newestExport(of: user) == nil)
                #expect(try await store.exportPart(0, of: archive) == nil)
                #expect(try await store.exportPart(0, of: half) == nil, "a part without an archive")
                let others = try #require(try await store.newestExport(of: other))
                #expect(try await store.exportPart(0, of: others)?.contains("otherkestrel") == true)

                let found = try await harness.fixture.places(of: [word, subject, "\(user.rawValue)"])
                #expect(found == [])
                #expect(try await store.auditCredits() == [])
                #expect(try await store.modelCosts(by: .day, since: 0, until: nil).map(\.microDollars) == costs)
                #expect(try await store.closeAbandonedCalls(limit: 10) == 0, "no call runs for ever")
                let counted = try await store.modelCosts(by: .user, since: 0, until: nil)
                #expect(counted.first { $0.group == "\(erasure.number.rawValue)" }?.calls == 3)
                let moved = try await store.ledger(of: erasure.number, LedgerFilter(), before: nil, limit: 100)
                // The hold of the job that did not end was released meanwhile.
                #expect(moved.dropFirst(moved.count - earlier.count).map(\.number) == earlier.map(\.number))
                #expect(try await store.account(id: user) == nil)
                #expect(try await store.watchlist(of: other).count == 1)
                #expect(try await store.jobs(JobListQuery(user: other)).total == 3)
                #expect(try await harness.fixture.places(of: ["otherkestrel"]) != [])
                let entries = try await harness.audit(AuditFilter(target: "\(erasure.number.rawValue)"))
                #expect(entries.map(\.action).sorted() == ["credits.grant", "users.erase"])
                #expect(entries.allSatisfy { $0.user == erasure.number })
            }
        },
        ConformanceCase("the audit of credits agrees after every part of an erasure") { harness in
            let store = harness.store
            let user = try await harness.plant("ann")
            let erasure = try #require(try await harness.start(user, "ann"))
            var parts = 0
            while try await store.eraseRows(of: user, for: erasure.number, limit: 1) {
                parts += 1
                #expect(try await store.auditCredits() == [], "part \(parts)")
                try #require(parts < 100)
            }
            #expect(parts > 3)
            #expect(try await store.eraseAccount(of: user, for: erasure.number))
            #expect(try await store.auditCredits() == [])
        },
        ConformanceCase("an erasure that meets new rows takes them, too, and goes on in another process") { harness in
            let user = try await harness.plant("ann")
            let erasure = try #require(try await harness.start(user, "ann"))
            try await harness.submit(user.rawValue, cost: 1)
            harness.clock.advance(by: UserEraser.settling)
            _ = try await harness.store.eraseRows(of: user, for: erasure.number, limit: 1)
            #expect(try await !harness.store.eraseAccount(of: user, for: erasure.number), "rows are left")
            let other = try await harness.fixture.open()
            let running = try await other.runningErasures(limit: 10)
            #expect(running.map(\.id) == [erasure.id])
            try await harness.complete(try #require(running.first))
            #expect(try await other.runningErasures(limit: 10) == [])
            #expect(try await other.erasure(erasure.id)?.completedAt == harness.clock.now)
            #expect(try await harness.fixture.places(of: [word, "\(user.rawValue)"]) == [])
        },
        ConformanceCase("a second request for an erasure gets the one that runs") { harness in
            let user = try await harness.plant("ann")
            let first = try #require(try await harness.start(user, "ann"))
            #expect(try await harness.start(user, "ann") == first)
            #expect(try await harness.start(UserID.system, "system") == nil)
            #expect(try await harness.start(UserID(rawValue: 99), "nobody") == nil)
            #expect(try await harness.audit(AuditFilter(action: "users.erase")).count == 1)
            #expect(try await harness.store.erasure(String(repeating: "0", count: 32)) == nil)
        },
        ConformanceCase("sessions, keys and webhooks end with the beginning of an erasure") { harness in
            let store = harness.store
            let user = try await harness.plant("ann")
            let open = try await harness.submit(user.rawValue, cost: 1)
            let erasure = try #require(try await harness.start(user, "ann"))
            #expect(try await store.job(open.id, of: nil)?.status == .cancelled)
            harness.clock.advance(by: .milliseconds(1))
            let refresh = try await store.refreshSession(
                "token of ann", successor: StoredRefreshToken(digest: "x", seed: "y"), at: harness.clock.now)
            #expect(refresh == .refused)
            #expect(try await store.liveKeys().isEmpty)
            harness.clock.advance(by: .seconds(3600))
            #expect(try await !store.hasDueWebhooks(at: harness.clock.now), "nobody hears of the jobs")
            let endings = try await store.accessEndings(sessionsSince: 0, usersSince: 0)
            let key = try await store.erasureKey()
            #expect(
                endings.contains(
                    .erasure(
                        digest: Erasure.digest(of: "ann", key: key), user: user, requestedAt: erasure.requestedAt,
                        isCompleted: false)))
        },
        ConformanceCase("a new account of an erased name has another number and no second starting credits") {
            harness in
            let store = harness.store
            let user = try await harness.plant("ann")
            let month = MonthlyGrant(
                user: user, month: "2027-01", amount: 30, carryOver: 0, startingCredits: 10)
            _ = try await store.begin(month)
            let erasure = try #require(try await harness.start(user, "ann"))
            harness.clock.advance(by: UserEraser.settling)
            try await harness.complete(erasure)
            let known = NewCreditGrant.digest(ofExternalID: "external-\(word)-ann")
            #expect(!known.isEmpty)
            #expect(try await store.creditGrant(externalID: "external-\(word)-ann")?.user == erasure.number)
            #expect(try await store.erasure(number: erasure.number)?.completedAt != nil)

            let next = try await store.account(for: "ann").id
            #expect(next.rawValue > erasure.number.rawValue)
            #expect(try await store.balance(of: next, startingCredits: 10).granted == 0)
            var again = month
            again.user = next
            #expect(try await store.begin(again) == MonthlyChange())
            again.amount = 50
            #expect(try await store.begin(again).granted == 20, "an upgrade adds what is missing")
            (again.month, again.amount) = ("2027-02", 30)
            #expect(try await store.begin(again).granted == 30)
            #expect(try await store.auditCredits() == [])

            let stranger = try await store.account(for: "bob").id
            #expect(try await store.balance(of: stranger, startingCredits: 10).granted == 10)
            try await store.forgetErasedSubjects(before: harness.clock.now + .seconds(1))
            #expect(try await store.erasure(erasure.id)?.digest == nil)
            #expect(try await store.accessEndings(sessionsSince: 0, usersSince: 0) == [])
        },
        ConformanceCase("conversations go after their last turn, and entries of the audit after their time") {
            harness in
            let store = harness.store
            let (old, active) = (harness.makeID(), harness.makeID())
            try await harness.turn(in: old)
            try await harness.turn(in: active)
            try await store.writeAudit(harness.entry("keys.create"))
            harness.clock.advance(by: .seconds(1000))
            try await harness.turn(in: active)
            try await store.writeAudit(harness.entry("keys.revoke"))
            let time = harness.clock.now - .seconds(500)
            #expect(try await store.deleteConversations(before: time, limit: 10) == 1)
            #expect(try await store.deleteConversations(before: time, limit: 10) == 0)
            #expect(try await store.turns(of: old.description, user: 1, last: 9).isEmpty)
            #expect(try await store.turns(of: active.description, user: 1, last: 9).count == 2)
            #expect(try await store.deleteAudit(before: time, limit: 10) == 1)
            #expect(try await store.deleteAudit(before: time, limit: 10) == 0)
            #expect(try await harness.audit(AuditFilter()).map(\.action) == ["keys.revoke"])
            await #expect(throws: (any Error).self) { try await harness.fixture.run("DELETE FROM audit") }
        },
        ConformanceCase("every table says what an erasure does with its rows") { harness in
            let unknown = try await harness.fixture.tables().filter { ErasureFate.tables[$0] == nil }
            #expect(
                unknown == [], "name the table in ErasureFate, and see to its rows in erasures.sql and erase_user.sql")
        },
        ConformanceCase("the ledger and the audit are changed by an erasure alone") { harness in
            let user = try await harness.plant("ann")
            _ = try #require(try await harness.start(user, "ann"))
            for change in [
                "UPDATE ledger SET amount = amount + 1", "UPDATE ledger SET note = 'other'", "DELETE FROM ledger",
                "UPDATE audit SET action = 'other'", "UPDATE audit SET actor_name = 'other'", "DELETE FROM audit",
            ] {
                await #expect(throws: (any Error).self, "\(change)") { try await harness.fixture.run(change) }
            }
        },
    ]

    /// The word in every text that a test plants.
    private static let word = "kestrelquartz"
}

/// What becomes of each table when a user is erased. A table that is missing here fails a test of each store.
package enum ErasureFate: Sendable {
    /// The user's rows go.
    case deleted
    /// The user's rows get the number of the erasure.
    case renumbered
    /// Rows go with rows of another table.
    case follows(String)
    /// No row belongs to one user.
    case nobodys

    package static let tables: [String: ErasureFate] = [
        "access_generation": .deleted, "account": .deleted, "account_owner": .renumbered, "api_key": .deleted,
        "article": .nobodys, "article_index": .nobodys, "article_signal": .deleted, "article_text": .nobodys,
        "article_ticker": .nobodys, "article_vector": .nobodys, "audit": .renumbered, "audit_retention": .nobodys,
        "balance": .renumbered, "brief": .deleted, "budget": .nobodys, "bundle": .nobodys, "bundle_number": .nobodys,
        "clock": .nobodys, "commit_counter": .nobodys, "conversation_turn": .deleted, "credit_grant": .renumbered,
        "current_bundle": .nobodys,
        // Answers of sources, which all users share, until they expire.
        "document": .nobodys,
        "erasure": .deleted, "erasure_key": .nobodys, "finished_job": .deleted, "fleet_clock": .nobodys,
        "fleet_deaths": .nobodys, "history_pass": .nobodys, "holding": .follows("preferences"), "job": .deleted,
        "job_input": .follows("job"), "job_result": .follows("job"), "kind_limit": .nobodys, "lease": .follows("job"),
        "ledger": .renumbered,
        // Ids and kinds of jobs that the ledger names.
        "ledger_job": .nobodys,
        "migration": .nobodys, "model_batch": .nobodys, "model_batch_line": .follows("job"),
        "model_call": .renumbered, "news_source": .nobodys, "operation": .renumbered,
        // Ids of jobs, which are gone.
        "operation_job": .nobodys, "passage": .deleted, "passage_index": .follows("passage"),
        "passage_vector": .follows("passage"), "pause": .renumbered, "plan_credit": .deleted, "preferences": .deleted,
        "queue": .nobodys,
        "rate_count": .deleted, "ready": .follows("job"), "recall_card": .deleted,
        "refresh_token": .follows("session"), "schedule_run": .nobodys, "scheduled": .follows("job"),
        "schema_compatibility": .nobodys,
        "serialized_job": .follows("job"), "service_spend": .nobodys, "session": .deleted, "shared_work_use": .deleted,
        "step": .follows("job"), "stored_function": .nobodys, "story": .nobodys,
        // Written for sets of tickers, which all users share.
        "story_explanation": .nobodys,
        "story_group": .nobodys, "story_member": .nobodys, "subscriber": .follows("job"),
        "unique_job": .follows("job"), "user_concurrency": .deleted, "user_bar": .deleted,
        "user_export": .deleted, "user_export_part": .deleted, "user_plan": .deleted,
        "user_position": .deleted,
        "user_spend": .renumbered, "waiting": .follows("job"), "watchlist": .deleted, "webhook_delivery": .deleted,
        "webhook_endpoint": .deleted, "worker": .nobodys, "worker_name": .nobodys,
    ]
}

extension StoreHarness {
    /// Answers a question of user 1 in a conversation.
    fileprivate func turn(in conversation: JobID) async throws {
        let lease = try await running()
        let turn = ConversationTurn(
            job: lease.job.description, conversation: conversation.description, user: 1, subject: "education",
            question: "q", answer: "a", citations: "[]", askedAt: clock.now, answeredAt: clock.now)
        try await store.complete(lease, with: 1, effects: [.record(.turn(turn))])
    }

    fileprivate func start(_ user: UserID, _ subject: String) async throws -> Erasure? {
        let entry = AuditEntry(
            id: makeID(), at: clock.now, actor: AuditActor(.user, id: "7", name: "operator"), action: "users.erase",
            target: subject, user: user)
        return try await UserEraser(store, store, pause: .zero).start(user, subject: subject, audit: entry)
    }

    /// Calls an eraser until it is done; readers of other tests' kind may keep the log busy for a moment.
    fileprivate func complete(_ erasure: Erasure) async throws {
        let eraser = UserEraser(store, store, pause: .zero)
        let isDone = try await eventually { [store] in
            guard let present = try await store.erasure(erasure.id) else { return false }
            return try await eraser.proceed(present)
        }
        #expect(isDone)
    }

    /// Stores texts with a word in every record that a user can have: two finished jobs and one that waits, one of them by
    /// batch, records of all kinds, a grant, a key, and a webhook that has failed.
    fileprivate func plant(_ subject: String, word: String = "kestrelquartz") async throws -> UserID {
        let user = try await store.account(for: subject).id
        let worker = try await worker()
        try await plantAccess(user, subject, word)
        let lease = try await plantJob(user, word, worker)
        let records: [RecordChange] = [
            .passage(
                Passage(
                    kind: .report, source: lease.job.description, part: 0, owner: user, title: "\(word) title",
                    url: nil,
                    text: "\(word) text of \(subject)", terms: "\(word) terms", writtenAt: Timestamp(milliseconds: 1))),
            .turn(
                ConversationTurn(
                    job: lease.job.description, conversation: makeID().description, user: user, subject: "education",
                    question: "\(word)?", answer: "\(word)!", citations: "[]", askedAt: clock.now,
                    answeredAt: clock.now)),
            .articleSignal(
                ArticleSignal(user: user, url: "https://a.example/\(word)", signal: "{}", madeAt: clock.now)),
            .userExport(
                UserExport(
                    job: lease.job.description, user: user, epoch: lease.epoch, madeAt: clock.now, lines: 1,
                    bytes: word.utf8.count, parts: 1)),
            .brief(Brief(user: user, items: "[\"\(word)\"]", generatedAt: clock.now)),
            .recallCard(
                RecallCard(
                    user: user, id: "card", concept: word, source: "s", content: "{\"x\":\"\(word)\"}", schedule: "{}",
                    dueAt: clock.now, revision: 0, createdAt: clock.now)),
        ]
        try await store.storeExportPart(0, "{\"type\":\"\(word)\"}\n", under: lease)
        try await store.complete(lease, with: ["report": JSON("\(word) report")], effects: records.map { .record($0) })

        let failed = try await plantJob(user, word, worker)
        let digests = try await store.digestsWithoutVector(of: "m", for: user, among: 9)
        #expect(digests.count == 1)
        _ = try await store.append(
            StoreHarness.step("v"), replacingFrom: nil,
            effects: digests.map { .record(.passageVector(PassageVector(digest: $0, model: "m", values: [1]))) },
            under: failed)
        try await store.storeExportPart(0, "{\"half\":\"\(word)\"}\n", under: failed)
        let error = JobError(code: "EXT_4004", message: "\(word) message", userMessage: "\(word) for people")
        try await store.fail(failed, with: JobFailure(error: error, next: .giveUp))
        try await store.archiveEnded(before: clock.now + .seconds(1))

        let deadline = clock.now + .seconds(86_400)
        try await submit(user.rawValue, cost: 1) { job in
            (job.deadline, job.within, job.input) = (deadline, .seconds(86_400), ["question": JSON(word)])
        }
        let unhurried = try await claimOne(worker).lease
        let question = BatchQuestion(
            key: BatchLineKey(job: unhurried.job, step: "draft", inputHash: "h"), provider: "claude", model: "sonnet",
            request: "\(word) request", estimate: .running("", 500), within: .seconds(86_400),
            lastChance: clock.now + .seconds(18 * 3600))
        _ = try await store.ask(question, under: unhurried, limits: SpendLimits())
        return user
    }

    /// The archive that the failed job of a user would have made of its parts.
    fileprivate func halfArchive(of user: UserID) async throws -> UserExport {
        let failed = try #require(try await store.jobs(JobListQuery(user: user, statuses: [.failed])).jobs.first)
        return UserExport(
            job: failed.id.description, user: user, epoch: 1, madeAt: clock.now, lines: 1, bytes: 1, parts: 1)
    }

    private func plantJob(_ user: UserID, _ word: String, _ worker: WorkerID) async throws -> Lease {
        let id = makeID()
        try await submit(user.rawValue, cost: 1) { job in
            job.id = id
            job.input = ["question": JSON("\(word) question")]
            job.subject = "\(word) subject"
            job.idempotency = Idempotency(key: "\(word)-\(id)", fingerprint: "f")
            job.requestID = "\(word)-request"
            job.concurrencyKey = "chat/\(word)"
        }
        let lease = try await claimOne(worker).lease
        _ = try await store.append(
            StoreHarness.step("a", output: ["text": JSON("\(word) output")]), replacingFrom: nil,
            effects: [.recordModelCall(.ended("call of \(id)", 120))], under: lease)
        return lease
    }

    private func plantAccess(_ user: UserID, _ subject: String, _ word: String) async throws {
        let session = Session(
            id: "session of \(subject)", user: user, device: "\(word) phone", tier: word, role: nil,
            createdAt: clock.now)
        _ = try await store.startSession(
            session, with: StoredRefreshToken(digest: "token of \(subject)", seed: "seed"))
        try await store.noteTier(word, of: user)
        try await store.change(
            preferencesOf: user,
            PreferencesChange(holdings: [Holding(ticker: "AAPL", label: "\(word) label", notes: "\(word) notes")]))
        _ = try await store.watch("AAPL", name: "\(word) name", by: user, limit: 10)
        _ = try await store.exchange([RateCount(user: user, bucket: "general", count: 3)], of: "b", minute: 1)
        _ = try await store.countSharedWork(["work"], of: user, day: 10, limit: 5)
        let own = AuditActor(.user, id: "\(user.rawValue)", name: subject)
        let key = NewAPIKey(
            APIKey(
                id: "key of \(subject)", name: "\(word) key", prefix: "dk_live_abcd", scopes: [.adminRead],
                createdAt: clock.now, createdBy: own),
            digest: "digest of \(subject)", seed: "seed", requestKey: "\(word) request", fingerprint: "f")
        _ = try await store.createKey(
            key,
            audit: AuditEntry(
                id: makeID(), at: clock.now, actor: own, action: "keys.create", target: "key",
                details: ["name": JSON("\(word) key"), "scopes": ["admin:read"]], requestID: "\(word)-request"))
        let endpoint = WebhookEndpoint(
            id: "endpoint of \(subject)", owner: user, url: "https://hooks.example/\(word)", events: .all,
            description: "\(word) description",
            secrets: [WebhookSecret(base64: "c2VjcmV0", createdAt: clock.now)], createdAt: clock.now)
        _ = try await store.createWebhookEndpoint(
            endpoint, idempotency: Idempotency(key: "\(word) key", fingerprint: "f"), limit: 10)
        let grant = NewCreditGrant(
            id: makeID(), user: user, amount: 50, externalID: "external-\(word)-\(subject)", source: .purchase,
            note: "\(word) note", startingCredits: 10)
        _ = try await store.grant(
            grant,
            audit: AuditEntry(
                id: makeID(), at: clock.now, actor: AuditActor(.key, id: "k", name: "shop"), action: "credits.grant",
                target: subject, user: user,
                details: ["amount": 50, "external_id": JSON("external-\(word)-\(subject)"), "note": JSON(word)]))
    }
}

extension JobStore {
    fileprivate func archiveEnded(before timestamp: Timestamp) async throws {
        while try await archiveFinished(before: timestamp, limit: 100) > 0 {}
    }
}
