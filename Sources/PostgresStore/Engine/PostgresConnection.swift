internal import CPQ
internal import Glibc
internal import JobQueue
import SQLSupport

/// A connection in pipeline mode with its prepared statements. It belongs to the thread that opened it.
///
/// libpq never blocks here: the thread waits on the socket itself, with a limit, so that a broken network does not hold
/// it up.
final class PostgresConnection {
    private let handle: OpaquePointer
    private let isPooled: Bool
    private var prepared: Set<QueryText> = []
    private let clock = ContinuousClock()
    /// Whether to stop waiting for the server, which does not answer anybody.
    private let isInterrupted: (@Sendable () -> Bool)?

    /// Milliseconds between two looks at `isInterrupted` while the server does not answer.
    private static let interruptionInterval: Int64 = 100

    /// Connects.
    ///
    /// - Parameters:
    ///   - url: The database.
    ///   - limit: The longest time to try.
    ///   - isInterrupted: Says while the connection waits whether to give up before the limit.
    /// - Throws: `unreachable`, with a reason without secrets.
    init(
        _ url: PostgresURL, limit: Duration, isInterrupted: (@Sendable () -> Bool)? = nil
    ) throws(PostgresFailure) {
        isPooled = url.isPooled
        self.isInterrupted = isInterrupted
        // The server that answered last comes first. Each of several has its part of the time: one that is silent must
        // not take that of the others.
        let (first, count) = (url.lastHost.value, url.hosts.count)
        var found: OpaquePointer?
        var failure = PostgresFailure.unreachable(reason: "\(url) does not answer")
        for offset in 0..<count {
            let index = (first + offset) % count
            do throws(PostgresFailure) {
                found = try Self.connect(
                    to: url, host: url.hosts[index], until: clock.now + limit / count, clock, isInterrupted)
                url.lastHost.value = index
                break
            } catch {
                failure = error
            }
        }
        guard let found else { throw failure }
        handle = found
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else {
            throw .unreachable(reason: "\(url) cannot be used")
        }
    }

    deinit { PQfinish(handle) }

    /// Connects to one server of an address.
    private static func connect(
        to url: PostgresURL, host: PostgresURL.Host, until: ContinuousClock.Instant, _ clock: ContinuousClock,
        _ isInterrupted: (@Sendable () -> Bool)?
    ) throws(PostgresFailure) -> OpaquePointer {
        // Parameters of the address override these defaults, and its server comes last.
        var parameters = [
            ("application_name", "dossier"), ("keepalives_idle", "5"), ("keepalives_interval", "3"),
            ("tcp_user_timeout", "10000"),
        ]
        // Of several servers all but one are standbys as a rule.
        if url.hosts.count > 1 { parameters.append(("target_session_attrs", "read-write")) }
        parameters.append(("dbname", url.address))
        if url.hosts.count > 1 { parameters += host.parameters }
        let keys = parameters.map { UnsafePointer(strdup($0.0)) } + [nil]
        let values = parameters.map { UnsafePointer(strdup($0.1)) } + [nil]
        defer { for text in keys + values { free(UnsafeMutablePointer(mutating: text)) } }
        guard let handle = PQconnectStartParams(keys, values, 1) else { throw .unreachable(reason: "out of memory") }
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
        var state = PGRES_POLLING_WRITING
        while PQstatus(handle) != CONNECTION_BAD, state != PGRES_POLLING_OK, state != PGRES_POLLING_FAILED {
            let events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT
            guard wait(PQsocket(handle), for: events, until: until, clock, isInterrupted) else {
                PQfinish(handle)
                throw .unreachable(reason: "\(url) does not answer")
            }
            state = PQconnectPoll(handle)
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            let reason = Self.reason(String(cString: PQerrorMessage(handle)), url)
            PQfinish(handle)
            throw .unreachable(reason: reason)
        }
        return handle
    }

    /// The descriptor on which to wait for notifications.
    var socket: Int32 { PQsocket(handle) }

    /// Runs statements in one transaction and one round trip.
    ///
    /// - Parameters:
    ///   - statements: All or none of them are executed.
    ///   - limit: The longest time to wait for the answer. The connection is broken after that.
    /// - Returns: The rows of each statement.
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

    /// Runs a script of one or more statements outside of pipeline mode, and returns the rows of the last one that has
    /// any.
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

