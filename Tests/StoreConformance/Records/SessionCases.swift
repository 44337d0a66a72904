import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Sessions, refresh tokens, and what ends access.
    package static let sessions: [ConformanceCase] = [
        ConformanceCase("a refresh token is used once and gives the same answer within the window") { harness in
            let session = try await harness.signIn("s1")
            #expect(try await harness.store.seed(ofRefreshToken: "t1") == "seed of t1")
            #expect(try await harness.store.seed(ofRefreshToken: "t9") == nil)
            harness.clock.advance(by: .seconds(100))
            var renewed = session
            (renewed.lastUsedAt, renewed.endsAt) = (harness.clock.now, harness.clock.now + Session.idleLifetime)
            let expected = SessionRefresh.refreshed(renewed, subject: "ann", generation: 0)
            #expect(try await harness.refresh("t1", to: "t2") == expected)
            harness.clock.advance(by: .milliseconds(29_999))
            #expect(try await harness.refresh("t1", to: "t2", seed: "another") == expected)
            #expect(try await harness.store.seed(ofRefreshToken: "t2") == "seed of t2")
            #expect(try await harness.store.accessEndings(since: 0) == [])
        },
        ConformanceCase("a refresh token that comes later, or after its successor, ends the session") { harness in
            for (id, wait, usesSuccessor) in [("a", 30, false), ("b", 0, true), ("c", 29, true)] {
                _ = try await harness.signIn(id, token: id + "1")
                _ = try await harness.refresh(id + "1", to: id + "2")
                if usesSuccessor { _ = try await harness.refresh(id + "2", to: id + "3") }
                harness.clock.advance(by: .seconds(wait))
                #expect(try await harness.refresh(id + "1", to: id + "2") == .reused(session: id), "\(id)")
                harness.clock.advance(by: .seconds(1))
                for token in [id + "1", id + "2", id + "3"] {
                    #expect(try await harness.refresh(token, to: "x") == .refused, "\(token)")
                }
            }
            #expect(try await harness.refresh("nobody's", to: "x") == .refused)
            let ended = Set(try await harness.store.accessEndings(since: 0))
            #expect(ended == [.session("a"), .session("b"), .session("c")])
        },
        ConformanceCase("a bar and its end are told once each, and stored with their entries of the audit") { harness in
            let store = harness.store
            let user = try await store.account(for: "mallory").id
            func set(_ isBarred: Bool) async throws {
                let entry = AuditEntry(
                    id: harness.makeID(), at: harness.clock.now, actor: AuditActor(.cli, id: "root", name: "root"),
                    action: "users.bar", target: "mallory", user: user, details: ["barred": JSON(isBarred)])
                try await store.setBar(isBarred, of: user, audit: entry)
            }
            try await set(false)
            #expect(try await store.accessEndings(since: 0) == [])
            for _ in 0..<2 { try await set(true) }
            #expect(try await store.accessEndings(since: 0) == [.bar(subject: "mallory", isBarred: true)])
            #expect(try await store.isBarred(user))
            harness.clock.advance(by: .seconds(1))
            try await set(false)
            #expect(try await store.accessEndings(since: 0) == [.bar(subject: "mallory", isBarred: false)])
            #expect(try await !store.isBarred(user))
            let audit = try await store.auditEntries(AuditFilter(), after: nil, limit: 9)
            #expect(audit.map(\.details) == [["barred": false], ["barred": true]])
        },
        ConformanceCase("twenty requests with one refresh token use it once") { harness in
            let other = try await harness.fixture.open()
            _ = try await harness.signIn("s1")
            let now = harness.clock.now
            let outcomes = try await withThrowingTaskGroup(of: SessionRefresh.self) { group in
                for number in 0..<20 {
                    let store = number % 2 == 0 ? harness.store : other
                    group.addTask {
                        try await store.refreshSession(
                            "t1", successor: StoredRefreshToken(digest: "t2", seed: "seed \(number)"), at: now)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(outcomes).count == 1)
            guard case .refreshed = outcomes[0] else {
                Issue.record("\(outcomes[0])")
                return
            }
            let seed = try #require(try await harness.store.seed(ofRefreshToken: "t2"))
            #expect(seed.hasPrefix("seed "))
            #expect(try await other.seed(ofRefreshToken: "t2") == seed)
        },
        ConformanceCase("a session ends 30 days after its last refresh and 90 days after its start") { harness in
            let session = try await harness.signIn("s1")
            _ = try await harness.signIn("idle", token: "idle")
            #expect(session.endsAt == session.createdAt + .seconds(30 * 86_400))
            for number in 1...3 {
                harness.clock.advance(by: .seconds(29 * 86_400))
                guard case .refreshed(let renewed, _, _) = try await harness.refresh("t\(number)", to: "t\(number + 1)")
                else {
                    Issue.record("refresh \(number)")
                    return
                }
                let end = min(harness.clock.now + .seconds(30 * 86_400), session.createdAt + .seconds(90 * 86_400))
                #expect(renewed.endsAt == end)
            }
            #expect(try await harness.refresh("idle", to: "x") == .refused)
            harness.clock.advance(by: .seconds(3 * 86_400))
            #expect(try await harness.refresh("t4", to: "t5") == .refused)
            let user = session.user
            #expect(try await harness.list(user) == [])
            #expect(try await harness.store.endSession("s1", of: user, at: harness.clock.now) == false)
            #expect(try await harness.store.session(ofRefreshToken: "t4", at: harness.clock.now) == nil)
        },
        ConformanceCase("a session is ended by its user alone, once") { harness in
            let session = try await harness.signIn("s1")
            harness.clock.advance(by: .seconds(1))
            let now = harness.clock.now
            #expect(try await harness.store.session(ofRefreshToken: "t1", at: now)?.id == "s1")
            #expect(try await harness.store.endSession("s1", of: 12345, at: now) == false)
            #expect(try await harness.store.endSession("s2", of: session.user, at: now) == false)
            #expect(try await harness.store.endSession("s1", of: session.user, at: now))
            harness.clock.advance(by: .seconds(1))
            #expect(try await harness.store.endSession("s1", of: session.user, at: harness.clock.now) == false)
            #expect(try await harness.refresh("t1", to: "t2") == .refused)
            #expect(try await harness.store.session(ofRefreshToken: "t1", at: harness.clock.now) == nil)
            let other = try await harness.fixture.open()
            #expect(try await other.accessEndings(since: now.milliseconds) == [.session("s1")])
            #expect(try await other.accessEndings(since: now.milliseconds + 1) == [])
        },
        ConformanceCase("ending all sessions raises the generation of one user") { harness in
            let session = try await harness.signIn("s1")
            _ = try await harness.signIn("s2", token: "t2")
            let other = try await harness.signIn("o", token: "o1", subject: "Ann")
            #expect(try await harness.store.generation(of: "ann") == 0)
            harness.clock.advance(by: .seconds(1))
            for generation: Int64 in 1...2 {
                let audit = AuditEntry(
                    id: harness.makeID(), at: harness.clock.now, actor: AuditActor(.cli, id: "0", name: "root"),
                    action: "users.sign_out", target: "ann")
                let (ended, raised) = try await harness.store.endSessions(
                    of: session.user, at: harness.clock.now, audit: generation == 1 ? audit : nil)
                #expect(ended == (generation == 1 ? 2 : 0) && raised == generation)
                harness.clock.advance(by: .seconds(1))
            }
            let entries = try await harness.store.auditEntries(AuditFilter(), after: nil, limit: 9)
            #expect(entries.map(\.action) == ["users.sign_out"])
            #expect(try await harness.store.generation(of: "ann") == 2)
            #expect(try await harness.store.generation(of: "Ann") == 0)
            #expect(try await harness.list(session.user) == [])
            #expect(try await harness.list(other.user) == ["o"])
            #expect(try await harness.refresh("t1", to: "x") == .refused)
            let endings = Set(try await harness.store.accessEndings(since: 0))
            #expect(endings == [.session("s1"), .session("s2"), .user(subject: "ann", generation: 2)])
            guard case .refreshed(_, _, let generation) = try await harness.refresh("o1", to: "o2") else {
                Issue.record("another user's session ended")
                return
            }
            #expect(generation == 0)
        },
        ConformanceCase("pages of sessions neither repeat nor miss one, even when times are equal") { harness in
            var user: UserID = 0
            for id in ["b", "a", "c"] { user = try await harness.signIn(id, token: id).user }
            harness.clock.advance(by: .seconds(1))
            _ = try await harness.signIn("later", token: "later")
            #expect(try await harness.list(user) == ["later", "c", "b", "a"])
            let store = harness.store
            let first = try await store.sessions(of: user, at: harness.clock.now, after: nil, limit: 2)
            let last = try #require(first.last)
            _ = try await harness.signIn("newest", token: "newest")
            let rest = try await store.sessions(
                of: user, at: harness.clock.now, after: SessionCursor(createdAt: last.createdAt, id: last.id), limit: 5)
            #expect(rest.map(\.id) == ["b", "a"])
        },
        ConformanceCase("sessions that were over long ago are deleted") { harness in
            _ = try await harness.signIn("old", token: "old")
            harness.clock.advance(by: Session.idleLifetime + Session.retention + .seconds(1))
            _ = try await harness.signIn("new", token: "new")
            #expect(try await harness.store.seed(ofRefreshToken: "old") == nil)
            #expect(try await harness.store.seed(ofRefreshToken: "new") == "seed of new")
        },
    ]
}

extension StoreHarness {
    fileprivate func signIn(
        _ id: String, token: String = "t1", subject: String = "ann"
    ) async throws -> Session {
        let user = try await store.account(for: subject).id
        let session = Session(
            id: id, user: user, device: "Ann’s phone", tier: "pro", role: "viewer", createdAt: clock.now)
        _ = try await store.startSession(session, with: StoredRefreshToken(digest: token, seed: "seed of \(token)"))
        return session
    }

    fileprivate func refresh(
        _ digest: String, to successor: String, seed: String? = nil
    ) async throws -> SessionRefresh {
        try await store.refreshSession(
            digest, successor: StoredRefreshToken(digest: successor, seed: seed ?? "seed of \(successor)"),
            at: clock.now)
    }

    fileprivate func list(_ user: UserID) async throws -> [String] {
        try await store.sessions(of: user, at: clock.now, after: nil, limit: 100).map(\.id)
    }
}

extension SessionRepository {
    /// What has ended access since milliseconds after 1970.
    fileprivate func accessEndings(since milliseconds: Int64) async throws(StoreError) -> [AccessEnding] {
        let time = Timestamp(milliseconds: milliseconds)
        return try await accessEndings(sessionsSince: time, usersSince: time)
    }
}
