import SQLSupport
internal import CPQ
internal import Glibc
internal import JobQueue

/// A connection in pipeline mode with its prepared statements. It belongs to the thread that opened it.
///
/// libpq never blocks here: the thread waits on the socket itself, with a limit, so that a network that was cut does not
/// keep it.
final class PostgresConnection {
    private let handle: OpaquePointer
    private let isPooled: Bool
    private var prepared: Set<QueryText> = []
    private let clock = ContinuousClock()

    /// Connects.
    ///
    /// - Parameters:
    ///   - url: Where to.
    ///   - limit: For how long to try.
    /// - Throws: `unreachable`, with a reason that holds nothing of the address but what may be shown.
    init(_ url: PostgresURL, limit: Duration) throws(PostgresFailure) {
        isPooled = url.isPooled
        let until = clock.now + limit
        // The defaults come first: what the address says wins.
        let defaults = [
            ("application_name", "dossier"), ("keepalives_idle", "5"), ("keepalives_interval", "3"),
            ("tcp_user_timeout", "10000"), ("dbname", url.address),
        ]
        let keys = defaults.map { UnsafePointer(strdup($0.0)) } + [nil]
        let values = defaults.map { UnsafePointer(strdup($0.1)) } + [nil]
        defer { for text in keys + values { free(UnsafeMutablePointer(mutating: text)) } }
        guard let started = PQconnectStartParams(keys, values, 1) else { throw .unreachable(reason: "out of memory") }
        handle = started
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        var state = PGRES_POLLING_WRITING
        while PQstatus(handle) != CONNECTION_BAD, state != PGRES_POLLING_OK, state != PGRES_POLLING_FAILED {
            let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
            guard Self.wait(PQsocket(handle), for: events, until: until, clock) else {
                throw .unreachable(reason: "\(url) does not answer")
            }
            state = PQconnectPoll(handle)
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            throw .unreachable(reason: Self.reason(String(cString: PQerrorMessage(handle)), url))
        }
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else {
            throw .unreachable(reason: "\(url) cannot be used")
        }
    }

    deinit { PQfinish(handle) }

    /// The descriptor to wait on, for who listens.
    var socket: Int32 { PQsocket(handle) }

    /// Runs statements in one transaction and one round trip.
    ///
    /// - Parameters:
    ///   - statements: All or none of them happen.
    ///   - limit: How long to wait for the answer. The connection is of no use when it is over.
    /// - Returns: What each answered.
    /// - Throws: `conflict`, `full` and `refused` leave the connection as it was; after anything else it is broken.
    func run(_ statements: [Statement], limit: Duration) throws(PostgresFailure) -> [PostgresRows] {
        var steps: [Step] = []
        for statement in statements {
            if !isPooled, !prepared.contains(statement.query), !steps.contains(.prepare(statement.query)) {
                guard PQsendPrepare(handle, statement.query.name, statement.query.text, 0, nil) == 1 else {
                    throw Self.closed
                }
                steps.append(.prepare(statement.query))
            }
            guard send(statement) else { throw Self.closed }
            steps.append(.execute)
        }
        guard PQpipelineSync(handle) == 1 else { throw Self.closed }
        return try answers(to: steps, until: clock.now + limit)
    }

    /// Runs a script, which may hold many statements, outside of pipeline mode; `first` of each row of the last answer
    /// that had rows.
    func runScript(_ script: String, limit: Duration) throws(PostgresFailure) -> [[String]] {
        guard PQexitPipelineMode(handle) == 1, PQsendQuery(handle, script) == 1 else {
            throw .unreachable(reason: "the connection is closed")
        }
        let until = clock.now + limit
        try flush(until)
        var rows: [[String]] = []
        var failure: PostgresFailure?
        while let result = try nextResult(until) {
            switch PQresultStatus(result) {
            case PGRES_TUPLES_OK:
                rows = (0..<PQntuples(result)).map { row in
                    (0..<PQnfields(result)).map { String(cString: PQgetvalue(result, row, $0)) }
                }
            case PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: break
            default: failure = failure ?? PostgresFailure(of: result)
            }
            PQclear(result)
        }
        if let failure { throw failure }
        guard PQenterPipelineMode(handle) == 1 else { throw .unknownOutcome }
        return rows
    }

    /// Takes in what has arrived, and says who notified which channels with what.
    func notifications() throws(PostgresFailure) -> [(process: Int32, payload: String)] {
        guard PQconsumeInput(handle) == 1 else { throw .unreachable(reason: "the connection broke") }
        var found: [(process: Int32, payload: String)] = []
        while let notice = PQnotifies(handle) {
            found.append((notice.pointee.be_pid, String(cString: notice.pointee.extra)))
            PQfreemem(notice)
        }
        return found
    }

