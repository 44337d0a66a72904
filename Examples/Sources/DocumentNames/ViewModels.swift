public import AppModels
public import DossierClient
internal import Foundation

#if canImport(Combine)
    public import Combine
#endif

/// Document 004's result of `fetchQuality`.
public typealias ForecastQualityResponse = ForecastQuality
/// Document 004's result of `trainModel`.
public typealias ModelTrainingResponse = TrainingResult
/// The view model is the examples' own.
public typealias ForecastQualityViewModel = AppModels.ForecastQualityViewModel
/// The view model is the examples' own.
public typealias ModelTrainingViewModel = AppModels.ModelTrainingViewModel

/// The client of the whole app, which document 004's view models take when they are made without one.
@MainActor
public enum SharedClient {
    /// Set it at launch, before the first view model is made.
    public static var dossier = Dossier(server: URL(filePath: "/"))
}

// `@StateObject` asks for it. Views are told of changes by `@Observable` all the same.
extension AppModels.ForecastQualityViewModel: ObservableObject {
    /// Uses the client of the whole app.
    public convenience init() { self.init(SharedClient.dossier) }
}

extension AppModels.ModelTrainingViewModel: ObservableObject {
    /// Uses the client of the whole app.
    public convenience init() { self.init(SharedClient.dossier) }
}
