import Foundation
import Glibc
import HTTP
import Testing

private let benchmarkStreams = ProcessInfo.processInfo.environment["HTTP_BENCHMARK_STREAMS"].flatMap { Int($0) } ?? 0

/// `HTTP_BENCHMARK_STREAMS=1000 swift test -c release -Xswiftc -enable-testing --filter StreamBenchmark`
@Suite(.enabled(if: benchmarkStreams > 0, "set HTTP_BENCHMARK_STREAMS to a number of streams"))
struct StreamBenchmark {
    /// Streams of 20 events a second, read as server-sent events: the client's share of a core, without the server's.
    @Test func manyStreamsCostLessThanACore() async throws {
        let server = try EventServer(connections: benchmarkStreams, eventsPerSecond: 20)
        let client = HTTPClient()
        let memory = residentMemory()
        let received = Counter()
        let body = [UInt8](repeating: 0x20, count: 4096)
        let readers = Task {
            try await withThrowingTaskGroup { group in
                for _ in 0..<benchmarkStreams {
                    group.addTask {
                        let request = HTTPRequest(.post, "http://127.0.0.1:\(server.port)/", body: body)
                        for try await _ in try await client.stream(request).events { received.increase() }
                    }
                }
                try await group.waitForAll()
            }
        }
        await server.isComplete.wait()
        try await Task.sleep(for: .seconds(1))
        let start = (clock: ContinuousClock.now, cpu: processorTime() - server.processorTime, events: received.count)
        try await Task.sleep(for: .seconds(5))
        let seconds = (ContinuousClock.now - start.clock) / .seconds(1)
        let cores = (processorTime() - server.processorTime - start.cpu) / seconds
        let events = Double(received.count - start.events) / seconds
        let megabytes = Double(residentMemory() - memory) / 1_048_576
        server.end()
        try await readers.value
        #expect(received.count == server.eventsSent)
        print(
            "\(benchmarkStreams) streams, \(Int(events)) events/s: \(Int(cores * 100)) % of a core,",
            "\(Int(megabytes)) MiB more than before")
        await client.shutdown()
    }

    private func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
