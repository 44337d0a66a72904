internal import Foundation

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

extension DossierError {
    /// What sort of error it is: told by the code or, for a code that this version does not know, by the status.
    public enum Category: Sendable, Hashable {
        /// No answer of Dossier's came.
        case network
        /// Too many requests.
        case rateLimit
        /// The server or one of its sources failed.
        case server
        /// The user has to sign in.
        case authentication
        /// The user has to buy credits or to wait for the next day.
        case credits
        /// It is not there.
        case notFound
        /// What was entered is wrong.
        case invalidInput
        /// A job has failed or was cancelled.
        case job
        /// The answer is newer than this library.
        case unreadable
        /// The device could not store or has not stored something.
        case storage
        /// Anything else.
        case other
    }

    /// What sort of error it is.
    public var category: Category {
        switch code {
        case .offline, .cannotConnect, .connectionLost, .timedOut, .foreignAnswer: .network
        case .unreadableAnswer: .unreadable
        case .notCached, .storageFailed: .storage
        case .submissionExpired, .jobCancelled, .generationFailed, .contentUnavailable, .deadlinePassed: .job
        case .signedOut, .tokenExpired, .tokenInvalid, .unauthorized: .authentication
        case .insufficientCredits, .spendLimitReached: .credits
        case .stockNotFound, .notFound: .notFound
        case .validationFailed, .invalidTicker, .invalidPersona, .malformed, .tooLarge: .invalidInput
        case .rateLimited: .rateLimit
        default: code.rawValue.hasPrefix("AUTH_") ? .authentication : categoryWithoutRow
        }
    }

    /// Of codes that have no row of their own: those of a job are its outcome.
    private var categoryWithoutRow: Category {
        if jobID != nil { return .job }
        switch code {
        case .gemini, .marketData, .database, .model, .dataSource, .internal, .overloaded, .misdirected:
            return .server
        case .conflict: return .other
        default: break
        }
        switch status ?? 0 {
        case 429: return .rateLimit
        case 401, 403: return .authentication
        case 404: return .notFound
        case 400, 413, 415, 422: return .invalidInput
        case 500...599: return .server
        default: return .other
        }
    }

    /// True for what may pass by itself: no connection, a lost or foreign answer, 408, 429 and 5xx. False for
    /// everything else, for ``Code/deadlinePassed``, and whenever ``jobID`` is set.
    public var isRetryable: Bool {
        if jobID != nil { return false }
        switch code {
        case .deadlinePassed, .unreadableAnswer: return false
        case .offline, .cannotConnect, .connectionLost, .timedOut, .foreignAnswer: return true
        default:
            guard let status else { return false }
            return status == 408 || status == 429 || (500...599).contains(status)
        }
    }

    /// The default of ``withRetry(policy:isolation:isRetryable:operation:)``.
    @Sendable public static func isRetryable(_ error: any Error) -> Bool {
        if let error = error as? DossierError { return error.isRetryable }
        return DossierError(transportFailure: error)?.isRetryable ?? false
    }

    /// No connection was made, so the server cannot have seen the request.
    var wasNotSent: Bool { code == .offline || code == .cannotConnect }

    /// A final refusal of the server: an old value must not cover it up.
    var isRefusal: Bool {
        (400...499).contains(status ?? 0) && status != 408 && status != 429 && code != .foreignAnswer
    }

    /// The error of a request that got no answer; `nil` for errors that are not the network's, and for cancellations.
    init?(transportFailure error: any Error) {
        let error = error as NSError
        guard error.domain == NSURLErrorDomain else { return nil }
        switch URLError.Code(rawValue: error.code) {
        case .cancelled: return nil
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
            self.init(.offline, message: "The device has no connection.")
        case .timedOut:
            self.init(.timedOut, message: "No answer came in time.")
        case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .secureConnectionFailed,
            .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .clientCertificateRejected, .clientCertificateRequired, .badURL,
            .appTransportSecurityRequiresSecureConnection:
            self.init(.cannotConnect, message: "The server could not be reached.")
        default:
            self.init(.connectionLost, message: "The connection broke before the answer was whole.")
        }
    }
}
