import BrokerClient
import HTTP
import JobQueue
import SQLSupport
import SQLiteStore
import JSON
import Testing

@testable import Broker

/// Endpoints of webhooks and their deliveries over HTTP.
@Suite(.timeLimit(.minutes(10))) struct WebhookTests {
    private static let path = "/api/v1/webhooks/endpoints"

    private func make(
        _ service: TestService, _ body: JSON = ["url": "https://example.com/hook"], user: String = "1",
        key: String? = nil
    ) async throws -> Answer {
        var headers: HTTPHeaders = ["X-User-ID": user]
        headers["Idempotency-Key"] = key
        return try await service.ask(.post, Self.path, body, headers: headers)
    }

    private func id(_ answer: Answer) throws -> String { try #require(answer["data"]?["id"]?.string, "\(answer.text)") }

    @Test func anEndpointShowsItsSecretOnce() async throws {
        try await TestService.with { service in
            let made = try await make(service, ["url": "https://example.com/hook", "description": "mine"])
            #expect(made.status == 201)
            let data = try #require(made["data"])
            let secret = try #require(data["secret"]?.string)
            #expect(secret.hasPrefix("whsec_") && secret.utf8.count == 6 + 44)
            #expect(data["events"] == ["job.completed", "job.failed", "job.cancelled", "webhook.test"])
            #expect(data["enabled"] == true && data["description"] == "mine")
            let id = try id(made)
            let read = try await service.ask(.get, Self.path + "/" + id)
            let list = try await service.ask(.get, Self.path)
            #expect(!read.text.contains(secret.dropFirst(6)) && !list.text.contains(secret.dropFirst(6)))
            #expect(list["data"]?.array?.first == read["data"] && read["data"]?["secrets"]?.array?.count == 1)
            #expect(read["data"]?["last_failure"] == .null && read["data"]?["disabled_because"] == .null)
            #expect(list["pagination"] == ["per_page": 50, "next_cursor": .null, "has_next": false])
        }
    }

    @Test func addressesAndEventsAreChecked() async throws {
        try await TestService.with({ $0.webhookHosts = ["10.0.0.0/8"] }) { service in
            let longest = "https://example.com/" + String(repeating: "a", count: 2029)
            let wrong: [(JSON, String)] = [
                (["url": "http://example.com"], "url"), (["url": "https://127.0.0.1/"], "url"),
                (["url": "https://a@example.com"], "url"), (["url": "example.com"], "url"), (["url": 5], "url"),
                (["url": JSON(longest)], "url"), ([:], "url"), (["url": "https://localhost"], "url"),
                (["url": "https://example.com", "events": []], "events"),
                (["url": "https://example.com", "events": ["job.started"]], "events[0]"),
                (["url": "https://example.com", "secret": "x"], "secret"),
                (
                    ["url": "https://example.com", "description": JSON(String(repeating: "a", count: 201))],
                    "description"
                ),
            ]
            for (body, field) in wrong {
                let answer = try await make(service, body)
                #expect(answer.status == 422 && answer.field == field, "\(body): \(answer.text)")
            }
            #expect(try await make(service, ["url": "http://10.1.2.3:9/hook"]).status == 201)
        }
    }

    @Test func aKeyMakesOneEndpointAndAPlanLimitsTheirNumber() async throws {
        try await TestService.with { service in
            let first = try await make(service, key: "k")
            let again = try await make(service, key: "k")
            #expect(first["data"] == again["data"] && again.status == 201)
            #expect(again.header("Idempotent-Replayed") == "true" && first.header("Idempotent-Replayed") == nil)
            let other = try await make(service, ["url": "https://example.com/other"], key: "k")
            #expect(other.status == 409 && other.code == "BIZ_2006")
        }
        try await TestService.with({ $0.plans = CurrentPlans() }) { service in
            for _ in 0..<3 { #expect(try await make(service).status == 201) }
            let refused = try await make(service)
            #expect(refused.status == 429 && refused.code == "BIZ_2007")
            #expect(refused["error"]?["details"] == ["what": "webhook_endpoints", "limit": 3])
            #expect(try await make(service, user: "2").status == 201)
        }
    }

    @Test func anotherUsersEndpointIsNotFound() async throws {
        try await TestService.with { service in
            let id = try id(try await make(service))
            let stranger: HTTPHeaders = ["X-User-ID": "2"]
            let path = Self.path + "/" + id
            var answers = [try await service.ask(.get, path, headers: stranger)]
            answers.append(try await service.ask(.patch, path, ["enabled": false], headers: stranger))
            answers.append(try await service.ask(.delete, path, headers: stranger))
            for action in ["test", "rotate", "replay"] {
                answers.append(try await service.ask(.post, path + "/" + action, headers: stranger))
            }
            answers.append(
                try await service.ask(.post, "/api/v1/webhooks/deliveries/msg_1/replay", headers: stranger))
            for answer in answers { #expect(answer.status == 404, "\(answer.text)") }
            #expect(try await service.ask(.get, path)["data"]?["enabled"] == true)
        }
    }

    @Test func anEndpointIsChangedDisabledAndDeleted() async throws {
        try await TestService.with { service in
            let path = Self.path + "/" + (try id(try await make(service)))
            let changed = try await service.ask(
                .patch, path, ["url": "https://example.org/", "events": ["job.failed"], "description": "d"])
            #expect(changed["data"]?["url"] == "https://example.org/" && changed["data"]?["events"] == ["job.failed"])
            let disabled = try await service.ask(.patch, path, ["enabled": false, "description": .null])
            #expect(disabled["data"]?["disabled_because"] == "user" && disabled["data"]?["enabled"] == false)
            #expect(disabled["data"]?["description"] == .null)
            let tested = try await service.ask(.post, path + "/test")
            #expect(tested.status == 202)
            let held = try await service.ask(.get, "/api/v1/webhooks/deliveries?status=held")
            #expect(held["data"]?.array?.map { $0["id"] } == [tested["data"]?["delivery_id"]])
            let enabled = try await service.ask(.patch, path, ["enabled": true])
            #expect(enabled["data"]?["enabled"] == true && enabled["data"]?["disabled_because"] == .null)
            #expect(try await service.ask(.post, path + "/replay")["data"] == ["queued": 1])
            #expect(try await service.ask(.delete, path)["data"] == ["deleted": true])
            #expect(try await service.ask(.delete, path).status == 404)
            #expect(try await service.ask(.get, "/api/v1/webhooks/deliveries")["data"] == [])
        }
    }

    @Test func aRotatedSecretSignsForATime() async throws {
        try await TestService.with { service in
            service.time.stop(at: service.time.now)
            let made = try await make(service)
            let path = Self.path + "/" + (try id(made))
            let rotated = try await service.ask(.post, path + "/rotate")
            let secret = try #require(rotated["data"]?["secret"]?.string)
            #expect(secret.hasPrefix("whsec_") && made["data"]?["secret"]?.string != secret)
            let secrets = try await service.ask(.get, path)["data"]?["secrets"]?.array ?? []
            #expect(secrets.count == 2 && secrets[0]["expires_at"] == .null)
            let expected = Timestamp(milliseconds: service.time.now) + .seconds(86_400)
            #expect(secrets[1]["expires_at"]?.string == expected.iso8601)
            // A secret that leaked ends at once, and with it those before.
            _ = try await service.ask(.post, path + "/rotate", ["previous_expires_in": 0])
            #expect(try await service.ask(.get, path)["data"]?["secrets"]?.array?.count == 1)
            for wrong: JSON in [-1, 604_801, "1"] {
                let answer = try await service.ask(.post, path + "/rotate", ["previous_expires_in": wrong])
                #expect(answer.status == 422 && answer.field == "previous_expires_in")
            }
        }
    }

    @Test func deliveriesAreListedInPagesAndReplayed() async throws {
        try await TestService.with { service in
            let id = try id(try await make(service))
            var events: [String] = []
            for number in 0..<5 {
                let answer = try await service.ask(
                    .post, Self.path + "/\(id)/test", headers: ["Idempotency-Key": "k\(number)"])
                events.append(try #require(answer["data"]?["delivery_id"]?.string))
            }
            let again = try await service.ask(.post, Self.path + "/\(id)/test", headers: ["Idempotency-Key": "k0"])
            #expect(again["data"]?["delivery_id"]?.string == events[0])
            #expect(again.header("Idempotent-Replayed") == "true")
            let job = try await service.submit()
            _ = try await service.ask(.post, "/api/v1/jobs/\(job)/cancel")
            var seen: [String] = []
            var cursor: String?
            repeat {
                let query = "?per_page=2" + (cursor.map { "&cursor=\($0)" } ?? "")
                let page = try await service.ask(.get, "/api/v1/webhooks/deliveries" + query)
                seen += (page["data"]?.array ?? []).compactMap { $0["id"]?.string }
                cursor = page["pagination"]?["next_cursor"]?.string
            } while cursor != nil
            #expect(seen.count == 6 && Array(seen.dropFirst()) == events.reversed())
            let cancelled = try await service.ask(.get, "/api/v1/webhooks/deliveries?job_id=\(job)&endpoint=\(id)")
            #expect(cancelled["data"]?.array?.map { $0["type"] } == ["job.cancelled"])
            #expect(cancelled["data"]?.array?.first?["status"] == "pending")
            let tests = try await service.ask(.get, "/api/v1/webhooks/deliveries?type=webhook.test&status=pending")
            #expect(tests["data"]?.array?.count == 5)
            let replayed = try await service.ask(
                .post, "/api/v1/webhooks/deliveries/\(events[0])/replay", ["endpoint": JSON(id)])
            #expect(replayed.status == 202 && replayed["data"] == ["queued": 1])
            let some = try await service.ask(
                .post, Self.path + "/\(id)/replay", ["status": "pending", "from": "2000-01-01T00:00:00Z"])
            #expect(some["data"] == ["queued": 6])
            for (query, field) in [
                ("status=gone", "status"), ("type=x", "type"), ("job_id=x", "job_id"), ("cursor=x", "cursor"),
                ("per_page=201", "per_page"),
            ] {
                let answer = try await service.ask(.get, "/api/v1/webhooks/deliveries?" + query)
                #expect(answer.status == 422 && answer.field == field, "\(query)")
            }
            for (body, field): (JSON, String) in [
                (["status": "x"], "status"), (["from": "x"], "from"),
                (["from": "2001-01-01T00:00:00Z", "to": "2000-01-01T00:00:00Z"], "to"),
            ] {
                let answer = try await service.ask(.post, Self.path + "/\(id)/replay", body)
                #expect(answer.status == 422 && answer.field == field, "\(body)")
            }
        }
    }

    @Test func endpointsAreListedInPages() async throws {
        try await TestService.with { service in
            var ids: [String] = []
            for _ in 0..<3 { ids.append(try id(try await make(service))) }
            let first = try await service.ask(.get, Self.path + "?per_page=2")
            #expect(first["data"]?.array?.compactMap { $0["id"]?.string } == [ids[2], ids[1]])
            let cursor = try #require(first["pagination"]?["next_cursor"]?.string)
            let second = try await service.ask(.get, Self.path + "?per_page=2&cursor=\(cursor)")
            #expect(second["data"]?.array?.compactMap { $0["id"]?.string } == [ids[0]])
            #expect(second["pagination"]?["has_next"] == false)
        }
    }

    @Test func operatorsHearOfEverybodyAndTheirWritesAreAudited() async throws {
        try await TestService.with { service in
            let path = "/api/v1/admin/webhooks/endpoints"
            let made = try await service.ask(.post, path, ["url": "https://ops.example.com/hook"])
            #expect(made.status == 201)
            let id = try id(made)
            #expect(try await service.ask(.get, Self.path + "/" + id).status == 404, "it is no user's")
            let mine = try self.id(try await make(service))
            #expect(try await service.ask(.get, path + "/" + mine).status == 404, "it is a user's")
            for user in ["1", "2"] {
                let job = try await service.submit(user: user)
                _ = try await service.ask(.post, "/api/v1/jobs/\(job)/cancel", headers: ["X-User-ID": user])
            }
            let all = try await service.ask(.get, "/api/v1/admin/webhooks/deliveries")
            #expect(all["data"]?.array?.count == 2)
            #expect(all["data"]?.array?.allSatisfy { $0["endpoint"]?.string == id } == true)
            let own = try await service.ask(.get, "/api/v1/webhooks/deliveries")
            #expect(own["data"]?.array?.map { $0["endpoint"]?.string } == [mine])
            _ = try await service.ask(.patch, path + "/" + id, ["description": "ops"])
            _ = try await service.ask(.post, path + "/" + id + "/test")
            _ = try await service.ask(.post, path + "/" + id + "/rotate")
            let event = try #require(all["data"]?.array?.first?["id"]?.string)
            let replayed = try await service.ask(.post, "/api/v1/admin/webhooks/deliveries/\(event)/replay")
            #expect(replayed["data"] == ["queued": 1])
            _ = try await service.ask(.post, path + "/" + id + "/replay", ["status": "pending"])
            _ = try await service.ask(.delete, path + "/" + id)
            _ = try await service.ask(.delete, path + "/" + id)
            let entries = try await service.store.auditEntries(AuditFilter(), after: nil, limit: 100)
            #expect(
                entries.map(\.action).reversed() == [
                    "webhooks.create", "webhooks.change", "webhooks.test", "webhooks.rotate", "webhooks.replay",
                    "webhooks.replay", "webhooks.delete",
                ])
            #expect(entries.allSatisfy { $0.target == id || $0.target == event })
        }
    }

    @Test func fiftyEndpointsOfOperatorsAreTheMost() async throws {
        try await TestService.with { service in
            for number in 0..<50 {
                let answer = try await service.ask(
                    .post, "/api/v1/admin/webhooks/endpoints", ["url": JSON("https://ops.example.com/\(number)")])
                #expect(answer.status == 201)
            }
            let refused = try await service.ask(
                .post, "/api/v1/admin/webhooks/endpoints", ["url": "https://ops.example.com/51"])
            #expect(refused.status == 429 && refused["error"]?["details"]?["limit"] == 50)
        }
    }
}
