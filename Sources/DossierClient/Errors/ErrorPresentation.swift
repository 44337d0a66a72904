internal import Foundation

/// An error as an app shows it. Texts are English; apps in other languages translate by ``DossierError/code``.
///
/// ```swift
/// if let presentation = ErrorPresentation(error) {
///     show(presentation.title, presentation.message, presentation.systemImage)
/// }
/// ```
public struct ErrorPresentation: Sendable, Hashable {
    /// A few words.
    public let title: String
    /// A sentence or two, without codes.
    public let message: String
    /// Name of an SF Symbol that iOS 16 has.
    public let systemImage: String
    /// What the user could do.
    public let action: DossierError.Action?
    /// For support: code and request id, as in `BIZ_2003 · 3k5yxc1xf245j-9`.
    public let supportCode: String?

    /// The words for any error; `nil` for a cancellation: there is nothing to show.
    public init?(_ error: any Error) {
        if error is CancellationError { return nil }
        if let error = error as? DossierError {
            self.init(error)
            return
        }
        let foreign = error as NSError
        if foreign.domain == NSURLErrorDomain {
            guard let failure = DossierError(transportFailure: error) else { return nil }
            self.init(failure)
            return
        }
        self.init(Words.other, action: nil, supportCode: nil, message: nil)
    }

    private init(_ error: DossierError) {
        let words = Words.of(error)
        let usesServersWords = [.server, .credits, .notFound, .invalidInput, .job].contains(error.category)
        let message = usesServersWords ? error.userMessage.flatMap { $0.isEmpty ? nil : $0 } : nil
        let support = error.requestID.map { "\(error.code.rawValue) · \($0)" } ?? error.code.rawValue
        self.init(words, action: error.action, supportCode: support, message: message)
    }

    private init(_ words: Words, action: DossierError.Action?, supportCode: String?, message: String?) {
        title = words.title
        self.message = message ?? words.message
        systemImage = words.symbol
        self.action = action ?? words.action
        self.supportCode = supportCode
    }
}

/// A row of the table of words.
private struct Words {
    let title: String
    let symbol: String
    let action: DossierError.Action?
    let message: String

    init(_ title: String, _ symbol: String, _ action: DossierError.Action?, _ message: String) {
        (self.title, self.symbol, self.action, self.message) = (title, symbol, action, message)
    }

    static let other = Words(
        "Something Went Wrong", "exclamationmark.triangle", .retry, "That did not work. Please try again.")

    static func of(_ error: DossierError) -> Words { byCode(error) ?? byCategory(error) }

    private static func byCode(_ error: DossierError) -> Words? {
        switch error.code {
        case .offline:
            Words(
                "Network Error", "wifi.slash", .wait,
                "You seem to be offline. Please check your connection; this will work again when it is back.")
        case .timedOut:
            Words(
                "Network Error", "wifi.exclamationmark", .retry,
                "The service took too long to answer. Please try again.")
        case .foreignAnswer:
            Words(
                "Network Error", "wifi.slash", .retry,
                "Something else answered in place of the service. If this network asks you to sign in, please do so.")
        case .spendLimitReached:
            Words(
                "Daily Limit Reached", "hourglass", .wait,
                "You have reached today's limit. It begins anew tomorrow.")
        case .stockNotFound:
            Words("Invalid Symbol", "magnifyingglass", .goBack, "There is no stock with this symbol.")
        case .invalidTicker:
            Words("Invalid Symbol", "magnifyingglass", nil, "This is not a stock symbol. An example of one is AAPL.")
        case .jobCancelled:
            Words("Cancelled", "xmark.circle", .retry, "This was cancelled before it was done.")
        case .submissionExpired:
            Words(
                "Not Completed", "exclamationmark.triangle", .retry,
                "This request is more than a day old and was not sent. Please start it again.")
        case .notCached:
            Words(
                "Not Available Offline", "wifi.slash", .wait,
                "This has not been saved on your device. Please connect to the internet to see it.")
        default: nil
        }
    }

    private static func byCategory(_ error: DossierError) -> Words {
        switch error.category {
        case .network:
            Words(
                "Network Error", "wifi.slash", .retry,
                "The service could not be reached. Please check your connection and try again.")
        case .rateLimit:
            Words(
                "Rate Limit Exceeded", "hourglass", .wait,
                "Those were too many requests. Please try again \(when(error.retryAfter)).")
        case .server:
            Words(
                "Service Unavailable", "exclamationmark.icloud", .retry,
                "The service is not available at the moment. Please try again in a little while.")
        case .authentication:
            Words(
                "Authentication Error", "person.crop.circle.badge.exclamationmark", .reauthenticate,
                "Please sign in again to continue.")
        case .credits:
            Words("Not Enough Credits", "creditcard", .upgrade, "You do not have enough credits for this.")
        case .notFound:
            Words("Not Found", "questionmark.circle", .goBack, "This is not here any more.")
        case .invalidInput:
            Words("Please Check Your Input", "pencil.circle", nil, "Please check what you entered and try again.")
        case .job:
            Words(
                "Not Completed", "exclamationmark.triangle", .retry,
                "This could not be completed. You were not charged. Please try again.")
        case .unreadable:
            Words(
                "Update Needed", "arrow.down.circle", nil,
                "This version of the app cannot show the answer. Please update the app.")
        case .storage:
            Words(
                "Storage Error", "externaldrive.badge.exclamationmark", .retry,
                "Your device could not save this. Please free some space and try again.")
        case .other: other
        }
    }

    private static func when(_ pause: Duration?) -> String {
        guard let pause else { return "in a little while" }
        let seconds = max(1, Int(pause.components.seconds) + (pause.components.attoseconds > 0 ? 1 : 0))
        return seconds == 1 ? "in 1 second" : "in \(seconds) seconds"
    }
}