    /// Reads arrived notifications, each with the server process that sent it.
    func notifications() throws(PostgresFailure) -> [(process: Int32, payload: String)] {
        guard PQconsumeInput(handle) == 1 else { throw .unreachable(reason: "the connection broke") }
        var found: [(process: Int32, payload: String)] = []
        while let notice = PQnotifies(handle) {
            found.append((notice.pointee.be_pid, String(cString: notice.pointee.extra)))
            PQfreemem(notice)
        }
        return found
    }

    /// The server process of this connection.
    var process: Int32 { PQbackendPID(handle) }

    // MARK: Sending

    private func send(_ statement: Statement) -> Bool {
        let parameters = statement.parameters
        let count = parameters.spans.count
        return parameters.bytes.withUnsafeBytes { bytes in
            // A null pointer means NULL, and an empty buffer may have one.
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

    /// One byte that is never read. `nonisolated(unsafe)`: it never changes.
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
                // The server may have to send answers before it reads on.
                guard Self.wait(PQsocket(handle), for: POLLOUT | POLLIN, until: until, clock, isInterrupted),
                    PQconsumeInput(handle) == 1
                else { throw .unknownOutcome }
            default: throw .unknownOutcome
            }
        }
    }

    // MARK: Receiving

    /// A request to the server; it answers them in order.
    private enum Step: Equatable {
        case prepare(QueryText)
        case execute
    }

    private static let closed = PostgresFailure.unreachable(reason: "the connection is closed")

    /// Reads all answers up to the end of the pipeline. A prepared statement stays prepared even when the transaction
    /// fails.
    private func answers(
        to steps: [Step], until: ContinuousClock.Instant
    ) throws(PostgresFailure) -> [PostgresRows] {
        try flush(until)
        var rows: [PostgresRows] = []
        var failure: PostgresFailure?
        var rest = steps[...]
        while true {
            // NULL ends the results of one statement only.
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
            guard Self.wait(PQsocket(handle), for: POLLIN, until: until, clock, isInterrupted),
                PQconsumeInput(handle) == 1
            else { throw .unknownOutcome }
        }
        return PQgetResult(handle)
    }

    private static func wait(
        _ descriptor: Int32, for events: Int32, until: ContinuousClock.Instant, _ clock: ContinuousClock,
        _ isInterrupted: (@Sendable () -> Bool)?
    ) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        let longest = isInterrupted == nil ? 60_000 : interruptionInterval
        while true {
            let left = max((until - clock.now).wholeMilliseconds, 0)
            let count = poll(&entry, 1, Int32(min(left, longest)))
            if count > 0 { return true }
            if count == 0, clock.now >= until || isInterrupted?() == true { return false }
            if count < 0, errno != EINTR { return false }
        }
    }

    // MARK: Messages

    /// The reason of a failed connection in our own words, since libpq's message may contain secrets.
    private static func reason(_ message: String, _ url: PostgresURL) -> String {
        if message.contains("password") || message.contains("pg_hba.conf") {
            return "\(url) \(PostgresFailure.refusedUser)"
        }
        if message.contains("does not exist") { return "\(url) \(PostgresFailure.missingDatabase)" }
        if message.contains("too many") { return "\(url) \(PostgresFailure.crowded)" }
        if message.contains("starting up") || message.contains("shutting down") || message.contains("recovery mode") {
            return "\(url) is starting or stopping"
        }
        if let parameter = PostgresURL.parameters.first(where: { message.contains("invalid \($0) value") }) {
            return "\(url) \(PostgresFailure.refusedParameter) (\(parameter))"
        }
        if let start = message.firstRange(of: "invalid value for parameter \"")?.upperBound {
            let name = message[start...].prefix { $0 == "_" || $0.isASCII && $0.isLetter }
            return "\(url) \(PostgresFailure.refusedParameter) (\(name))"
        }
        if message.contains("definition of service") { return "\(url) \(PostgresFailure.refusedParameter) (service)" }
        if message.contains("root certificate file") {
            return "\(url) \(PostgresFailure.refusedParameter) (sslrootcert)"
        }
        if message.contains("unrecognized configuration parameter") {
            return "\(url) \(PostgresFailure.refusedParameter) (options)"
        }
        if message.contains("translate host name") { return "the name of a host of \(url) is unknown" }
        if message.contains("SSL") || message.contains("certificate") { return "\(url) \(PostgresFailure.refusedTLS)" }
        return "\(url) cannot be reached"
    }
}
