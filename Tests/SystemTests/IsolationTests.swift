import DossierAPI
import BrokerClient
import HTTP
import JSON
import Testing

extension SystemTests.Surface {
    @Suite(.serialized) struct IsolationTests {
        @Test(.timeLimit(.minutes(10)))
        func anotherUsersJobDoesNotExist() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                let worker = try await fleet.startWorker()
                let done = try await fleet.submit(user: 1, key: "k").id
                #expect(try await fleet.end(of: done).status == "completed")
                try await worker.crash()
                let pending = try await fleet.submit(user: 1).id
                for id in [done, pending] {
                    let paths: [(HTTPMethod, String)] = [
                        (.get, "/api/v1/jobs/\(id)"), (.get, "/api/v1/jobs/\(id)?wait=1"),
                        (.get, "/api/v1/jobs/\(id)/result"), (.get, "/api/v1/jobs/\(id)/events"),
                        (.get, "/api/v1/events?jobs=\(id)"), (.post, "/api/v1/jobs/\(id)/cancel"),
                        (.post, "/api/v1/jobs/\(id)/retry"), (.get, "/api/v1/research/reports/\(id)"),
                        (.get, "/api/v1/research/reports/\(id)/status"),
                    ]
                    for (method, path) in paths {
                        let answer = try await fleet.send(method, path, user: 2)
                        #expect(answer.status == 404 && answer.code == "BIZ_2005", "\(path): \(answer)")
                        // Indistinguishable from a job that never existed.
                        let nobodys = "01980000-0000-7000-8000-000000000000"
                        let other = try await fleet.send(method, path.replacing(id, with: nobodys), user: 2)
                        let error = other.body["error"]?.compact.replacing(nobodys, with: id)
                        #expect(other.status == answer.status && error == answer.body["error"]?.compact)
                    }
                }
                #expect(try await fleet.client(1).job(pending).status == "pending", "another user ended the job")
                for path in ["/api/v1/jobs", "/api/v1/jobs?status=completed", "/api/v1/research/reports"] {
                    let list = try await fleet.send(.get, path, user: 2)
                    #expect(list.data == [] && list.body["pagination"]?["total_items"] != 1, "\(path): \(list)")
                }
                // Another user's cursor shows nothing, and the same key is each user's own.
                #expect(try await fleet.send(.get, "/api/v1/jobs?cursor=\(done)", user: 2).data == [])
                let own = try await fleet.submit(user: 2, key: "k").id
                #expect(own != done)
                try await fleet.expectBalance(user: 1, used: 1, held: 1)
                try await fleet.expectBalance(user: 2, used: 0, held: 1)
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aStreamOfSeveralJobsWithOneOfAnotherUserIsRefused() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                let mine = try await fleet.submit(user: 1).id
                let yours = try await fleet.submit(user: 2).id
                #expect(try await fleet.send(.get, "/api/v1/events?jobs=\(mine),\(yours)", user: 1).status == 404)
            }
        }
    }
}
