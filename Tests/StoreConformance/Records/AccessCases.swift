import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// API keys and the audit.
    package static let access: [ConformanceCase] = [
        ConformanceCase("a key is found by its digest until it is revoked or expires") { harness in
            let end = harness.clock.now + .seconds(60)
            let made = harness.key("a") { $0.expiresAt = end }
            guard case .created(let key) = try await harness.create(made) else {
                Issue.record("no key was made")
                return
            }
            #expect(key == made.key)
            let other = try await harness.fixture.open()
            #expect(try await other.liveKeys() == ["digest of a": key])
            #expect(try await other.key(digest: "digest of a") == key)
            #expect(try await other.key(digest: "digest of b") == nil)
            harness.clock.advance(by: .seconds(59))
            #expect(try await harness.store.revokeKey("nobody's", audit: harness.entry("keys.revoke")) == nil)
            let revoked = try #require(try await harness.store.revokeKey("a", audit: harness.entry("keys.revoke")))
            #expect(revoked.revokedAt == harness.clock.now)
            harness.clock.advance(by: .milliseconds(1))
            #expect(try await harness.store.revokeKey("a", audit: harness.entry("keys.revoke")) == revoked)
            #expect(try await other.liveKeys() == [:])
            #expect(try await harness.actions() == ["keys.revoke", "keys.create"])
            _ = try await harness.create(harness.key("b") { $0.expiresAt = harness.clock.now + .milliseconds(1) })
            #expect(try await other.liveKeys().count == 1)
            harness.clock.advance(by: .milliseconds(1))
            #expect(try await other.liveKeys() == [:])
        },
        ConformanceCase("a request for a key that comes again gets the first key, also for twenty at once") { harness in
            let other = try await harness.fixture.open()
            let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<20 {
                    let store = number % 2 == 0 ? harness.store : other
                    let made = harness.key("key \(number)", request: "r")
                    let entry = harness.entry("keys.create")
                    group.addTask {
                        switch try await store.createKey(made, audit: entry) {
                        case .created(let key): return key.id
                        case .existing(let key, let digest, let seed):
                            #expect(digest == "digest of \(key.id)" && seed == "seed of \(key.id)")
                            return key.id
                        case .conflict, .full: return "none"
                        }
                    }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(outcomes.count == 1 && outcomes != ["none"])
            #expect(try await harness.store.keys(after: nil, limit: 50).count == 1)
            #expect(try await harness.actions() == ["keys.create"])
            guard case .conflict = try await harness.create(harness.key("x", request: "r", fingerprint: "other")) else {
                Issue.record("another request took the key's place")
                return
            }
            let another = harness.key("y", request: "r") { $0.createdBy = AuditActor(.key, id: "k", name: "K") }
            guard case .created = try await harness.create(another) else {
                Issue.record("another creator's request is not the same")
                return
            }
        },
        ConformanceCase("pages of keys neither repeat nor miss one, and uses are noted to the latest") { harness in
            for id in ["c", "a", "b"] { _ = try await harness.create(harness.key(id)) }
            harness.clock.advance(by: .seconds(1))
            _ = try await harness.create(harness.key("later"))
            let first = try await harness.store.keys(after: nil, limit: 2)
            #expect(first.map(\.id) == ["later", "c"])
            _ = try await harness.create(harness.key("newest"))
            let cursor = TimeCursor(at: first[1].createdAt, id: first[1].id)
            #expect(try await harness.store.keys(after: cursor, limit: 9).map(\.id) == ["b", "a"])
            let now = harness.clock.now
            try await harness.store.noteKeyUses(["a": now, "b": now + .seconds(60)])
            try await harness.store.noteKeyUses(["a": now + .seconds(60), "b": now, "none": now])
            try await harness.store.noteKeyUses([:])
            let uses = try await harness.store.keys(after: cursor, limit: 9).map(\.lastUsedAt)
            #expect(uses == [now + .seconds(60), now + .seconds(60)])
        },
        ConformanceCase("there is a limit of live keys") { harness in
            for number in 0..<APIKey.most { _ = try await harness.create(harness.key("\(number)")) }
            guard case .full = try await harness.create(harness.key("more")) else {
                Issue.record("a key beyond the limit was made")
                return
            }
            #expect(try await harness.actions().count == 200)
            _ = try await harness.store.revokeKey("7", audit: harness.entry("keys.revoke"))
            guard case .created = try await harness.create(harness.key("more")) else {
                Issue.record("the place of a revoked key is not free")
                return
            }
        },
        ConformanceCase("the audit keeps each entry once and is read by its filters") { harness in
            var first = harness.entry("jobs.cancel", target: "job 1")
            (first.user, first.requestID, first.details) = (7, "request 1", ["note": "because", "count": 2])
            try await harness.store.writeAudit(first)
            try await harness.store.writeAudit(first)
            first.at = harness.clock.now
            harness.clock.advance(by: .seconds(1))
            var second = harness.entry("jobs.retry", target: "job 2")
            second.actor = AuditActor(.key, id: "k1", name: "Shop")
            try await harness.store.writeAudit(second)
            second.at = harness.clock.now
            #expect(try await harness.audit(AuditFilter()) == [second, first])
            #expect(try await harness.audit(AuditFilter(actor: "k1")) == [second])
            #expect(try await harness.audit(AuditFilter(actor: "Shop")) == [second])
            #expect(try await harness.audit(AuditFilter(action: "jobs.cancel")) == [first])
            #expect(try await harness.audit(AuditFilter(target: "job 2")) == [second])
            #expect(try await harness.audit(AuditFilter(from: second.at)) == [second])
            #expect(try await harness.audit(AuditFilter(to: second.at)) == [first])
            let cursor = TimeCursor(at: second.at, id: second.id)
            #expect(try await harness.store.auditEntries(AuditFilter(), after: cursor, limit: 5) == [first])
        },
    ]
}

extension StoreHarness {
    fileprivate func key(
        _ id: String, request: String? = nil, fingerprint: String = "f", _ change: (inout APIKey) -> Void = { _ in }
    ) -> NewAPIKey {
        var key = APIKey(
            id: id, name: "Shop", prefix: "dk_live_abcd", scopes: [.adminRead, .creditsGrant], createdAt: clock.now,
            createdBy: AuditActor(.user, id: "7", name: "ann"))
        change(&key)
        return NewAPIKey(
            key, digest: "digest of \(id)", seed: "seed of \(id)", requestKey: request,
            fingerprint: request.map { _ in fingerprint })
    }

    fileprivate func create(_ key: NewAPIKey) async throws -> APIKeyCreation {
        try await store.createKey(key, audit: entry("keys.create", target: key.key.id))
    }

    /// An entry of the audit, by an operator.
    func entry(_ action: String, target: String? = nil) -> AuditEntry {
        AuditEntry(
            id: makeID(), at: clock.now, actor: AuditActor(.user, id: "7", name: "ann"), action: action, target: target)
    }

    func audit(_ filter: AuditFilter) async throws -> [AuditEntry] {
        try await store.auditEntries(filter, after: nil, limit: 200)
    }

    fileprivate func actions() async throws -> [String] { try await audit(AuditFilter()).map(\.action) }
}
