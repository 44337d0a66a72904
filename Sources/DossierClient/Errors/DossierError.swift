public import Foundation

/// Why a call did not bring what was asked for.
///
/// ```swift
/// do {
///     try await dossier.addToWatchlist("AAPL")
/// } catch let error as DossierError where error.code == .stockNotFound {
///     show("There is no such stock.")
/// }
/// ```
public struct DossierError: Error, Sendable, Hashable, LocalizedError, CustomStringConvertible {
    /// What the user could do about an error.
    public enum Action: String, Sendable, Hashable, Codable {
        /// Try the same again.
        case retry
        /// Try later.
        case wait
        /// Buy credits.
        case upgrade
        /// Sign in again.
        case reauthenticate
        /// Leave the screen.
        case goBack = "go_back"
    }

    /// A field of the request that is wrong.
    public struct FieldProblem: Sendable, Hashable {
        /// `["known_concepts", "1"]`.
        public let path: [String]
        /// For developers.
        public let message: String
    }

    /// Tells the errors apart.
    public let code: Code
    /// `nil` when no answer came.
    public let status: Int?
    /// For developers. Holds no token, no body and no address.
    public let message: String
    /// The server's own words for the person who uses the app.
    public let userMessage: String?
    /// What the server proposes to do.
    public let action: Action?
    /// The time before which a repetition is useless.
    public let retryAfter: Duration?
    /// Also known when no answer came: the client names each attempt.
    public let requestID: String?
    /// The job that the error is about. Such an error is never retried: it tells of an outcome.
    public let jobID: Job.ID?
    /// The fields of the request that are wrong.
    public let fields: [FieldProblem]
    /// What else the server says.
    public let details: [String: JSONValue]

    /// Makes an error, for tests and previews.
    public init(
        _ code: Code, status: Int? = nil, message: String = "", userMessage: String? = nil, action: Action? = nil,
        retryAfter: Duration? = nil, requestID: String? = nil, jobID: Job.ID? = nil, fields: [FieldProblem] = [],
        details: [String: JSONValue] = [:]
    ) {
        self.code = code
        self.status = status
        self.message = message
        self.userMessage = userMessage
        self.action = action
        self.retryAfter = retryAfter
        self.requestID = requestID
        self.jobID = jobID
        self.fields = fields
        self.details = details
    }

    /// The same text as ``ErrorPresentation/message``.
    public var errorDescription: String? { ErrorPresentation(self)?.message }

    /// For logs: code, status, message and the request's id.
    public var description: String {
        var text = code.rawValue
        if let status { text += " (\(status))" }
        if !message.isEmpty { text += ": \(message)" }
        if let requestID { text += " [\(requestID)]" }
        return text
    }

    /// The same error, of an attempt with this id unless the server named one.
    func of(request id: String) -> DossierError {
        DossierError(
            code, status: status, message: message, userMessage: userMessage, action: action, retryAfter: retryAfter,
            requestID: requestID ?? id, jobID: jobID, fields: fields, details: details)
    }

    /// The same error about a job.
    func about(_ job: Job.ID) -> DossierError {
        DossierError(
            code, status: status, message: message, userMessage: userMessage, action: action, retryAfter: retryAfter,
            requestID: requestID, jobID: jobID ?? job, fields: fields, details: details)
    }
}
