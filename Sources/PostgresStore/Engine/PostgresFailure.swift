internal import CPQ
internal import JobQueue

/// A failure of the connection or the server, by the right reaction to it. Errors are classified only here.
enum PostgresFailure: Error, Equatable {
    /// There is no connection, and nothing was sent: try again.
    case unreachable(reason: String)
    /// The connection broke after the statement was sent, so it may have been executed: send it again as a repetition.
    case unknownOutcome
    /// The server rolled the transaction back because of another one: try again at once.
    case conflict
    /// The transaction waited for a lock for as long as the session allows: let others go first.
    case locked
    /// The statement took longer than the session allows: try fewer requests at once.
    case tooSlow
    /// The server's disk is full.
    case full
    /// The server found damaged files.
    case damaged(state: String)
    /// A value of the statement is refused each time.
    case invalidValue(state: String, message: String)
    /// The server refuses the statement for a reason that lies in none of its values, and may accept it later.
    case refused(state: String, message: String)

    /// The failure as an error of the store's contract.
    var storeError: StoreError {
        switch self {
        case .unreachable(let reason): .unavailable(reason: reason)
        case .unknownOutcome: .unavailable(reason: "the connection broke")
        case .conflict, .locked: .busy
        case .tooSlow: .unavailable(reason: "it took too long")
        case .full: .full
        case .damaged(let state): .damaged(reason: "PostgreSQL reports damaged files or a failing disk (\(state))")
        case .invalidValue(let state, let message): .invalidValue(code: state, detail: message)
        // Statements of one session are not there in the next one of a pooler.
        case .refused(let state, let message) where ["42P05", "26000"].contains(state):
            .unexpected(
                reason: "\(message) (\(state)); behind a pooler in transaction mode, add pooler=transaction to the "
                    + "address")
        case .refused(let state, let message): .unexpected(reason: state.isEmpty ? message : "\(message) (\(state))")
        }
    }

    /// The end of the reason when all connections of the server are taken.
    static let crowded = "has no free connection"

    /// The ends of reasons that an operator has to remove.
    static let refusedUser = "refuses the user or the password"
    static let missingDatabase = "has no such database or user"
    static let refusedTLS = "and Dossier disagree on TLS"
    static let refusedParameter = "cannot be asked: libpq or the server refuses the value of a parameter"

    /// Whether the connection fails in the same way until an operator changes its address or the server's settings.
    var isMisconfigured: Bool {
        guard case .unreachable(let reason) = self else { return false }
        let known = [Self.refusedUser, Self.missingDatabase, Self.refusedTLS]
        return known.contains(where: reason.hasSuffix) || reason.contains(Self.refusedParameter)
    }

    /// Whether the server answered, and had no connection to give.
    var isCrowded: Bool { if case .unreachable(let reason) = self { reason.hasSuffix(Self.crowded) } else { false } }

    /// Whether the requests of a batch may fare better apart from each other.
    var isDivisible: Bool {
        switch self {
        case .tooSlow, .invalidValue: true
        // A statement that the server does not know fails for every request alike.
        case .refused(let state, _): !state.hasPrefix("42")
        case .unreachable, .unknownOutcome, .conflict, .locked, .full, .damaged: false
        }
    }

    /// Classifies an error of the server. Only the primary message is kept, which names tables and constraints: the
    /// detail contains values, and so does the message of an invalid input, which is left out as well.
    init(of result: OpaquePointer) {
        self.init(
            state: Self.field(result, Int32(UInt8(ascii: "C"))) ?? "",
            message: Self.field(result, Int32(UInt8(ascii: "M"))) ?? "")
    }

    /// Classifies a SQLSTATE.
    init(state: String, message: String) {
        switch state {
        case "40001", "40P01", "23505": self = .conflict
        case "55P03": self = .locked
        case "57014": self = .tooSlow
        case "53100": self = .full
        case "XX001", "XX002", "58030": self = .damaged(state: state)
        // Shutdown, crash, or a server that became a standby: another connection may work.
        case "57P01", "57P02", "57P03", "57P04", "57P05", "25006", "25P03", "0A000", "26000", "": self = .unknownOutcome
        case _ where state.hasPrefix("08"): self = .unknownOutcome
        case _ where state.hasPrefix("53"): self = .unreachable(reason: "the server is out of resources")
        case _ where state.hasPrefix("22"): self = .invalidValue(state: state, message: "a value cannot be kept")
        case _ where state.hasPrefix("23"): self = .invalidValue(state: state, message: message)
        default: self = .refused(state: state, message: message)
        }
    }

    private static func field(_ result: OpaquePointer, _ code: Int32) -> String? {
        PQresultErrorField(result, code).map { String(cString: $0) }
    }
}
