public import DossierClient
internal import Foundation
public import Observation

/// The quality of a forecast, as document 004 describes its screen.
@MainActor @Observable
public final class ForecastQualityViewModel {
    /// How good a score is, for a color.
    public enum Level: Hashable, Sendable {
        /// From 0.7.
        case good
        /// From 0.5.
        case fair
        /// Below.
        case poor
    }

    /// What was read last.
    public private(set) var qualityResult: ForecastQuality?
    /// Whether an answer is awaited.
    public private(set) var isLoading = false
    /// For the person who uses the app.
    public private(set) var error: String?
    /// Whether the last sign of the network was a failure.
    public private(set) var isOffline = false
    /// Whether the screen should say that the result is old.
    public private(set) var isOld = false
    /// `1D`, `1W` or `1M`.
    public private(set) var horizon = Horizon.day.rawValue
    /// `d1` or `h1`.
    public private(set) var timeframe = Timeframe.daily.rawValue

    private let dossier: Dossier
    /// Grows with each question: only the answer to the last one is shown.
    private var question = 0

    /// Makes the model; nothing is read yet.
    public init(_ dossier: Dossier) { self.dossier = dossier }

    /// Reads the quality of a forecast: by its age from the cache or the server, or always from the server.
    public func fetchQuality(
        symbol: String, horizon: String = "1D", timeframe: String = "d1", forceRefresh: Bool = false
    ) async {
        let input = ForecastInput(
            symbol: symbol, horizon: Horizon(rawValue: horizon), timeframe: Timeframe(rawValue: timeframe))
        (self.horizon, self.timeframe) = (horizon, timeframe)
        if qualityResult?.symbol != symbol { qualityResult = nil }
        question += 1
        let question = question
        isLoading = true
        error = nil
        do {
            let read = try await dossier.read(
                .forecastQuality(input), policy: forceRefresh ? .networkFirst : .cacheFirst)
            guard question == self.question else { return }
            qualityResult = read.value
            isOld = read.isOld
        } catch {
            guard question == self.question else { return }
            self.error = ErrorPresentation(error)?.message
        }
        isLoading = false
        isOffline = !dossier.configuration.connectivity.isConnected
    }

    /// Follows the network until the task is cancelled, for the `task` of a view.
    public func followConnectivity() async {
        do {
            for try await status in dossier.configuration.connectivity.updates { isOffline = status == .disconnected }
        } catch {
            // Only a cancellation ends it: the view has gone.
        }
    }

    /// Forgets the result and an answer that is awaited.
    public func reset() {
        question += 1
        (qualityResult, error, isLoading, isOld) = (nil, nil, false, false)
        (horizon, timeframe) = (Horizon.day.rawValue, Timeframe.daily.rawValue)
    }

    /// Whether there is something to show.
    public var hasResults: Bool { qualityResult != nil }
    /// Whether something is to be said about the forecast.
    public var hasIssues: Bool { qualityResult?.issues.isEmpty == false }
    /// As in `75%`.
    public var formattedQualityScore: String { qualityResult.map { percent($0.qualityScore) } ?? "–" }
    /// How good the score is.
    public var qualityLevel: Level {
        switch qualityResult?.qualityScore ?? 0 {
        case 0.7...: .good
        case 0.5...: .fair
        default: .poor
        }
    }
}

/// As in `75%`.
func percent(_ share: Double) -> String { String(format: "%.0f%%", share * 100) }
