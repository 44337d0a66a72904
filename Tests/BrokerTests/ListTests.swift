import DossierAPI
import HTTP
import JSON
import JobQueue
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct ListTests {
    @Test func pagesHoldTheUsersJobsNewestFirst() async throws {
        try await Service.with { service in
            var ids: [String] = []
            for _ in 0..<5 { ids.append(try await service.submit("note", input: [:]).description) }
            _ = try await service.submit("note", input: [:], user: "2")
            let newest = ids.sorted().reversed().map { $0 }
            var seen: [String] = []
            for page in 1...3 {
                let answer = try await service.ask(.get, "/api/v1/jobs?per_page=2&page=\(page)")
                seen += try answer.decoded(as: [JobResource].self).map(\.id)
                let pagination = try #require(answer["pagination"])
                #expect(pagination["page"] == JSON(page) && pagination["per_page"] == 2)
                #expect(pagination["total_items"] == 5 && pagination["total_pages"] == 3)
                #expect(pagination["has_next"] == JSON(page < 3) && pagination["has_prev"] == JSON(page > 1))
                #expect((pagination["next_cursor"] != .null) == (page < 3))
            }
            #expect(seen == newest)
            let beyond = try await service.ask(.get, "/api/v1/jobs?per_page=2&page=4")
            #expect(beyond["data"] == [] && beyond["pagination"]?["has_next"] == false)
        }
    }

    @Test func aCursorStaysInPlaceWhileNewJobsArrive() async throws {
        try await Service.with { service in
            var ids: [String] = []
            for _ in 0..<4 { ids.append(try await service.submit("note", input: [:]).description) }
            var path = "/api/v1/jobs?per_page=3"
            var seen: [String] = []
            while true {
                let answer = try await service.ask(.get, path)
                seen += try answer.decoded(as: [JobResource].self).map(\.id)
                // Whatever a cursor leads to is not the first page.
                let page = path.contains("cursor") ? 2 : 1
                #expect(answer["pagination"]?["page"] == JSON(page))
                #expect(answer["pagination"]?["has_prev"] == JSON(page > 1))
                _ = try await service.submit("note", input: [:])
                guard let cursor = answer["pagination"]?["next_cursor"]?.string else { break }
                path = "/api/v1/jobs?per_page=3&cursor=\(cursor)"
            }
            #expect(seen == ids.sorted().reversed())
        }
    }

    @Test func filtersNarrowTheList() async throws {
        try await Service.with { service in
            let worker = try await FakeWorker(service)
            let done = try await service.submit()
            try await worker.finish(done)
            let note = try await service.submit("note", input: [:])
            let order = try await service.submit()
            for (query, expected) in [
                ("status=completed", [done]), ("status=pending", [note, order]), ("kind=note", [note]),
                ("kind=research&status=pending", [order]), ("status=failed", []), ("kind=other", []),
            ] {
                let answer = try await service.ask(.get, "/api/v1/jobs?\(query)")
                let found = try answer.decoded(as: [JobResource].self).map(\.id)
                #expect(Set(found) == Set(expected.map(\.description)), "\(query)")
                #expect(answer["pagination"]?["total_items"] == JSON(expected.count), "\(query)")
            }
        }
    }
}
