public import DossierClient
public import Observation

/// The training of a model, as document 004 describes its screen.
@MainActor @Observable
public final class ModelTrainingViewModel {
    /// What was read last.
    public private(set) var trainingResult: TrainingResult?
    /// Whether an answer is awaited.
    public private(set) var isLoading = false
    /// For the person who uses the app.
    public private(set) var error: String?
    /// Whether the last sign of the network was a failure.
    public private(set) var isOffline = false
    /// `d1` or `h1`.
    public private(set) var timeframe = Timeframe.daily.rawValue
    /// Calendar days to learn from.
    public private(set) var lookbackDays = 90

    private let dossier: Dossier
    /// Grows with each question: only the answer to the last one is shown.
    private var question = 0

    /// Makes the model; nothing is read yet.
    public init(_ dossier: Dossier) { self.dossier = dossier }

    /// Trains a model, or reads the one that was trained since the last bar.
    public func trainModel(
        symbol: String, timeframe: String = "d1", lookbackDays: Int = 90, forceRefresh: Bool = false
    ) async {
        let input = TrainingInput(
            symbol: symbol, timeframe: Timeframe(rawValue: timeframe), lookbackDays: lookbackDays)
        (self.timeframe, self.lookbackDays) = (timeframe, lookbackDays)
        if trainingResult?.symbol != symbol { trainingResult = nil }
        question += 1
        let question = question
        isLoading = true
        error = nil
        do {
            let read = try await dossier.read(.training(input), policy: forceRefresh ? .networkFirst : .cacheFirst)
            guard question == self.question else { return }
            trainingResult = read.value
        } catch {
            guard question == self.question else { return }
            self.error = ErrorPresentation(error)?.message
        }
        isLoading = false
        isOffline = !dossier.configuration.connectivity.isConnected
    }

    /// Forgets the result and an answer that is awaited.
    public func reset() {
        question += 1
        (trainingResult, error, isLoading, timeframe, lookbackDays) = (nil, nil, false, Timeframe.daily.rawValue, 90)
    }

    /// Whether there is something to show.
    public var hasResults: Bool { trainingResult != nil }
    /// As in `55%`. Show the baseline beside it.
    public var formattedValidationAccuracy: String {
        trainingResult.map { percent($0.trainingMetrics.validationAccuracy) } ?? "–"
    }
    /// How much better than the baseline the model is.
    public var edge: Double? {
        trainingResult.flatMap { result in
            result.baseline.map { result.trainingMetrics.validationAccuracy - $0.accuracy }
        }
    }
}
