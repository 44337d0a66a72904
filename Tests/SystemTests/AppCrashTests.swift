import DossierClient
import Foundation
import Testing

extension SystemTests.Crashes {
    /// An app in a process of its own, killed at each step between the tap and the forgotten submission.
    @Suite(.serialized) struct AppCrashTests {
        private static let app = URL(filePath: Fleet.executable).deletingLastPathComponent()
            .appending(path: "SampleApp").path

        @Test(.timeLimit(.minutes(5)))
        func anAppThatIsKilledAtAnyStepMakesOneJobOfATap() async throws {
            try await Fleet.with(variables: ["DOSSIER_STARTING_CREDITS": "100"]) { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                let dossier = Dossier(
                    server: try #require(URL(string: fleet.url)), authentication: DevelopmentAuthentication(user: "1"),
                    configuration: Dossier.Configuration(directory: nil))
                var (taps, step) = (0, 0)
                var hasEnded = false
                while !hasEnded {
                    step += 1
                    let folder = fleet.folder + "/app-\(step)"
                    let killed = try await launch(fleet, folder, killingAt: step, tap: true)
                    hasEnded = killed.exit == .code(0)
                    #expect(hasEnded || killed.exit == .signal(SIGKILL), "\(killed)")
                    let isTapped = !submissions(in: folder).isEmpty || killed.output.contains("shown")
                    if isTapped { taps += 1 }

                    let relaunched = try await launch(fleet, folder)
                    #expect(relaunched.exit == .code(0), "\(relaunched)")
                    if isTapped { #expect((killed.output + relaunched.output).contains("shown AAPL"), "step \(step)") }
                    #expect(submissions(in: folder).isEmpty, "step \(step)")
                    #expect(try await dossier.page(of: .jobs()).totalItems == taps, "step \(step)")
                    try await fleet.expectBalance(used: taps, granted: 100)
                }
                // Before and after: storing, sending, storing the job, following, reading, showing, forgetting.
                #expect(step > 14, "the app passed \(step) steps")
                try await fleet.expectCleanAudit()
            }
        }

        private func launch(
            _ fleet: Fleet, _ folder: String, killingAt step: Int = 0, tap: Bool = false
        ) async throws -> Fleet.CommandResult {
            let app = try ChildProcess(
                [Self.app, fleet.url, folder, String(step)] + (tap ? ["tap"] : []), environment: fleet.environment)
            let exit = try await app.ended()
            return Fleet.CommandResult(exit: exit, output: app.output.text, errors: app.errors.text)
        }

        private func submissions(in folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder + "/Submissions")) ?? []
        }
    }
}
