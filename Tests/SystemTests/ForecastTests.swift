import DossierAPI
import Foundation
import HTTP
import JSON
import JobQueue
import SQLiteStore
import Simulator
import TestSupport
import Testing

extension SystemTests.Surface {
    /// `/train-model` and `/forecast-quality` with real processes and the simulator's prices.
    @Suite(.serialized) struct ForecastTests {
        private static let variables: Fleet.Variables = ["FMP_API_KEY": "simulated"]

        /// The structs of the app's document.
        private struct PrintedTraining: Decodable {
            struct Metrics: Decodable {
                var validationAccuracy: Double
                var trainSamples: Int
                var validationSamples: Int
                var trainLoss: Double
                var validationLoss: Double
            }
            var symbol: String
            var timeframe: String
            var lookbackDays: Int
            var status: String
            var trainingMetrics: Metrics
            var ensembleWeights: [String: Double]
            var timestamp: String
        }

        /// The structs of the app itself, without an optional.
        private struct AppTraining: Decodable {
            struct Metrics: Decodable {
                var trainAccuracy: Double
                var validationAccuracy: Double
                var testAccuracy: Double
                var trainLoss: Double
                var validationLoss: Double
                var trainSamples: Int
                var validationSamples: Int
                var testSamples: Int
            }
            struct Model: Decodable {
                var modelHash: String
                var featureCount: Int
                var trainedAt: String
            }
            var trainingMetrics: Metrics
            var modelInfo: Model
            var featureImportance: [String: Double]
            var ensembleWeights: [String: Double]
        }

        private struct Quality: Decodable {
            struct Issue: Decodable {
                var level: String
                var type: String
                var message: String
                var action: String
            }
            var symbol: String
            var horizon: String
            var timeframe: String
            var qualityScore: Double
            var confidence: Double
            var modelAgreement: Double
            var issues: [Issue]
            var timestamp: String
        }

        private func decoded<Value: Decodable>(_ body: JSON, as type: Value.Type = Value.self) throws -> Value {
            try JSONDecoder().decode(type, from: Data(body.utf8))
        }

