import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DossierClient

/// Event streams, long polls and polls.
@Suite(.timeLimit(.minutes(2))) struct FollowingTests {
    // MARK: The parser

    private func events(_ pieces: [[UInt8]]) -> [StreamEvent] {
        var parser = EventParser()
        return pieces.flatMap { parser.take(Data($0)) }
    }

    private let text =
        "\u{FEFF}: a comment\nid: a:1\nevent: progress\ndata: {\"n\":\ndata: \"é😀\"}\n\n"
        + "retry: 1500\r\ndata:x\r\n\r\nid: a:2\rdata: y\r\rdata: cut off"

    @Test func eventsAreReadWhateverTheirLineEnds() {
        let found = events([Array(text.utf8)])
        #expect(
            found == [
                StreamEvent(id: "a:1", type: "progress", data: "{\"n\":\n\"é😀\"}"),
                StreamEvent(id: "a:1", type: nil, data: "x"), StreamEvent(id: "a:2", type: nil, data: "y"),
            ])
    }

    @Test func eventsMayBeCutAnywhere() {
        let bytes = Array(text.utf8)
        let whole = events([bytes])
        #expect(events(bytes.map { [$0] }) == whole)
        for place in bytes.indices { #expect(events([Array(bytes[..<place]), Array(bytes[place...])]) == whole) }
    }

    @Test func theRevisionComesFromTheEventsID() throws {
        let event = StreamEvent(id: "j2:9,j1:7w", type: nil, data: jobJSON("j1"))
        #expect(try event.job().revision == 7)
    }

    // MARK: The ways

    private func event(_ id: String, _ revision: Int, _ status: String, progress: Int = 0) -> Data {
        Data("id: \(id):\(revision)\nevent: x\ndata: \(jobJSON(id, status, progress: progress))\n\n".utf8)
    }

    private func stream(_ chunks: [Data]) -> TransportStream {
        TransportStream(
            status: 200, headers: ["Content-Type": "text/event-stream", "X-API-Version": "1.0"], chunks: chunks)
    }

    private func revisions(_ dossier: Dossier, _ id: Job.ID = "j1", after: Job.Revision? = nil) async throws -> [Int64]
    {
        var found: [Int64] = []
        for try await job in dossier.jobs.updates(of: id, after: after) { found.append(job.revision ?? -1) }
        return found
    }

    @Test func aRevisionIsShownOnceAndNeverAfterAHigherOne() async throws {
        // One event for each connection, as a reader that is slower than the stream gets the latest state alone.
        let states = [
            (2, "pending"), (3, "processing"), (2, "pending"), (3, "processing"), (5, "processing"), (9, "completed"),
        ]
        let transport = ScriptedTransport(
            stream: { _, number in stream([event("j1", states[number - 1].0, states[number - 1].1)]) },
            { _, _ in .failure(500, "SYS_5001") })
        let shown = try await revisions(Dossier.scripted(transport))
        #expect(shown == shown.sorted() && Set(shown).count == shown.count)
        #expect(shown.last == 9)
        #expect(transport.lines.allSatisfy { $0 == "GET /api/v1/jobs/j1/events" })
    }

    @Test func statesThatTheAppHasShownAreLeftOut() async throws {
        let transport = ScriptedTransport(
            stream: { _, _ in stream([event("j1", 4, "processing"), event("j1", 6, "completed")]) },
            { _, _ in .failure(500, "SYS_5001") })
        #expect(try await revisions(Dossier.scripted(transport), after: 5) == [6])
    }

    @Test func longPollsFollowWhereStreamsAreSwallowed() async throws {
        let transport = ScriptedTransport(
            stream: { _, _ in stream([Data(": nothing comes\n\n".utf8)]) },
            { request, number in
                let waits = request.url.query?.contains("wait=") == true
                let revision = waits ? number : 1
                return .data(
                    jobJSON("j1", revision > 9 ? "completed" : "processing"), headers: ["ETag": "\"\(revision)\""])
            })
        let shown = try await revisions(Dossier.scripted(transport))
        #expect(shown.last == 10)
        let waits = transport.requests.compactMap(\.url.query)
        #expect(waits.first == "wait=10")
        #expect(waits.dropFirst().allSatisfy { $0 == "wait=25" })
        #expect(transport.requests.last?.headers["If-None-Match"] == "\"9\"")
    }

    @Test func pollsFollowWhereNothingElseWorks() async throws {
        let pacing = ManualPacing()
        let transport = ScriptedTransport { request, number in
            if request.url.query != nil { throw DossierError(.connectionLost) }
            return .data(
                jobJSON("j1", number > 12 ? "completed" : "processing"),
                headers: ["ETag": "\"\(number)\"", "Retry-After": "3"])
        }
        let shown = try await revisions(Dossier.scripted(transport, pacing: pacing))
        #expect(shown.last == 13)
        #expect(pacing.pauses.filter { $0 == .seconds(3) }.count >= 3, "\(pacing.pauses)")
    }

    @Test func troubleOfTheNetworkNeverEndsASequence() async throws {
        let pacing = ManualPacing()
        let transport = ScriptedTransport(
            stream: { _, number in
                if number < 60 { throw DossierError(.offline) }
                return stream([event("j1", 8, "completed")])
            },
            { _, number in
                if number % 3 == 0 { return TransportResponse(status: 200, headers: [:], body: Data("<html>".utf8)) }
                if number % 3 == 1 { return .failure(503, "SYS_5002") }
                if number < 60 { throw DossierError(.connectionLost) }
                return .data(jobJSON("j1", "completed"), headers: ["ETag": "\"8\""])
            })
        #expect(try await revisions(Dossier.scripted(transport, pacing: pacing)) == [8])
        #expect(pacing.pauses.first == .milliseconds(200))
        #expect(pacing.pauses.contains(.seconds(15)))
        #expect(!pacing.pauses.contains { $0 > .seconds(15) })
    }

    @Test(arguments: [(401, "AUTH_1002"), (403, "AUTH_1003"), (404, "BIZ_2005")])
    func aRefusalEndsTheSequenceOfItsJobOnly(_ status: Int, _ code: String) async throws {
        let transport = ScriptedTransport(
            stream: { request, _ in
                if request.url.path == "/api/v1/jobs/j1/events" { return stream([event("j1", 2, "completed")]) }
                return TransportStream(status: status, headers: ["X-API-Version": "1.0"], chunks: [Data("{}".utf8)])
            },
            { request, _ in
                request.url.path.hasSuffix("j1")
                    ? .data(jobJSON("j1"), headers: ["ETag": "\"1\""]) : .failure(status, code)
            })
        let dossier = Dossier.scripted(transport)
        async let good = revisions(dossier, "j1")
        let error = await #expect(throws: DossierError.self) { try await revisions(dossier, "gone") }
        #expect(error?.status == status)
        #expect(try await good.last == 2)
    }

    @Test func fiftyJobsAreOneStream() async throws {
        let transport = ScriptedTransport(
            stream: { request, _ in
                let query = request.url.query?.removingPercentEncoding ?? ""
                let ids = query.dropFirst("jobs=".count).split(separator: ",").map(String.init)
                return stream(ids.map { event($0, 3, "completed") })
            }, { _, _ in .failure(500, "SYS_5001") })
        let ids = (0..<120).map { Job.ID(rawValue: "job\($0)") }
        var ended: Set<Job.ID> = []
        for try await job in Dossier.scripted(transport).jobs.updates(of: ids) { ended.insert(job.id) }
        #expect(ended == Set(ids))
        #expect(transport.requests.count == 3)
    }

    @Test func whoStopsListeningEndsTheConnection() async throws {
        let pings = "HTTP/1.1 200 OK\r\nX-API-Version: 1.0\r\nContent-Type: text/event-stream\r\n\r\n"
        let first = String(decoding: event("j1", 2, "processing"), as: UTF8.self)
        let proxy = try HostileProxy { _ in .send([.text(pings + first), .silence(nil)]) }
        defer { proxy.close() }
        var configuration = Dossier.Configuration(directory: nil)
        configuration.connectivity = ConnectivityMonitor()
        let dossier = Dossier(server: proxy.url, configuration: configuration)
        for try await job in dossier.jobs.updates(of: "j1") {
            #expect(job.revision == 2)
            break
        }
        let task = Task { for try await _ in dossier.jobs.updates(of: "j1") {} }
        #expect(await eventually { proxy.requests.count == 2 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await eventually { proxy.openConnections == 0 })
    }
}
