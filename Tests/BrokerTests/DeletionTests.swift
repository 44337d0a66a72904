import HTTP
import JSON
import JobQueue
import Testing

@testable import Broker

/// `DELETE` of jobs, reports and conversations over HTTP.
@Suite(.timeLimit(.minutes(10))) struct DeletionTests {
    @Test(arguments: ["jobs", "research/reports"])
    func aFinishedJobIsDeletedByItsUserAlone(_ noun: String) async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let path = "/api/v1/\(noun)/\(id)"
            let unfinished = try await service.ask(.delete, path)
            #expect(unfinished.status == 409 && unfinished.code == "BIZ_2006")
            #expect(unfinished["error"]?["details"]?["reason"] == "not_finished")
            _ = try await service.ask(.post, "/api/v1/jobs/\(id)/cancel")
            #expect(try await service.ask(.delete, path, headers: ["X-User-ID": "2"]).status == 404)
            let deleted = try await service.ask(.delete, path)
            #expect(deleted.status == 200 && deleted["data"] == ["deleted": true])
            for method in [HTTPMethod.get, .delete] {
                #expect(try await service.ask(method, path).status == 404)
            }
            #expect(try await service.ask(.get, "/api/v1/jobs/\(id)/receipt").status == 404)
            let ledger = try await service.ask(.get, "/api/v1/credits/ledger?type=release")
            #expect(ledger["data"]?[0]?["job_id"] == JSON(id.description))
            #expect(ledger["data"]?[0]?["kind"] == "research")
            #expect(try await service.ask(.delete, "/api/v1/\(noun)/no-id").status == 404)
        }
    }

    @Test func aJobOfAnotherKindIsNoReport() async throws {
        try await TestService.with { service in
            let id = try await service.submit("note", input: [:])
            _ = try await service.ask(.post, "/api/v1/jobs/\(id)/cancel")
            #expect(try await service.ask(.delete, "/api/v1/research/reports/\(id)").status == 404)
            #expect(try await service.ask(.get, "/api/v1/jobs/\(id)").status == 200)
        }
    }

    @Test func anUnknownConversationIsNotFound() async throws {
        try await TestService.with { service in
            let unknown = "00000000-0000-7000-8000-000000000000"
            for id in [unknown, "no-id"] {
                let answer = try await service.ask(.delete, "/api/v1/conversations/\(id)")
                #expect(answer.status == 404 && answer.code == "BIZ_2005")
            }
        }
    }
}
