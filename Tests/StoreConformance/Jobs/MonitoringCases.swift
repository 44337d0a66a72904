import JobQueue
import JSON
import Testing

extension ConformanceSuite {
    /// What operators read about model calls.
    package static let monitoring: [ConformanceCase] = [
        ConformanceCase("the cost of a day is the sum over its calls of each class of tokens times its price") {
            harness in
            let lease = try await harness.running()
            let calls = (1...20).map { ModelCall.priced("\($0)", Int64($0)) }
            // In each way in which the books learn of the use of a call.
            for call in calls[..<12] {
                var booked = call
                (booked.state, booked.certainty) = (.running, .estimated)
                _ = try await harness.store.begin(booked, under: lease, limits: SpendLimits())
            }
            try await harness.store.correct(
                calls[4..<8].map { call in
                    var counted = ModelCall.priced(call.id, 100)
                    (counted.state, counted.certainty) = (.running, .counted)
                    return counted
                })
            try await harness.store.settle(Array(calls[8...]), of: lease)
            _ = try await harness.store.cancel(lease.job, of: nil)
            #expect(try await harness.store.closeAbandonedCalls(limit: 10) == 8)
            let sums = try await harness.store.modelCallSums(since: harness.start)
            #expect(sums.map(\.state).map(\.rawValue).sorted() == ["cut", "ok"])
            #expect(sums.reduce(0) { $0 + $1.calls } == 20 && sums.allSatisfy { $0.serviceTier == .standard })
            for sum in sums {
                let cost =
                    sum.inputTokens * 200 + sum.outputTokens * 1000 + sum.cacheReadTokens * 10
                    + sum.cacheWrite5mTokens * 250 + sum.cacheWrite1hTokens * 400
                #expect(sum.microDollars == cost && sum.cacheWrite1hTokens > 0, "\(sum)")
            }
            let day = try #require(try await harness.store.modelCosts(by: .day, since: harness.start).first)
            #expect(day.microDollars == sums.reduce(0) { $0 + $1.microDollars })
        },
        ConformanceCase("costs by prompt tell what was read from a cache and what was saved") { harness in
            let lease = try await harness.running()
            var call = ModelCall.priced("a", 2)
            call.details.listMicroDollars = 5000
            call.details.marks = [CallMark(hash: "0123456789abcdef", tokens: 9, wasRead: true)]
            try await harness.store.settle([call, .priced("b", 1)], of: lease)
            let lines = try await harness.store.modelCosts(by: .prompt, since: harness.start)
            #expect(lines.map(\.group) == ["research/report"] && lines.map(\.calls) == [2])
            #expect(lines.map(\.cacheReadTokens) == [12] && lines.map(\.markedCalls) == [1])
            #expect(lines.map(\.savedByCache) == [5000 - call.costMicroDollars] && lines.map(\.savedByBatch) == [0])
        },
        ConformanceCase("a call that is booked and never ends in its process keeps its prompt") { harness in
            let lease = try await harness.running()
            var call = ModelCall.running("a", 500)
            call.details.prompt = "chat"
            _ = try await harness.store.begin(call, under: lease, limits: SpendLimits())
            _ = try await harness.store.cancel(lease.job, of: nil)
            _ = try await harness.store.closeAbandonedCalls(limit: 10)
            let lines = try await harness.store.modelCosts(by: .prompt, since: harness.start)
            #expect(lines.map(\.group) == ["chat"])
        },
        ConformanceCase("durations are counted by the bounds of their buckets, each lane of a model by itself") {
            harness in
            let lease = try await harness.running()
            let longest = try #require(ModelDurations.bounds.last)
            let times: [Int64] = [100] + ModelDurations.bounds + [longest + 1]
            let calls = times.enumerated().map { number, time -> ModelCall in
                var call = ModelCall.ended("\(number)", 1)
                call.details.waited = .milliseconds(time)
                call.details.isInteractive = number == 0
                call.details.firstByte = .milliseconds(time)
                return call
            }
            try await harness.store.settle(calls, of: lease)
            let lines = try await harness.store.modelDurations(since: harness.start)
            let ones = Array(repeating: 1 as Int64, count: ModelDurations.bounds.count)
            let background = lines.filter { !$0.isInteractive }
            #expect(background.map(\.series) == [.firstByte, .wait])
            for line in background {
                #expect(line.counts == ones + [1], "\(line)")
                #expect(line.sum == .milliseconds(times.dropFirst().reduce(0, +)))
            }
            let interactive = lines.filter(\.isInteractive)
            #expect(interactive.map(\.counts) == Array(repeating: [1] + ones.map { _ in 0 }, count: 2))
        },
        ConformanceCase("the latencies of the latest 200 answered calls of each model are told") { harness in
            let lease = try await harness.running()
            for number in 1...205 {
                var call = ModelCall.ended("\(number)", 1)
                call.details.firstByte = .milliseconds(number)
                call.details.firstContent = number % 2 == 0 ? .milliseconds(number * 2) : nil
                var failed = ModelCall.ended("failed \(number)", 1, .stalled)
                failed.details.firstByte = .seconds(9)
                try await harness.store.settle([call, failed], of: lease)
                harness.clock.advance(by: .milliseconds(1))
            }
            let latencies = try await harness.store.modelLatencies(since: harness.start)
            #expect(latencies.map(\.firstByte) == (6...205).reversed().map { Duration.milliseconds($0) })
            #expect(
                latencies.first?.firstContent == nil && latencies.dropFirst().first?.firstContent == .milliseconds(408))
            #expect(try await harness.store.modelLatencies(since: harness.clock.now).isEmpty)
        },
        ConformanceCase("marked calls come in pages in the order of their times") { harness in
            let lease = try await harness.running()
            let marks = [
                CallMark(hash: "0123456789abcdef", tokens: 100, wasRead: true),
                CallMark(hash: "fedcba9876543210", tokens: 250, wasRead: false),
            ]
            for number in 1...5 {
                var call = ModelCall.ended("\(number)", 1)
                (call.details.marks, call.details.writeMicroDollars) = (marks, Int64(number))
                call.cacheWrite1hTokens = number == 5 ? 1 : 0
                try await harness.store.settle([call, .ended("plain \(number)", 1)], of: lease)
                if number.isMultiple(of: 2) { harness.clock.advance(by: .milliseconds(1)) }
            }
            var pages: [[MarkedCall]] = []
            repeat {
                pages.append(
                    try await harness.store.markedCalls(since: harness.start, after: pages.last?.last, limit: 2))
            } while pages.last?.count == 2
            #expect(pages.map { $0.map(\.writeMicroDollars) } == [[1, 2], [3, 4], [5]])
            #expect(pages.joined().allSatisfy { $0.marks == marks && $0.job == lease.job && $0.prompt == nil })
            #expect(pages.joined().map(\.life) == [300, 300, 300, 300, 3600].map { Duration.seconds($0) })
        },
    ]
}

extension ModelCall {
    /// A call whose cost is that of its tokens, by prices in micro-dollars.
    fileprivate static func priced(_ id: String, _ size: Int64) -> ModelCall {
        let (output, read, write5m, write1h) = (size * 3, size * 4, size * 5, size * 7)
        var call = ModelCall(
            id: id, provider: "claude", model: "m", inputTokens: size, outputTokens: output,
            cacheReadTokens: read, cacheWriteTokens: write5m + write1h,
            costMicroDollars: size * 200 + output * 1000 + read * 10 + write5m * 250 + write1h * 400)
        call.cacheWrite1hTokens = write1h
        call.details.prompt = "research/report"
        call.details.listMicroDollars = call.costMicroDollars
        return call
    }
}

extension StoreHarness {
    /// The time before all calls.
    fileprivate var start: Timestamp { Timestamp(milliseconds: 0) }
}
