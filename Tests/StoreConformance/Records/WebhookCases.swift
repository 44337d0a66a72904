import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Endpoints of webhooks, and the deliveries that the ends of jobs store.
    package static let webhooks: [ConformanceCase] = [
        ConformanceCase("every end of a job stores one event for each endpoint that hears of it") { harness in
            let store = harness.store
            let mine = try await harness.endpoint("mine", of: 1)
            let other = try await harness.endpoint("other", of: 2)
            let operators = try await harness.endpoint("operators", of: WebhookEndpoint.operators.rawValue)
            let failures = try await harness.endpoint("failures", of: 1, events: .failed)
            let user = UserID(rawValue: 1)
            var ends: [JobID: String] = [:]
            let completed = try await harness.running(cost: 2)
            try await store.complete(completed, with: ["x": 1], effects: [])
            ends[completed.job] = "job.completed"
            let failed = try await harness.running()
            try await store.fail(failed, with: StoreHarness.giveUp)
            ends[failed.job] = "job.failed"
            let cancelled = try await harness.submit()
            _ = try await store.cancel(cancelled.id, of: user)
            _ = try await store.cancel(cancelled.id, of: user)
            ends[cancelled.id] = "job.cancelled"
            let late = try await harness.submit { $0.deadline = harness.clock.now + .seconds(1) }
            harness.clock.advance(by: .seconds(2))
            _ = try await store.expire(limit: 10)
            ends[late.id] = "job.failed"
            for (job, type) in ends {
                let found = try await store.webhookDeliveries(
                    of: nil, WebhookDeliveryFilter(job: job), below: .max, limit: 100)
                #expect(Set(found.map(\.type)) == [type] && Set(found.map(\.event)).count == 1)
                let expected = type == "job.failed" ? [failures, mine, operators] : [mine, operators]
                #expect(found.map(\.endpoint).sorted() == expected.sorted(), "\(type)")
                #expect(found.allSatisfy { $0.status == .pending && $0.job == job && $0.tries == [] })
            }
            let mineAll = try await store.webhookDeliveries(
                of: user, WebhookDeliveryFilter(endpoint: mine), below: .max, limit: 100)
            #expect(mineAll.count == 4)
            let others = try await store.webhookDeliveries(
                of: UserID(rawValue: 2), WebhookDeliveryFilter(), below: .max, limit: 100)
            #expect(others == [] && !other.isEmpty)
        },
        ConformanceCase("a retried job that ends again has another event") { harness in
            let store = harness.store
            _ = try await harness.endpoint("mine", of: 1)
            let first = try await harness.running()
            try await store.fail(first, with: StoreHarness.giveUp)
            _ = try await store.retry(first.job, of: nil)
            let second = try await harness.claimOne(WorkerID(rawValue: "w1")).lease
            try await store.complete(second, with: ["x": 1], effects: [])
            let found = try await harness.deliveries(of: 1)
            #expect(found.map(\.type) == ["job.completed", "job.failed"])
            #expect(Set(found.map(\.event)).count == 2)
            #expect(
                found.allSatisfy { delivery in
                    delivery.event.hasPrefix("msg_")
                        && delivery.event.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
                })
        },
        ConformanceCase("subscribers of shared work hear of their own jobs, and the service of none") { harness in
            let store = harness.store
            _ = try await harness.endpoint("one", of: 1)
            _ = try await harness.endpoint("operators", of: WebhookEndpoint.operators.rawValue)
            let service = try await harness.running(by: UserID.system.rawValue)
            try await store.complete(service, with: ["x": 1], effects: [])
            #expect(try await harness.deliveries(of: WebhookEndpoint.operators.rawValue) == [])
            let job = try await harness.submitSharing(1)
            let shared = try await harness.claimOne(WorkerID(rawValue: "w1")).lease
            try await store.complete(shared, with: ["x": 1], effects: [])
            #expect(try await harness.job(job.id).status == .completed)
            #expect(try await harness.deliveries(of: 1).map(\.job) == [job.id])
            #expect(try await harness.deliveries(of: WebhookEndpoint.operators.rawValue).map(\.job) == [job.id])
            let known = try await harness.submit(1) { $0.source = .stored(["x": 1]) }
            #expect(try await harness.deliveries(of: 1).map(\.job) == [known.id, job.id])
            let last = try await harness.submitSharing(1)
            _ = try await store.cancel(last.id, of: nil)
            #expect(try await harness.deliveries(of: 1).first?.type == "job.cancelled")
        },
        ConformanceCase("a claim leases what is due, four at once for an endpoint, and takes turns") { harness in
            let store = harness.store
            let slow = try await harness.endpoint("slow", of: 1)
            _ = try await harness.endpoint("quick", of: 2)
            for number in 0..<6 { _ = try await store.addWebhookTest("msg_s\(number)", to: slow, of: nil) }
            _ = try await store.addWebhookTest("msg_q", to: "quick", of: nil)
            #expect(try await store.hasDueWebhooks(at: harness.clock.now))
            let first = try await store.claimWebhooks(as: "a", for: .seconds(10), limit: 64, each: 4, after: 0)
            #expect(first.map(\.endpoint).sorted() == ["quick", "slow", "slow", "slow", "slow"])
            #expect(try await store.claimWebhooks(as: "b", for: .seconds(10), limit: 64, each: 4, after: 0).count == 0)
            _ = try await harness.finish(first[0], "a", .delivered)
            harness.clock.advance(by: .seconds(11))
            // The leases have ended, so that their deliveries can be tried by others.
            #expect(try await store.claimWebhooks(as: "c", for: .zero, limit: 2, each: 4, after: 0).count == 2)
            let next = try await store.claimWebhooks(as: "d", for: .seconds(10), limit: 64, each: 4, after: 0)
            #expect(next.map(\.endpoint).sorted() == ["quick", "slow", "slow", "slow", "slow"])
            let stale = try #require(
                first.first { webhook in webhook.endpoint == "slow" && next.contains { $0.number == webhook.number } })
            _ = try await harness.finish(stale, "a", .delivered)
            let found = try await harness.deliveries(of: 1).first { $0.event == stale.event }
            #expect(found?.status == .pending, "a lease that ended records nothing")
        },
        ConformanceCase("a claimed delivery has what its body tells") { harness in
            let store = harness.store
            let account = try await store.account(for: "alice")
            _ = try await harness.endpoint("e", of: account.id.rawValue)
            let lease = try await harness.running(by: account.id.rawValue, cost: 3)
            try await store.complete(lease, with: ["x": 1], effects: [])
            let claimed = try await store.claimWebhooks(as: "a", for: .seconds(10), limit: 8, each: 4, after: 0)
            let webhook = try #require(claimed.first)
            let job = try await harness.job(lease.job)
            #expect(
                webhook.end
                    == ClaimedWebhook.JobEnd(
                        job: job.id, kind: "research", user: account.id, subject: "alice", errorCode: nil, credits: 3,
                        createdAt: job.createdAt))
            #expect(webhook.at == job.completedAt && webhook.type == "job.completed" && webhook.attempts == 0)
            #expect(webhook.secrets.map(\.base64) == ["c2VjcmV0"] && webhook.url == "https://e.example/hook")
        },
        ConformanceCase("a failed try is repeated after its pause and keeps its tries") { harness in
            let store = harness.store
            let id = try await harness.endpoint("e", of: 1)
            _ = try await store.addWebhookTest("msg_1", to: id, of: nil)
            var claimed = try await store.claimWebhooks(as: "a", for: .seconds(10), limit: 8, each: 4, after: 0)
            _ = try await harness.finish(try #require(claimed.first), "a", .retry(after: .seconds(60)), status: 500)
            #expect(try await store.claimWebhooks(as: "b", for: .seconds(10), limit: 8, each: 4, after: 0).isEmpty)
            harness.clock.advance(by: .seconds(60))
            claimed = try await store.claimWebhooks(as: "c", for: .seconds(10), limit: 8, each: 4, after: 0)
            let again = try #require(claimed.first)
            #expect(again.attempts == 1 && again.tries.map(\.status) == [500])
            _ = try await harness.finish(again, "c", .failed, status: 503)
            let found = try #require(try await harness.deliveries(of: 1).first)
            #expect(found.status == .failed && found.nextAt == nil && found.tries.map(\.status) == [500, 503])
            let endpoint = try #require(try await store.webhookEndpoint(id, of: nil))
            #expect(endpoint.failingSince == harness.clock.now - .seconds(60) && endpoint.lastFailure?.status == 503)
            #expect(try await store.replayWebhook("msg_1", of: UserID(rawValue: 2), to: nil) == 0)
            #expect(try await store.replayWebhook("msg_1", of: UserID(rawValue: 1), to: nil) == 1)
            claimed = try await store.claimWebhooks(as: "d", for: .seconds(10), limit: 8, each: 4, after: 0)
            #expect(claimed.first?.attempts == 0 && claimed.first?.event == "msg_1")
            _ = try await harness.finish(try #require(claimed.first), "d", .delivered, status: 204)
            let healed = try #require(try await store.webhookEndpoint(id, of: nil))
            #expect(healed.failingSince == nil && healed.lastSuccessAt == harness.clock.now)
        },
        ConformanceCase("an endpoint that is gone or only fails is disabled, and its deliveries are held") { harness in
            let store = harness.store
            for (id, isGone) in [("gone", true), ("failing", false)] {
                _ = try await harness.endpoint(id, of: 1)
                for number in 0..<5 { _ = try await store.addWebhookTest("msg_\(id)\(number)", to: id, of: nil) }
                let claimed = try await store.claimWebhooks(as: id, for: .seconds(10), limit: 8, each: 4, after: 0)
                #expect(claimed.count == 4)
                if !isGone {
                    _ = try await harness.finish(claimed[0], id, .retry(after: .seconds(1)), status: 500)
                    harness.clock.advance(by: .seconds(5))
                }
                let disabled = try await harness.finish(
                    claimed[1], id, isGone ? .gone : .retry(after: .seconds(1)), status: isGone ? 410 : 500,
                    disablingAfter: .seconds(5))
                #expect(disabled?.endpoint == id && disabled?.reason.rawValue == id)
                let again = try await harness.finish(claimed[2], id, .retry(after: .seconds(1)), status: 500)
                #expect(again == nil, "it was disabled before")
                _ = try await harness.finish(claimed[3], id, .delivered, status: 200)
                let found = try await harness.deliveries(of: 1).filter { $0.endpoint == id }
                #expect(found.count { $0.status == .held } == 4 && found.count { $0.status == .delivered } == 1)
                let job = try await harness.submit()
                _ = try await store.cancel(job.id, of: nil)
                let later = try await harness.deliveries(of: 1).first { $0.endpoint == id }
                #expect(later?.status == .held && later?.type == "job.cancelled")
                #expect(
                    try await store.replayWebhooks(to: id, of: nil, [.held], in: harness.always) == 0,
                    "a disabled endpoint gets nothing")
                let enabled = try await store.changeWebhookEndpoint(
                    id, of: UserID(rawValue: 1), WebhookEndpointChange(isEnabled: true))
                #expect(enabled?.disabledBecause == nil && enabled?.failingSince == nil)
                #expect(try await !store.hasDueWebhooks(at: harness.clock.now), "enabling sends nothing")
                #expect(try await store.replayWebhooks(to: id, of: nil, [.held, .failed], in: harness.always) == 5)
                #expect(try await store.deleteWebhookEndpoint(id, of: UserID(rawValue: 1)))
                #expect(try await harness.deliveries(of: 1) == [])
            }
        },
        ConformanceCase("endpoints are limited, and a key makes one") { harness in
            let store = harness.store
            let owner = UserID(rawValue: 1)
            let key = Idempotency(key: "k", fingerprint: "f")
            let first = try await harness.create("a", key)
            #expect(first == .created(harness.newEndpoint("a", of: 1)))
            #expect(try await harness.create("b", key) == .existing(harness.newEndpoint("a", of: 1)))
            #expect(try await harness.create("c", Idempotency(key: "k", fingerprint: "g")) == .conflict)
            _ = try await harness.create("d", nil)
            #expect(try await harness.create("e", nil) == .full)
            #expect(try await harness.create("e", key) == .existing(harness.newEndpoint("a", of: 1)))
            #expect(try await store.webhookEndpoints(of: owner, limit: 10).map(\.id) == ["d", "a"])
            let changed = try await store.changeWebhookEndpoint(
                "a", of: owner,
                WebhookEndpointChange(url: "https://n.example", events: .failed, description: "d", isEnabled: false))
            #expect(changed?.url == "https://n.example" && changed?.events == .failed && changed?.description == "d")
            #expect(changed?.disabledBecause == .user)
            let cleared = try await store.changeWebhookEndpoint(
                "a", of: owner, WebhookEndpointChange(description: ""))
            #expect(cleared?.description == nil && cleared?.disabledBecause == .user)
            #expect(try await store.changeWebhookEndpoint("a", of: UserID(rawValue: 2), .init(isEnabled: true)) == nil)
            let old = harness.newEndpoint("a", of: 1).secrets
            let new = [WebhookSecret(base64: "bmV3", createdAt: harness.clock.now)] + old
            #expect(try await store.replaceWebhookSecrets(of: "a", of: owner, old, by: new))
            #expect(try await store.replaceWebhookSecrets(of: "a", of: owner, old, by: new))
            #expect(try await !store.replaceWebhookSecrets(of: "a", of: owner, old, by: old + new))
            #expect(try await store.webhookEndpoint("a", of: owner)?.secrets == new)
            #expect(try await store.webhookEndpoint("a", of: UserID(rawValue: 2)) == nil)
            #expect(try await !store.deleteWebhookEndpoint("a", of: UserID(rawValue: 2)))
        },
        ConformanceCase("a worker is drained and resumed, and an operator's writes are audited") { harness in
            let store = harness.store
            let lease = try await harness.running()
            let worker = WorkerID(rawValue: "w1")
            let drain = harness.audit("workers.drain")
            try await store.setDraining(true, of: worker, audit: drain)
            try await store.setDraining(true, of: worker, audit: harness.audit("workers.drain"))
            #expect(try await store.isDraining(worker))
            // The same process registers again, and the fleet's clock hears of it.
            _ = try await harness.worker()
            _ = try await store.observe(as: FleetObserver(worker: nil))
            let found = try await store.workers(below: .max, limit: 10, id: nil, at: harness.clock.now)
            #expect(found.map(\.worker.id) == [worker] && found[0].worker.isDraining && found[0].worker.isAlive)
            #expect(found[0].worker.jobs == [lease.job] && found[0].worker.busy == 1)
            #expect(found[0].worker.places == 100 && found[0].worker.host == "here")
            try await store.setDraining(false, of: worker, audit: harness.audit("workers.resume"))
            #expect(try await !store.isDraining(worker))
            try await store.setDraining(true, of: WorkerID(rawValue: "none"), audit: harness.audit("workers.drain"))
            let id = try await harness.endpoint("e", of: WebhookEndpoint.operators.rawValue)
            let owner = WebhookEndpoint.operators
            harness.clock.advance(by: .seconds(1))
            _ = try await store.changeWebhookEndpoint(
                id, of: owner, WebhookEndpointChange(description: "d"), audit: harness.audit("webhooks.change"))
            _ = try await store.addWebhookTest("msg_1", to: id, of: owner, audit: harness.audit("webhooks.test"))
            _ = try await store.replayWebhook("msg_1", of: owner, to: nil, audit: harness.audit("webhooks.replay"))
            _ = try await store.replayWebhook("msg_2", of: owner, to: nil, audit: harness.audit("webhooks.replay"))
            let old = harness.newEndpoint("e", of: owner.rawValue).secrets
            let secrets = try #require(try await store.webhookEndpoint(id, of: owner)).secrets
            #expect(secrets.count == old.count)
            _ = try await store.replaceWebhookSecrets(
                of: id, of: owner, secrets, by: [], audit: harness.audit("webhooks.rotate"))
            #expect(try await store.deleteWebhookEndpoint(id, of: owner, audit: harness.audit("webhooks.delete")))
            #expect(try await !store.deleteWebhookEndpoint(id, of: owner, audit: harness.audit("webhooks.delete")))
            let entries = try await store.auditEntries(AuditFilter(), after: nil, limit: 100)
            let actions = [
                "webhooks.change", "webhooks.delete", "webhooks.replay", "webhooks.rotate", "webhooks.test",
                "workers.drain", "workers.resume",
            ]
            #expect(entries.map(\.action).sorted() == actions)
            #expect(entries.contains { $0.id == drain.id })
        },
        ConformanceCase("old deliveries are deleted unless they are open") { harness in
            let store = harness.store
            let id = try await harness.endpoint("e", of: 1)
            #expect(try await store.addWebhookTest("msg_1", to: id, of: UserID(rawValue: 1)) == false)
            #expect(try await store.addWebhookTest("msg_1", to: id, of: UserID(rawValue: 1)) == true)
            #expect(try await store.addWebhookTest("msg_2", to: id, of: UserID(rawValue: 2)) == nil)
            let claimed = try await store.claimWebhooks(as: "a", for: .seconds(10), limit: 8, each: 4, after: 0)
            try await store.releaseWebhook(try #require(claimed.first), lease: "a")
            #expect(try await store.claimWebhooks(as: "b", for: .seconds(10), limit: 8, each: 4, after: 0).count == 1)
            let later = harness.clock.now + .seconds(1)
            #expect(try await store.deleteWebhookDeliveries(before: later, limit: 10) == 0)
            _ = try await harness.finish(try #require(claimed.first), "b", .delivered, status: 200)
            #expect(try await store.deleteWebhookDeliveries(before: later, limit: 10) == 1)
            #expect(try await harness.deliveries(of: 1) == [])
        },
    ]
}

extension StoreHarness {
    fileprivate func audit(_ action: String) -> AuditEntry {
        AuditEntry(
            id: makeID(), at: clock.now, actor: AuditActor(.user, id: "1", name: "ann"), action: action, target: "t")
    }

    fileprivate var always: Range<Timestamp> { Timestamp(milliseconds: 0)..<Timestamp(milliseconds: .max) }

    fileprivate func newEndpoint(_ id: String, of owner: Int64, events: WebhookEvents = .all) -> WebhookEndpoint {
        WebhookEndpoint(
            id: id, owner: UserID(rawValue: owner), url: "https://\(id).example/hook", events: events,
            secrets: [WebhookSecret(base64: "c2VjcmV0", createdAt: clock.now)], createdAt: clock.now)
    }

    fileprivate func endpoint(_ id: String, of owner: Int64, events: WebhookEvents = .all) async throws -> String {
        _ = try await store.createWebhookEndpoint(
            newEndpoint(id, of: owner, events: events), idempotency: nil, limit: 10)
        return id
    }

    fileprivate func create(_ id: String, _ key: Idempotency?) async throws -> WebhookEndpointCreation {
        try await store.createWebhookEndpoint(newEndpoint(id, of: 1), idempotency: key, limit: 2)
    }

    fileprivate func deliveries(of owner: Int64) async throws -> [WebhookDelivery] {
        try await store.webhookDeliveries(
            of: UserID(rawValue: owner), WebhookDeliveryFilter(), below: .max, limit: 100)
    }

    fileprivate func finish(
        _ webhook: ClaimedWebhook, _ lease: String, _ outcome: WebhookOutcome, status: Int = 200,
        disablingAfter: Duration = .seconds(5 * 86_400)
    ) async throws -> (endpoint: String, reason: WebhookEndpoint.DisabledReason)? {
        try await store.finishWebhook(
            webhook, lease: lease, outcome,
            after: WebhookTry(at: clock.now, status: status, error: nil, duration: .milliseconds(7)),
            disablingAfter: disablingAfter)
    }
}
