import JobQueue
import Testing

@Suite struct EndedJobsTests {
    private var start: Timestamp { Timestamp(milliseconds: 60_000 * 30_000_000) }

    private func jobs(_ time: Timestamp, _ count: Int64, _ status: JobStatus = .completed, _ code: String = "")
        -> EndedJobs
    {
        EndedJobs(interval: time.milliseconds / EndedJobs.interval, status: status, code: code, count: count)
    }

    @Test func theFirstCountIsOfAWholeDay() {
        let day = EndedJobsOfDay()
        #expect(day.countedTo(at: start) == start - .seconds(86_400))
        #expect(day.sums(since: .init(milliseconds: 0)) == EndedJobs.Sums())
    }

    @Test func anIntervalThatIsOverIsNotCountedAgain() {
        var day = EndedJobsOfDay()
        let now = start + .seconds(5)
        day.add([jobs(start - .seconds(600), 7)], since: day.countedTo(at: now), at: now)
        #expect(day.countedTo(at: now) == start - .seconds(30))
        #expect(day.countedTo(at: now + .seconds(60)) == start - .seconds(30))
        let later = now + .seconds(120)
        day.add([jobs(start, 2)], since: day.countedTo(at: later), at: later)
        #expect(day.sums(since: start - .seconds(3600)).completed == 9)
        #expect(day.countedTo(at: later) == start + .seconds(90))
    }

    @Test func theLastIntervalsReplaceWhatWasCountedOfThem() {
        var day = EndedJobsOfDay()
        let since = day.countedTo(at: start)
        day.add([jobs(start - .seconds(30), 3), jobs(start, 1)], since: since, at: start)
        let now = start + .seconds(2)
        day.add([jobs(start - .seconds(30), 4), jobs(start, 2)], since: day.countedTo(at: now), at: now)
        #expect(day.sums(since: start - .seconds(30)).completed == 6)
        #expect(day.sums(since: start).completed == 2)
    }

    @Test func aCountThatComesLateTakesNothingAway() {
        var day = EndedJobsOfDay()
        let early = day.countedTo(at: start)
        let now = start + .seconds(300)
        day.add([jobs(start - .seconds(300), 5), jobs(start, 1)], since: early, at: now)
        day.add([jobs(start - .seconds(300), 5)], since: early, at: start)
        #expect(day.countedTo(at: now) == start + .seconds(270))
        day.add([jobs(start + .seconds(270), 2)], since: day.countedTo(at: now), at: now)
        #expect(day.sums(since: early).completed == 8)
    }

    @Test func intervalsFromBeforeTheDayAreForgotten() {
        var day = EndedJobsOfDay()
        day.add([jobs(start - .seconds(3600), 5)], since: day.countedTo(at: start), at: start)
        let now = start + .seconds(86_400)
        day.add([], since: day.countedTo(at: now), at: now)
        #expect(day.sums(since: Timestamp(milliseconds: 0)).completed == 0)
    }

    @Test func failedJobsAreToldByTheirCodes() {
        var day = EndedJobsOfDay()
        day.add(
            [
                jobs(start, 2, .failed, "EXT_4004"), jobs(start - .seconds(60), 1, .failed, "EXT_4004"),
                jobs(start, 1, .failed, "SYS_5001"), jobs(start, 4, .cancelled), jobs(start, 6),
            ], since: day.countedTo(at: start), at: start)
        let sums = day.sums(since: start - .seconds(60))
        #expect(sums.failed == 4 && sums.cancelled == 4 && sums.completed == 6)
        #expect(sums.byCode == ["EXT_4004": 3, "SYS_5001": 1])
    }
}
