import SQLSupport
internal import CPQ
internal import JobQueue

/// What goes wrong between here and the server, by what can be done about it. Errors are sorted here and nowhere else.
enum PostgresFailure: Error, Equatable {
    /// There is no connection, and nothing was sent: worth another try.
    case unreachable(reason: String)
    /// The connection broke after the statement was sent, so it may have been carried out: repeat it as a repetition.
    case unknownOutcome
    /// The server rolled the transaction back because of others: worth another try at once.
    case conflict
    /// The server has no place left.
    case full
    /// The statement cannot be carried out, however often it is tried.
    case refused(state: String, message: String)

    /// The failure in the words of the store's contract.
    var storeError: StoreError {
        switch self {
        case .unreachable(let reason): .unavailable(reason: reason)
        case .unknownOutcome: .unavailable(reason: "the connection broke")
        case .conflict: .unavailable(reason: "it is busy")
        case .full: .full
        case .refused(let state, let message): .unexpected(reason: state.isEmpty ? message : "\(message) (\(state))")
        }
    }

    /// Sorts what the server answered. Its primary message names tables and constraints; what holds values, the detail,
    /// is left out, and so is the message where it repeats an input.
    init(of result: OpaquePointer) {
        let state = Self.field(result, Int32(UInt8(ascii: "C"))) ?? ""
        let message = Self.field(result, Int32(UInt8(ascii: "M"))) ?? ""
        switch state {
        case "40001", "40P01", "55P03", "23505": self = .conflict
        case "53100": self = .full
        case _ where state.hasPrefix("08"): self = .unknownOutcome
        // Shut down, crashed, cancelled by the server's own limit, a standby now: another connection may do.
        case "57P01", "57P02", "57P03", "57014", "25006", "0A000", "26000", "": self = .unknownOutcome
        case _ where state.hasPrefix("53"): self = .unreachable(reason: "the server is out of resources")
        case _ where state.hasPrefix("22"): self = .refused(state: state, message: "a value cannot be kept")
        default: self = .refused(state: state, message: message)
        }
    }

    private static func field(_ result: OpaquePointer, _ code: Int32) -> String? {
        PQresultErrorField(result, code).map { String(cString: $0) }
    }
}
