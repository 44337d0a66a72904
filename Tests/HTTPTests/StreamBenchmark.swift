import Foundation
import Glibc
import HTTP
import Synchronization
import TestSupport
import Testing

private let benchmarkStreams = ProcessInfo.processInfo.environment["HTTP_BENCHMARK_STREAMS"].flatMap { Int($0) } ?? 0

/// `HTTP_BENCHMARK_STREAMS=1000 swift test -c release -Xswiftc -enable-testing --filter StreamBenchmark`
@Suite(.enabled(if: benchmarkStreams > 0, "set HTTP_BENCHMARK_STREAMS to a number of streams"))
struct StreamBenchmark {
    /// Measures the client's share of a core for streams of 20 events a second, without the server's.
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
                        for try await _ in try await client.stream(request).events { received.increment() }
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

/// Sends events to many connections from one thread, evenly over time, and measures its own cost.
final class EventServer: Sendable {
    let port: Int
    /// Fires when every connection has its head.
    let isComplete = Signal()
    private let listener: Int32
    private let cpu = Atomic(0)
    private let sent = Atomic(0)
    private let mayEnd = Atomic(false)

    init(connections: Int, eventsPerSecond: Int) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 4096) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isListening else { throw ScriptedServer.SocketFailure(code: errno) }
        port = Int(UInt16(bigEndian: address.sin_port))
        onThread { [self] in run(connections, eventsPerSecond) }
    }

    /// Seconds of processor time that the server itself has used.
    var processorTime: Double { Double(cpu.load(ordering: .relaxed)) / 1e9 }

    var eventsSent: Int { sent.load(ordering: .relaxed) }

    func end() { mayEnd.store(true, ordering: .relaxed) }

    private func run(_ connections: Int, _ eventsPerSecond: Int) {
        var peers: [Int32] = []
        var request = [UInt8](repeating: 0, count: 8 << 10)
        for _ in 0..<connections {
            let peer = accept(listener, nil, nil)
            _ = request.withUnsafeMutableBytes { read(peer, $0.baseAddress, $0.count) }
            write(peer, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
            peers.append(peer)
        }
        isComplete.fire()
        let event =
            "data: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\"" + String(repeating: "x", count: 80)
            + "\"}}\n\n"
        let chunk = String(event.utf8.count, radix: 16) + "\r\n" + event + "\r\n"
        let slices = 100 / eventsPerSecond
        var slice = 0
        while !mayEnd.load(ordering: .relaxed) {
            for index in stride(from: slice, to: peers.count, by: slices) { write(peers[index], chunk) }
            sent.add(peers.count / slices, ordering: .relaxed)
            slice = (slice + 1) % slices
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            cpu.store(time.tv_sec * 1_000_000_000 + time.tv_nsec, ordering: .relaxed)
            usleep(10_000)
        }
        for peer in peers {
            write(peer, "0\r\n\r\n")
            close(peer)
        }
        close(listener)
    }

    private func write(_ descriptor: Int32, _ text: String) {
        var text = text
        text.withUTF8 { _ = send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
}
