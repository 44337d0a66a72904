public import DossierClient
public import Foundation

/// A server behind a transport of the tests': it answers as a test says, and keeps what it was asked.
public final class ScriptedServer: Transport, @unchecked Sendable {
    /// What the server does with a request; gets the number of such requests so far, from 1.
    public typealias Answer = @Sendable (TransportRequest, Int) async throws -> TransportResponse

    // Unchecked: everything that changes is behind the lock.
    private let lock = NSLock()
    private var asked: [TransportRequest] = []
    private var answers: [String: Answer] = [:]
    private var jobStates: [String] = []
    private var isOffline = false

    /// Makes a server that answers 404 to everything.
    public init() {}

    /// `GET /path` of each request, in order.
    public var lines: [String] { requests.map(Self.line) }
    /// Each request, in order.
    public var requests: [TransportRequest] { lock.withLock { asked } }

    /// Answers a kind of request with JSON, in the envelope of the native API where the address has it.
    public func answer(_ line: String, status: Int = 200, with json: String) {
        answer(line) { request, _ in .json(json, of: request, status: status) }
    }

    /// Answers a kind of request by a closure.
    public func answer(_ line: String, with answer: @escaping Answer) {
        lock.withLock { answers[line] = answer }
    }

    /// Loses every request from now on, or none.
    public func goOffline(_ isOffline: Bool = true) { lock.withLock { self.isOffline = isOffline } }

    /// Takes jobs and runs each to its end with a result.
    public func runJobs(result: String, states: [String] = ["processing", "completed"]) {
        lock.withLock { jobStates = states }
        answer("POST /api/v1/jobs", status: 202, with: Self.job("pending"))
        answer("GET /api/v1/jobs/j1/result", with: result)
    }

    /// The JSON of a report.
    public static let report = """
        {"report":{"company":{"name":"Apple","ticker":"AAPL"},"persona":{"id":"buffett","name":"b"},"verdict":"fits",\
        "score":80,"confidence":0.5,"summary":"s","thesis":"t","strengths":[],"risks":[],"valuation":"v",\
        "what_would_change_the_view":[],"gaps":[],"sources":[]},"facts":[],"computed":[],\
        "scorecard":{"verdict":"fits","score":80,"confidence":0.5,"remarks":[],"items":[],"walk_aways":[]},\
        "provenance":{"job_id":"j1","bundle":"b","prompts":{},"model_calls":[],"repaired":false,"cost_micro_dollars":1}}
        """

    /// The JSON of a job.
    public static func job(_ status: String, progress: Int = 0) -> String {
        """
        {"id":"j1","kind":"research","status":"\(status)","progress":\(progress),"current_step":"\(status)","attempt":1,\
        "error":null,"blocked_by":null,"created_at":"2026-11-21T10:52:41.615Z","started_at":null,"completed_at":null}
        """
    }

    /// Answers by the script.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let (answer, number) = try note(request)
        guard let answer else {
            let error = #"{"code":"BIZ_2005","message":"m","user_message":"u","details":{}}"#
            return .json(error, of: request, status: 404)
        }
        return try await answer(request, number)
    }

    /// The next state of the job, one for each connection: a reader that is slower than a stream gets only the last.
    public func stream(_ request: TransportRequest) async throws -> TransportStream {
        let (_, number) = try note(request)
        let states = lock.withLock { jobStates }
        let place = min(number, states.count) - 1
        guard place >= 0 else { throw DossierError(.connectionLost) }
        let progress = states[place] == "completed" ? 100 : number * 10
        let event = "id: j1:\(number + 1)\ndata: \(Self.job(states[place], progress: progress))\n\n"
        return TransportStream(
            status: 200, headers: ["Content-Type": "text/event-stream", "X-API-Version": "1.0"],
            chunks: [Data(event.utf8)])
    }

    private static func line(_ request: TransportRequest) -> String {
        "\(request.method.rawValue) \(request.url.path)"
    }

    private func note(_ request: TransportRequest) throws -> (Answer?, Int) {
        try lock.withLock {
            asked.append(request)
            if isOffline { throw DossierError(.offline) }
            let line = Self.line(request)
            return (answers[line], asked.count { Self.line($0) == line })
        }
    }
}

extension TransportResponse {
    /// JSON of Dossier's.
    public static func json(_ json: String, of request: TransportRequest, status: Int = 200) -> TransportResponse {
        let isNative = request.url.path.hasPrefix("/api/v1/")
        let body =
            !isNative
            ? json
            : status < 400
                ? #"{"success":true,"data":\#(json),"meta":{"request_id":"r","timestamp":"2026-11-21T10:52:45.183Z"}}"#
                : #"{"success":false,"error":\#(json),"meta":{"request_id":"r","timestamp":"2026-11-21T10:52:45.183Z"}}"#
        return TransportResponse(status: status, headers: ["X-API-Version": "1.0"], body: Data(body.utf8))
    }
}

extension Dossier {
    /// A client without files, over a server of the tests'.
    public static func scripted(
        _ server: any Transport, store: (any SubmissionStore)? = nil, _ now: @escaping @Sendable () -> Date = { Date() }
    ) -> Dossier {
        var configuration = Configuration(directory: nil, now: now)
        configuration.transport = server
        configuration.connectivity = ConnectivityMonitor()
        configuration.retryPolicy = .never
        if let store { configuration.submissionStore = store }
        let url = URL(string: "http://dossier.test") ?? URL(filePath: "/")
        return Dossier(
            server: url, authentication: DevelopmentAuthentication(user: "1"), configuration: configuration)
    }
}
