import Basics
import Broker
import JSON
import JobQueue
import PromptRegression
import Prompts

/// The cases of the home folder, run against the present bundle. Runs come one after the other, and a result is kept
/// until the bundle changes.
actor InstalledSuite: PromptSuite {
    private let home: String
    private let bundle: CurrentBundle
    private var kept: (bundle: String, result: JSON)?
    /// The run that is under way.
    private var running: Task<JSON?, Never>?

    init(home: String, bundle: CurrentBundle) {
        (self.home, self.bundle) = (home, bundle)
    }

    func latest() async -> JSON? {
        if let running { return await running.value }
        if let kept, kept.bundle == bundle.value.hash { return kept.result }
        return await run()
    }

    func run() async -> JSON? {
        if let running { return await running.value }
        let (runner, hash) = (runner, bundle.value.hash)
        guard runner.hasCases else { return nil }
        let task = Task {
            await Self.offPool {
                let now = Timestamp(milliseconds: WallClock.milliseconds()).iso8601
                return runner.overview(at: now, runs: PromptTests.runs)
            }
        }
        running = task
        let result = await task.value
        running = nil
        if let result { kept = (hash, result) }
        return result
    }

    func one(prompt: String, name: String) async -> JSON? {
        let runner = runner
        return await Self.offPool { runner.detail(of: PromptCase.ID(prompt: prompt, name: name)) }
    }

    private var runner: OfflineRunner { OfflineRunner(home: home, bundle: bundle.value) }

    /// Reads files and checks answers on a thread of its own; `nil` when the system has none to give.
    private static func offPool(_ work: @escaping @Sendable () -> JSON?) async -> JSON? {
        await withCheckedContinuation { continuation in
            if !Thread.start({ continuation.resume(returning: work()) }) { continuation.resume(returning: nil) }
        }
    }
}
