import Foundation
import Synchronization

@testable import DossierClient

/// Answers as a test says, and keeps what it was asked.
final class ScriptedTransport: Transport {
    typealias Answer = @Sendable (TransportRequest, Int) async throws -> TransportResponse
    typealias StreamAnswer = @Sendable (TransportRequest, Int) async throws -> TransportStream

    private let asked = Mutex<[TransportRequest]>([])
    private let answer: Answer
    private let streamAnswer: StreamAnswer

    /// The answers get the number of the request, from 1.
    init(
        stream: @escaping StreamAnswer = { _, _ in throw DossierError(.cannotConnect) }, _ answer: @escaping Answer
    ) {
        self.answer = answer
        streamAnswer = stream
    }

    var requests: [TransportRequest] { asked.withLock { $0 } }

    /// `GET /path` of each request.
    var lines: [String] { requests.map { "\($0.method.rawValue) \($0.url.path)" } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await answer(request, note(request))
    }

    func stream(_ request: TransportRequest) async throws -> TransportStream {
        try await streamAnswer(request, note(request))
    }

    private func note(_ request: TransportRequest) -> Int {
        asked.withLock { asked in
            asked.append(request)
            return asked.count
        }
    }
}

extension TransportResponse {
    /// An answer of Dossier's.
    static func dossier(_ status: Int = 200, _ body: String = "{}", headers: [String: String] = [:])
        -> TransportResponse
    {
        TransportResponse(
            status: status, headers: headers.merging(["X-API-Version": "1.0"]) { $1 }, body: Data(body.utf8))
    }

    /// An answer of the native API.
    static func data(_ data: String, status: Int = 200, headers: [String: String] = [:]) -> TransportResponse {
        .dossier(
            status,
            #"{"success":true,"data":\#(data),"meta":{"request_id":"r","timestamp":"2026-11-21T10:52:45.183Z"}}"#,
            headers: headers)
    }

    static func failure(
        _ status: Int, _ code: String, details: String = "{}", headers: [String: String] = [:]
    ) -> TransportResponse {
        .dossier(
            status,
            #"{"success":false,"error":{"code":"\#(code)","message":"m","user_message":"u","details":\#(details)}}"#,
            headers: headers)
    }
}

/// The JSON of a job.
func jobJSON(_ id: String = "j1", _ status: String = "pending", progress: Int = 0, kind: String = "research") -> String
{
    """
    {"id":"\(id)","kind":"\(kind)","status":"\(status)","progress":\(progress),"current_step":null,"attempt":1,\
    "error":null,"blocked_by":null,"created_at":"2026-11-21T10:52:41.615Z","started_at":null,"completed_at":null}
    """
}

/// A clock whose pauses end at once and move it on.
final class ManualPacing: Sendable {
    private let state = Mutex<(now: Duration, pauses: [Duration])>((.zero, []))

    var pauses: [Duration] { state.withLock { $0.pauses } }
    var now: Duration { state.withLock { $0.now } }

    /// Pauses that are at least as long as a call may take never end: they are its deadline.
    func pacing(random: Double = 0) -> Pacing {
        Pacing(
            now: { [self] in state.withLock { $0.now } },
            sleep: { [self] duration in
                if duration >= .seconds(29) { try await Task.sleep(for: .seconds(3600)) }
                try Task.checkCancellation()
                state.withLock { state in
                    state.now += duration
                    state.pauses.append(duration)
                }
                await Task.yield()
            }, random: { random })
    }

    func advance(by duration: Duration) { state.withLock { $0.now += duration } }
}

extension Dossier {
    /// A client without files, over a transport of the test's.
    static func scripted(
        _ transport: any Transport, pacing: ManualPacing = ManualPacing(),
        authentication: any Authentication = AnonymousAuthentication(),
        _ change: (inout Configuration) -> Void = { _ in }
    ) -> Dossier {
        var configuration = Configuration(directory: nil)
        configuration.transport = transport
        configuration.connectivity = ConnectivityMonitor()
        configuration.pacing = pacing.pacing()
        change(&configuration)
        return Dossier(server: scriptedServer, authentication: authentication, configuration: configuration)
    }

    static let scriptedServer = URL(string: "http://dossier.test") ?? URL(filePath: "/")
}
