#if canImport(SwiftUI)
    public import AppModels
    public import DossierClient
    public import SwiftUI

    extension ForecastQualityViewModel {
        /// Document 004's color of the score.
        public var qualityScoreColor: Color {
            switch qualityLevel {
            case .good: .green
            case .fair: .orange
            case .poor: .red
            }
        }
    }

    extension ModelTrainingViewModel {
        /// Document 004's color of the accuracy: green only where the model is better than the baseline.
        public var validationAccuracyColor: Color { (edge ?? 0) > 0 ? .green : .orange }
    }

    /// Document 004's view of the quality of a forecast.
    public struct ForecastQualityView: View {
        @State private var model: ForecastQualityViewModel
        @State private var horizon = "1D"
        private let symbol: String
        private let timeframe: String

        /// Shows the quality of a client's forecasts.
        public init(_ dossier: Dossier, symbol: String, timeframe: String = "d1") {
            _model = State(initialValue: ForecastQualityViewModel(dossier))
            self.symbol = symbol
            self.timeframe = timeframe
        }

        /// The score, what is to be said about it, and the horizon to choose.
        public var body: some View {
            List {
                if model.isOffline { Label("You are offline.", systemImage: "wifi.slash") }
                Picker("Horizon", selection: $horizon) { ForEach(["1D", "1W", "1M"], id: \.self) { Text($0) } }
                if model.isLoading, !model.hasResults { ProgressView() }
                if let error = model.error { Label(error, systemImage: "exclamationmark.triangle") }
                if let result = model.qualityResult {
                    Text("Quality: \(model.formattedQualityScore)").foregroundStyle(model.qualityScoreColor)
                    ForEach(result.issues, id: \.self) { Text($0.message) }
                }
            }
            .refreshable { await fetch(forceRefresh: true) }
            .task(id: horizon) { await fetch(forceRefresh: false) }
            .task { await model.followConnectivity() }
        }

        private func fetch(forceRefresh: Bool) async {
            await model.fetchQuality(
                symbol: symbol, horizon: horizon, timeframe: timeframe, forceRefresh: forceRefresh)
        }
    }

    /// Document 004's view of the training of a model.
    public struct ModelTrainingView: View {
        @State private var model: ModelTrainingViewModel
        private let symbol: String

        /// Shows the training of a client's model.
        public init(_ dossier: Dossier, symbol: String) {
            _model = State(initialValue: ModelTrainingViewModel(dossier))
            self.symbol = symbol
        }

        /// The accuracy with its baseline.
        public var body: some View {
            List {
                if model.isOffline { Label("You are offline.", systemImage: "wifi.slash") }
                if model.isLoading, !model.hasResults { ProgressView() }
                if let error = model.error { Label(error, systemImage: "exclamationmark.triangle") }
                if let result = model.trainingResult {
                    Text("Accuracy: \(model.formattedValidationAccuracy)")
                        .foregroundStyle(model.validationAccuracyColor)
                    if let baseline = result.baseline {
                        Text("Always saying \(baseline.rule): \(baseline.accuracy * 100, specifier: "%.0f%%")")
                    }
                }
            }
            .refreshable { await model.trainModel(symbol: symbol, forceRefresh: true) }
            .task { await model.trainModel(symbol: symbol) }
        }
    }
#endif