    /// The server process behind this connection.
    var process: Int32 { PQbackendPID(handle) }

    // MARK: Sending

    private func send(_ statement: Statement) -> Bool {
        let parameters = statement.parameters
        let count = parameters.spans.count
        return parameters.bytes.withUnsafeBytes { bytes in
            // A null pointer would be NULL, and the buffer of an empty value may be one.
            let values = parameters.spans.map { span -> UnsafePointer<CChar>? in
                guard let span else { return nil }
                guard let base = bytes.baseAddress else { return UnsafePointer(Self.emptyValue) }
                return (base + span.lowerBound).assumingMemoryBound(to: CChar.self)
            }
            let lengths = parameters.spans.map { Int32($0?.count ?? 0) }
            let formats = [Int32](repeating: 1, count: count)
            if isPooled {
                return PQsendQueryParams(
                    handle, statement.query.text, Int32(count), nil, values, lengths, formats, 1) == 1
            }
            return PQsendQueryPrepared(handle, statement.query.name, Int32(count), values, lengths, formats, 1) == 1
        }
    }

    /// One byte that nobody reads. `nonisolated(unsafe)`: it never changes.
    nonisolated(unsafe) private static let emptyValue: UnsafeMutablePointer<CChar> = {
        let value = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
        value.initialize(to: 0)
        return value
    }()

    private func flush(_ until: ContinuousClock.Instant) throws(PostgresFailure) {
        while true {
            switch PQflush(handle) {
            case 0: return
            case 1:
                // The server may want to be rid of answers before it reads on.
                guard Self.wait(PQsocket(handle), for: POLLOUT | POLLIN, until: until, clock),
                    PQconsumeInput(handle) == 1
                else { throw .unknownOutcome }
            default: throw .unknownOutcome
            }
        }
    }

    // MARK: Receiving

    /// What the server is asked for, in the order in which it answers.
    private enum Step: Equatable {
        case prepare(QueryText)
        case execute
    }

    private static let closed = PostgresFailure.unreachable(reason: "the connection is closed")

    /// Takes in everything up to the end of the pipeline. A statement that was prepared stays so, whatever becomes of
    /// the transaction.
    private func answers(
        to steps: [Step], until: ContinuousClock.Instant
    ) throws(PostgresFailure) -> [PostgresRows] {
        try flush(until)
        var rows: [PostgresRows] = []
        var failure: PostgresFailure?
        var rest = steps[...]
        while true {
            // NULL only ends the results of one statement.
            guard let result = try nextResult(until) else {
                guard PQstatus(handle) == CONNECTION_OK else { throw .unknownOutcome }
                continue
            }
            let answer = PostgresRows(result)
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                if let failure { throw failure }
                return rows
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
                if case .prepare(let query) = rest.popFirst() { prepared.insert(query) } else { rows.append(answer) }
            case PGRES_PIPELINE_ABORTED: rest = rest.dropFirst()
            default:
                rest = rest.dropFirst()
                failure = failure ?? PostgresFailure(of: result)
                if let failure, PQstatus(handle) != CONNECTION_OK { throw failure }
            }
        }
    }

    private func nextResult(_ until: ContinuousClock.Instant) throws(PostgresFailure) -> OpaquePointer? {
        while PQisBusy(handle) == 1 {
            guard Self.wait(PQsocket(handle), for: POLLIN, until: until, clock), PQconsumeInput(handle) == 1 else {
                throw .unknownOutcome
            }
        }
        return PQgetResult(handle)
    }

    private static func wait(
        _ descriptor: Int32, for events: Int32, until: ContinuousClock.Instant, _ clock: ContinuousClock
    ) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        while true {
            let left = max((until - clock.now).wholeMilliseconds, 0)
            let count = poll(&entry, 1, Int32(min(left, 60_000)))
            if count > 0 { return true }
            if count == 0, clock.now >= until { return false }
            if count < 0, errno != EINTR { return false }
        }
    }

    // MARK: Words

    /// Why there is no connection, in words of ours: libpq's may hold anything.
    private static func reason(_ message: String, _ url: PostgresURL) -> String {
        if message.contains("password") { return "\(url) refuses the user or the password" }
        if message.contains("does not exist") { return "\(url) has no such database or user" }
        if message.contains("too many") { return "\(url) has no connection to spare" }
        if message.contains("starting up") || message.contains("shutting down") || message.contains("recovery mode") {
            return "\(url) is starting or stopping"
        }
        if message.contains("SSL") || message.contains("certificate") { return "\(url) and this side disagree on TLS" }
        return "\(url) cannot be reached"
    }
}