        @Test(.timeLimit(.minutes(10)))
        func aHundredCallersAreOneTrainingAndOneCallToTheSource() async throws {
            try await Fleet.with(variables: Self.variables) { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                let request: JSON = ["symbol": "aapl", "timeframe": "d1", "lookbackDays": 90]
                let answers = try await withThrowingTaskGroup(of: Fleet.Answer.self) { group in
                    for user in 1...100 {
                        group.addTask { try await fleet.send(.post, "/train-model", user: user, body: request) }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(Set(answers.map(\.status)) == [200], "\(answers.first?.body.compact ?? "")")
                #expect(Set(answers.compactMap { $0.body["modelInfo"]?["modelHash"]?.string }).count == 1)
                #expect(fleet.simulator.count(of: .fmp) == 1)
                let body = try #require(answers.first).body
                let printed: PrintedTraining = try decoded(body)
                #expect(printed.symbol == "AAPL" && printed.status == "success" && printed.lookbackDays == 90)
                let app: AppTraining = try decoded(body)
                #expect(abs(app.featureImportance.values.reduce(0, +) - 1) < 1e-6)
                #expect(app.ensembleWeights.keys.sorted() == ["gradient_boosting", "random_forest"])
                #expect(ISO8601DateFormatter().date(from: printed.timestamp) != nil)

                // The same recipe is not trained again; the lookback is the user's last one.
                let quality = try await fleet.send(.post, "/forecast-quality", body: ["symbol": "AAPL"])
                let forecast: Quality = try decoded(quality.body)
                #expect(forecast.horizon == "1D" && forecast.qualityScore <= 0.5)
                #expect(quality.body["modelInfo"]?["modelHash"]?.string == app.modelInfo.modelHash)
                #expect(forecast.issues.contains { $0.type == "simulated_data" && $0.level == "error" })
                #expect(forecast.issues.contains { $0.type == "no_edge" && $0.message.contains("always saying") })
                let chart = try await fleet.send(.get, "/api/v1/stocks/AAPL/prices?from=2024-01-02&to=2024-01-09")
                #expect(chart.data["bars"]?.array?.count == 6 && chart.data["simulated"] == true)
                #expect(fleet.simulator.count(of: .fmp) == 1)
                try await fleet.expectBalance(user: 1, used: 0)
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func errorsAreOneSentence() async throws {
            try await Fleet.with(variables: Self.variables) { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                for (body, status, error) in [
                    ([:], 400, "symbol is required"),
                    (["symbol": "AAPL", "timeframe": "h4"], 400, "timeframe must be one of d1, h1"),
                    (["symbol": "AAPL", "horizon": "1Y"], 400, "horizon must be one of 1D, 1W, 1M"),
                    (
                        ["symbol": "AAPL", "lookbackDays": 7], 400,
                        "lookbackDays must be a whole number from 60 to 3650"
                    ),
                    (["symbol": "AAPL", "model": "x"], 400, nil), (["symbol": "NOSUCH"], 404, nil),
                ] as [(JSON, Int, String?)] {
                    let answer = try await fleet.send(.post, "/train-model", body: body)
                    #expect(answer.status == status && answer.body["code"]?.string != nil, "\(answer.body.compact)")
                    let sentence = answer.body["error"]?.string
                    #expect(sentence != nil && (error == nil || sentence == error), "\(sentence ?? "")")
                }
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func withoutASourceTheAnswerIs503() async throws {
            try await Fleet.with(variables: ["FMP_API_KEY": nil]) { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                let answer = try await fleet.send(.post, "/forecast-quality", body: ["symbol": "AAPL"])
                #expect(answer.status == 503 && answer.body["code"] == "EXT_4005", "\(answer.body.compact)")
                let chart = try await fleet.send(.get, "/api/v1/stocks/AAPL/prices")
                #expect(chart.status == 503)
            }
            // A folder that is not there is no answer about symbols.
            try await Fleet.with(variables: ["DOSSIER_PRICES": "/nonexistent/prices"]) { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                let answer = try await fleet.send(.post, "/train-model", body: ["symbol": "AAPL"])
                #expect(answer.status == 503 && answer.body["code"] == "EXT_4005", "\(answer.body.compact)")
                let chart = try await fleet.send(.get, "/api/v1/stocks/AAPL/prices")
                #expect(chart.status == 503, "\(chart.body.compact)")
            }
        }
    }
}

extension SystemTests.Crashes {
    @Suite(.serialized) struct ForecastCrashTests {
        @Test(.timeLimit(.minutes(10)))
        func aTrainingWhoseWorkerIsKilledGivesTheSameHash() async throws {
            try await Fleet.with(variables: ["FMP_API_KEY": "simulated"]) { fleet in
                try await fleet.startBroker()
                let worker = try await fleet.startWorker()
                let input: JSON = ["symbol": "AAPL", "lookbackDays": 1095]
                let answer = try await fleet.send(
                    .post, "/api/v1/jobs", body: ["kind": "training", "input": input])
                #expect(answer.status == 202, "\(answer.body.compact)")
                let id = try #require(answer.data["id"]?.string)
                // The job of the service itself runs the training.
                try await eventually("the clock is journalled") {
                    try await fleet.withStore { store in
                        let jobs = try await store.jobs(JobListQuery(user: .system)).jobs
                        guard let job = jobs.first else { return false }
                        return try await !store.journal(of: job.id).isEmpty
                    }
                }
                try await worker.crash()
                _ = try await fleet.startWorker()
                #expect(try await fleet.end(of: id).status == "completed")
                let killed = try await fleet.result(of: id)["modelInfo"]?["modelHash"]?.string
                #expect(killed?.utf8.count == 64)

                // The same bars elsewhere, undisturbed.
                try await Fleet.with(variables: ["FMP_API_KEY": "simulated"]) { other in
                    try await other.startBroker()
                    _ = try await other.startWorker()
                    let again = try await other.send(
                        .post, "/api/v1/jobs", body: ["kind": "training", "input": input])
                    let job = try #require(again.data["id"]?.string)
                    #expect(try await other.end(of: job).status == "completed")
                    #expect(try await other.result(of: job)["modelInfo"]?["modelHash"]?.string == killed)
                }
            }
        }
    }
}
