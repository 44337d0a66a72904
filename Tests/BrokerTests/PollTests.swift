import DossierAPI
import HTTP
import JobQueue
import JSON
import SQLiteStore
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct PollTests {
    @Test func pollsShowTheProgressOfAJob() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let worker = try await FakeWorker(service)
            let lease = try await worker.claim(id)
            try await worker.report(lease, 40)
            let running = try await service.ask(.get, "/api/v1/jobs/\(id)")
            let job = try running.decoded(as: JobResource.self)
            #expect(
                job.status == "processing" && job.progress == 40 && job.currentStep == "Writing" && job.attempt == 1)
            #expect(job.startedAt != nil && job.completedAt == nil)
            #expect(running["data"]?["blocked_by"] == nil, "only a pending job waits for something")
            #expect(running.header("Retry-After") == "1")

            try await worker.fail(lease, next: .retry(after: .seconds(60)))
            let waiting = try await service.ask(.get, "/api/v1/jobs/\(id)").decoded(as: JobResource.self)
            #expect(waiting.status == "pending" && waiting.blockedBy?.reason == "retry")
            #expect(waiting.error?.code == .generationFailed, "why the last attempt failed")
        }
    }

    @Test func theETagChangesWithTheJobAndAnEqualOneGets304() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let path = "/api/v1/jobs/\(id)"
            let tag = try #require(try await service.ask(.get, path).header("ETag"))
            for header in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let answer = try await service.ask(.get, path, headers: ["If-None-Match": header])
                #expect(answer.status == 304 && answer.header("ETag") == tag, "\(header)")
                #expect(answer.header("Retry-After") == "2")
            }
            for header in ["\"other\"", "", String(tag.dropFirst().dropLast())] {
                let answer = try await service.ask(.get, path, headers: ["If-None-Match": header])
                #expect(answer.status == 200, "\(header)")
            }
            try await FakeWorker(service).claim(id)
            let answer = try await service.ask(.get, path, headers: ["If-None-Match": tag])
            #expect(answer.status == 200 && answer.header("ETag") != tag)
            #expect(answer["data"]?["status"] == "processing")
        }
    }

    // MARK: Waiting

    @Test func aWaitIsAnsweredWhenTheJobEnds() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let worker = try await FakeWorker(service)
            async let answer = service.ask(.get, "/api/v1/jobs/\(id)?wait=60")
            let lease = try await worker.claim(id)
            for progress in [20, 50, 80] { try await worker.report(lease, progress) }
            try await worker.complete(lease)
            let job = try await answer
            #expect(try job.decoded(as: JobResource.self).status == "completed")
            #expect(job.header("Retry-After") == nil)
        }
    }

    @Test func aWaitWithAnETagIsAnsweredAtTheNextChange() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let worker = try await FakeWorker(service)
            let path = "/api/v1/jobs/\(id)?wait=60"
            let tag = try await service.ask(.get, "/api/v1/jobs/\(id)").header("ETag")
            let start = ContinuousClock.now
            async let answer = service.ask(.get, path, headers: ["If-None-Match": tag ?? ""])
            try await worker.claim(id)
            let job = try await answer
            #expect(job.status == 200 && job["data"]?["status"] == "processing")
            #expect(ContinuousClock.now - start < .seconds(50))
        }
    }

    @Test func aWaitEndsAtItsTimeout() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let start = ContinuousClock.now
            let answer = try await service.ask(.get, "/api/v1/jobs/\(id)?wait=1")
            #expect(answer.status == 200 && answer["data"]?["status"] == "pending")
            let tag = try #require(answer.header("ETag"))
            let unchanged = try await service.ask(
                .get, "/api/v1/jobs/\(id)?wait=1", headers: ["If-None-Match": tag])
            #expect(unchanged.status == 304)
            let time = ContinuousClock.now - start
            #expect(time > .seconds(1.9) && time < .seconds(60), "\(time)")
        }
    }

    @Test func aWaitForAFinishedJobIsAnsweredAtOnce() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            try await FakeWorker(service).finish(id)
            let start = ContinuousClock.now
            let answer = try await service.ask(.get, "/api/v1/jobs/\(id)?wait=60")
            let tag = try #require(answer.header("ETag"))
            let same = try await service.ask(.get, "/api/v1/jobs/\(id)?wait=60", headers: ["If-None-Match": tag])
            #expect(same.status == 304)
            #expect(ContinuousClock.now - start < .seconds(50))
        }
    }

    // MARK: Ends

    @Test func aResultCanBeReadWhenTheJobIsCompleted() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let path = "/api/v1/jobs/\(id)/result"
            let early = try await service.ask(.get, path)
            #expect(early.status == 409 && early.code == "BIZ_2006")
            #expect(early["error"]?["details"]?["job_id"]?.string == id.description)
            #expect(early["error"]?["details"]?["reason"] == "no_result_yet")
            #expect(early["error"]?["action"] == "wait")
            let result: JSON = [
                "report": ["summary": "Calm, at 3.10 a share."], "facts": [["value": .number(JSONNumber(1))]],
            ]
            let worker = try await FakeWorker(service)
            try await worker.complete(worker.claim(id), with: result)
            let answer = try await service.ask(.get, path)
            var data = result
            data["kind"] = "research"
            #expect(answer.status == 200 && answer["data"] == data)
            #expect(answer.header("ETag") != nil)
        }
    }

    @Test func anOwnerReadsTheInputOfAJobAsItWasTaken() async throws {
        try await TestService.with { service in
            let order: JSON = ["ticker": "aapl", "persona": "ann"]
            let submitted = try await service.ask(
                .post, "/api/v1/jobs", ["kind": "research", "input": order], headers: ["X-User-ID": "1"])
            let id = try #require(submitted["data"]?["id"]?.string)
            let path = "/api/v1/jobs/\(id)/input"
            let answer = try await service.ask(.get, path, headers: ["X-User-ID": "1"])
            #expect(answer.status == 200)
            #expect(answer["data"]?["ticker"] == "AAPL" && answer["data"]?["persona"] == "ann")
            let tag = try #require(answer.header("ETag"))
            let same = try await service.ask(.get, path, headers: ["X-User-ID": "1", "If-None-Match": tag])
            #expect(same.status == 304)
            let other = try await service.ask(.get, path, headers: ["X-User-ID": "2"])
            #expect(other.status == 404 && !other.text.contains("AAPL"))
        }
    }

    @Test func everyAnswerAboutAJobHasItsSubject() async throws {
        try await TestService.with { service in
            let submitted = try await service.ask(
                .post, "/api/v1/jobs", ["kind": "research", "input": ["ticker": "aapl", "persona": "ann"]])
            #expect(submitted["data"]?["subject"] == "AAPL as Ann")
            let id = try #require(submitted["data"]?["id"]?.string)
            let paths = ["/api/v1/jobs/\(id)", "/api/v1/admin/jobs/\(id)"]
            for path in paths { #expect(try await service.ask(.get, path)["data"]?["subject"] == "AAPL as Ann") }
            for path in ["/api/v1/jobs", "/api/v1/admin/jobs"] {
                #expect(try await service.ask(.get, path)["data"]?[0]?["subject"] == "AAPL as Ann")
            }
            let cancelled = try await service.ask(.post, "/api/v1/jobs/\(id)/cancel")
            #expect(cancelled["data"]?["subject"] == "AAPL as Ann")
            let events = try await service.client.send(HTTPRequest(.get, service.url + "/api/v1/jobs/\(id)/events"))
            #expect(String(decoding: events.body, as: UTF8.self).contains(#""subject":"AAPL as Ann""#))
            let note = try await service.ask(.post, "/api/v1/jobs", ["kind": "note", "input": [:]])
            #expect(note["data"]?["subject"] == .null)
        }
    }

    @Test func theResultOfAFailedJobIsItsError() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let worker = try await FakeWorker(service)
            try await worker.fail(worker.claim(id))
            let job = try await service.ask(.get, "/api/v1/jobs/\(id)").decoded(as: JobResource.self)
            #expect(job.status == "failed" && job.error?.code == .generationFailed && job.completedAt != nil)
            let result = try await service.ask(.get, "/api/v1/jobs/\(id)/result")
            #expect(result.status == 409 && result.code == "BIZ_2003")
            #expect(result["error"]?["details"]?["job_id"]?.string == id.description)
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
        }
    }

    @Test func aCancelEndsAJobAndReleasesTheCredit() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let worker = try await FakeWorker(service)
            let lease = try await worker.claim(id)
            let first = try await service.ask(.post, "/api/v1/jobs/\(id)/cancel")
            #expect(first.status == 200)
            #expect(try first.decoded(as: JobResource.self).status == "cancelled")
            let again = try await service.ask(.post, "/api/v1/jobs/\(id)/cancel", [:])
            #expect(again.status == 200 && again.header("ETag") == first.header("ETag"))
            let result = try await service.ask(.get, "/api/v1/jobs/\(id)/result")
            #expect(result.status == 409 && result.code == "BIZ_2006")
            #expect(result["error"]?["details"]?["reason"] == "cancelled")
            await #expect(throws: StoreError.leaseLost) { try await worker.complete(lease) }
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")

            let done = try await service.submit()
            try await worker.finish(done)
            let late = try await service.ask(.post, "/api/v1/jobs/\(done)/cancel")
            #expect(late.status == 200 && late["data"]?["status"] == "completed")
            #expect(try await service.credits() == "10 granted, 9 left, 0 held, 1 used")
        }
    }

    @Test func aRetryRestartsOnlyAFailedOrCancelledJob() async throws {
        try await TestService.with { service in
            let id = try await service.submit()
            let worker = try await FakeWorker(service)
            try await worker.fail(worker.claim(id))
            let again = try await service.ask(.post, "/api/v1/jobs/\(id)/retry")
            #expect(again.status == 202)
            let job = try again.decoded(as: JobResource.self)
            #expect(job.id == id.description && job.status == "pending" && job.attempt == 0 && job.error == nil)
            #expect(try await service.credits() == "10 granted, 9 left, 1 held, 0 used")
            let twice = try await service.ask(.post, "/api/v1/jobs/\(id)/retry")
            #expect(twice.header("ETag") == again.header("ETag"))
            try await worker.finish(id)
            let completed = try await service.ask(.post, "/api/v1/jobs/\(id)/retry")
            #expect(completed["data"]?["status"] == "completed")
            #expect(try await service.credits() == "10 granted, 9 left, 0 held, 1 used")
        }
    }
}

@Suite(.serialized, .timeLimit(.minutes(10))) struct ListTests {
    @Test func pagesHoldTheUsersJobsNewestFirst() async throws {
        try await TestService.with { service in
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
        try await TestService.with { service in
            var ids: [String] = []
            for _ in 0..<4 { ids.append(try await service.submit("note", input: [:]).description) }
            var path = "/api/v1/jobs?per_page=3"
            var seen: [String] = []
            while true {
                let answer = try await service.ask(.get, path)
                seen += try answer.decoded(as: [JobResource].self).map(\.id)
                // A cursor never leads to the first page.
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
        try await TestService.with { service in
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
