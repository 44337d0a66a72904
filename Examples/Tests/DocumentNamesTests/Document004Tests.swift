import DocumentNames
import Foundation
import ScriptedServer
import Testing

#if canImport(SwiftUI)
    import SwiftUI
#endif

// The Swift snippets of document 004, word for word but for their indentation and the tests around them.

private struct MyType: Codable, Sendable, Equatable { let name: String }

private enum APIClient {
    static let shared = Shared()
    struct Shared {
        /// The document writes `fetchData(...)`, which is Swift: `...` is an operator, and an argument.
        func fetchData(_ parameters: UnboundedRange) async throws -> String { "data" }
    }
}

@MainActor @Suite(.timeLimit(.minutes(1))) struct Document004Tests {
    @Test func cachedValuesHaveAFreshness() async {
        let myData = MyType(name: "bonds")
        // Set cached value
        await CacheManager.shared.set("my_key", value: myData)

        var used: MyType?
        // Get cached value
        if let cached = await CacheManager.shared.get("my_key", type: MyType.self) {
            let (value, freshness) = cached
            if freshness == .fresh {
                // Use cached value
                used = value
            }
        }
        #expect(used == myData)
        #expect(await CacheManager.shared.freshness(for: "my_key") == .fresh)
        await CacheManager.shared.remove("my_key")
        #expect(await CacheManager.shared.freshness(for: "my_key") == nil)
        await CacheManager.shared.set("other", value: 1)
        await CacheManager.shared.clear()
        #expect(await CacheManager.shared.get("other", type: Int.self) == nil)
    }

    @Test func equalRequestsAreOne() async throws {
        let result = try await RequestDeduplicator.shared.execute(key: "unique_request_key") {
            try await APIClient.shared.fetchData(...)
        }
        #expect(result == "data")
        #expect(await RequestDeduplicator.shared.inFlightCount() == 0)
        let endless = Task {
            try await RequestDeduplicator.shared.execute(key: "endless") { try await Task.sleep(for: .seconds(60)) }
        }
        while await RequestDeduplicator.shared.inFlightCount() == 0 { await Task.yield() }
        await RequestDeduplicator.shared.cancelRequest(key: "endless")
        await #expect(throws: CancellationError.self) { try await endless.value }
        await RequestDeduplicator.shared.clearAll()
    }

    @Test func operationsAreRetried() async throws {
        let result = try await withRetry(policy: .default) {
            try await APIClient.shared.fetchData(...)
        }
        #expect(result == "data")
        let printed: [(RetryPolicy, Int, Duration, Duration, Double)] = [
            (.default, 3, .seconds(1), .seconds(10), 2), (.conservative, 2, .seconds(2), .seconds(15), 2.5),
            (.aggressive, 5, .milliseconds(500), .seconds(8), 1.8),
        ]
        for (policy, attempts, initial, maximum, multiplier) in printed {
            #expect(policy.maximumAttempts == attempts && policy.multiplier == multiplier)
            #expect(policy.initialDelay == initial && policy.maximumDelay == maximum)
        }
    }

    @Test func errorsHaveWords() {
        let error = URLError(.notConnectedToInternet)
        let formatted = ErrorFormatter.userFriendlyMessage(from: error)
        #expect(formatted.title == "Network Error")
        #expect(formatted.message.contains("connect"))
        #expect(formatted.icon == "wifi.slash")
    }

    @Test func theNetworkIsMonitored() async {
        var changes: [Bool] = []
        let monitor = NetworkMonitor.shared
        if monitor.isConnected {
            // Online
        } else {
            // Offline
        }

        // Monitor status changes
        monitor.$isConnected
            .sink { connected in
                // Handle connection change
                changes.append(connected)
            }
        #expect(changes == [true] && monitor.connectionType == "Unknown")
    }

    @Test func forecastsAreShown() async throws {
        let server = ScriptedServer()
        server.answer(
            "POST /forecast-quality",
            with: """
                {
                  "symbol": "AAPL",
                  "horizon": "1D",
                  "timeframe": "d1",
                  "qualityScore": 0.75,
                  "confidence": 0.80,
                  "modelAgreement": 0.85,
                  "issues": [
                    {
                      "level": "warning",
                      "type": "low_confidence",
                      "message": "Low confidence: 50%",
                      "action": "review"
                    }
                  ],
                  "timestamp": "2026-01-22T22:00:00Z"
                }
                """)
        server.answer(
            "POST /train-model",
            with: """
                {
                  "symbol": "AAPL",
                  "timeframe": "d1",
                  "lookbackDays": 90,
                  "status": "success",
                  "trainingMetrics": {
                    "validationAccuracy": 0.65,
                    "trainSamples": 500,
                    "validationSamples": 100,
                    "trainLoss": 0.45,
                    "validationLoss": 0.52
                  },
                  "ensembleWeights": {
                    "random_forest": 0.6,
                    "gradient_boosting": 0.4
                  },
                  "timestamp": "2026-01-22T22:00:00Z"
                }
                """)
        SharedClient.dossier = .scripted(server)
        let lines = await ForecastScreen().appear() + TrainingScreen().appear()
        #expect(lines == ["Quality: 75%", "Accuracy: 65%"])
    }
}

@MainActor private struct ForecastScreen {
    @StateObject private var viewModel = ForecastQualityViewModel()

    func appear() async -> [String] {
        Screen.lines = []
        // In view
        await Task {
            await viewModel.fetchQuality(
                symbol: "AAPL",
                horizon: "1D",
                timeframe: "d1"
            )
        }.value

        // Display results
        if let result = viewModel.qualityResult {
            Text("Quality: \(viewModel.formattedQualityScore)")
                .foregroundStyle(viewModel.qualityScoreColor)
            _ = result  // The document does not use it.
        }
        return Screen.lines
    }
}

@MainActor private struct TrainingScreen {
    @StateObject private var viewModel = ModelTrainingViewModel()

    func appear() async -> [String] {
        Screen.lines = []
        // In view
        await Task {
            await viewModel.trainModel(
                symbol: "AAPL",
                timeframe: "d1",
                lookbackDays: 90
            )
        }.value

        // Display results
        if let result = viewModel.trainingResult {
            Text("Accuracy: \(viewModel.formattedValidationAccuracy)")
                .foregroundStyle(viewModel.validationAccuracyColor)
            _ = result  // The document does not use it.
        }
        return Screen.lines
    }
}
