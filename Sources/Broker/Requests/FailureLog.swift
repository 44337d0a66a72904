internal import DossierAPI
internal import HTTP
internal import HTTPServer
internal import JSON
internal import JobQueue
internal import Observability
internal import Synchronization

/// Logs the requests that the service failed or did not let in: errors of the service, failed sign-ins, refused
/// connections, and requests beyond a limit, with the setting that an operator can change.
///
/// A flood of them cannot flood the log: each sort has a number of lines in a minute, and one more line counts those
/// that were left out.
final class FailureLog: Sendable {
    private enum Sort: Int, CaseIterable {
        case serverError, signIn, connection, limit

        var name: LogValue {
            switch self {
            case .serverError: "request failed"
            case .signIn: "sign-in failed"
            case .connection: "connection refused"
            case .limit: "request refused at a limit"
            }
        }
    }

    private struct Tally {
        var minute: Int64 = 0
        var written = 0
        var leftOut = 0
    }

    /// Lines of each sort in a minute.
    static let linesPerMinute = 60

    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    private let tallies = Mutex([Tally](repeating: Tally(), count: Sort.allCases.count))

    init(logger: Logger, now: @escaping @Sendable () -> Timestamp) {
        self.logger = logger
        self.now = now
    }

    /// Logs a request that was answered with an error, when it is the service's or one of signing in.
    func record(_ error: APIError, status: Int, of request: ServerRequest, id: String, user: UserID?) {
        if let setting = error.setting {
            guard permits(.limit) else { return }
            logger.warning(
                "request refused at a limit",
                [
                    "request_id": .string(id), "address": .string(request.clientAddress),
                    "path": .string(request.path), "status": .integer(Int64(status)),
                    "code": .string(error.code.rawValue), "setting": .string(setting),
                    "reason": .string(error.message), "user": .integer(user?.rawValue ?? 0),
                ])
        } else if status >= 500 {
            guard permits(.serverError) else { return }
            let job = error.details?["job_id"]?.string
            (job.map { logger.with(["job": .string($0)]) } ?? logger).error(
                "request failed",
                [
                    "request_id": .string(id), "method": .string(request.method.rawValue),
                    "path": .string(request.path), "status": .integer(Int64(status)),
                    "code": .string(error.code.rawValue), "reason": .string(error.message),
                    "user": .integer(user?.rawValue ?? 0),
                ])
        } else if error.status == 401 || error.code == .accountRefused {
            guard permits(.signIn) else { return }
            logger.warning(
                "sign-in failed",
                [
                    "request_id": .string(id), "address": .string(request.clientAddress),
                    "path": .string(request.path), "code": .string(error.code.rawValue),
                    "reason": .string(error.cause ?? error.message),
                ])
        }
    }

    /// Logs an error that the server rendered before a request reached a route.
    func record(_ error: APIError, status: Int, path: String, id: String) {
        guard status >= 500, permits(error.setting == nil ? .serverError : .limit) else { return }
        if let setting = error.setting {
            return logger.warning(
                "request refused at a limit",
                [
                    "request_id": .string(id), "path": .string(path), "status": .integer(Int64(status)),
                    "code": .string(error.code.rawValue), "setting": .string(setting),
                    "reason": .string(error.message),
                ])
        }
        logger.error(
            "request failed",
            [
                "request_id": .string(id), "path": .string(path), "status": .integer(Int64(status)),
                "code": .string(error.code.rawValue), "reason": .string(error.message),
            ])
    }

    /// Logs a connection that was refused before it sent a request.
    func recordRefusedConnection(from address: String) {
        guard permits(.connection) else { return }
        logger.warning("connection refused", ["address": .string(address), "reason": "too many of one address"])
    }

    /// Writes the counts of lines that minutes before this one left out.
    func flush() {
        for sort in Sort.allCases { beginMinute(of: sort) }
    }

    private func permits(_ sort: Sort) -> Bool {
        beginMinute(of: sort)
        return tallies.withLock { tallies in
            guard tallies[sort.rawValue].written < Self.linesPerMinute else {
                tallies[sort.rawValue].leftOut += 1
                return false
            }
            tallies[sort.rawValue].written += 1
            return true
        }
    }

    /// Begins a new minute if one has begun, and writes the number of lines that the last one left out.
    private func beginMinute(of sort: Sort) {
        let minute = now().milliseconds / 60_000
        let leftOut = tallies.withLock { tallies in
            guard tallies[sort.rawValue].minute != minute else { return 0 }
            defer { tallies[sort.rawValue] = Tally(minute: minute) }
            return tallies[sort.rawValue].leftOut
        }
        guard leftOut > 0 else { return }
        logger.warning("lines were left out", ["of": sort.name, "count": .integer(Int64(leftOut))])
    }
}
