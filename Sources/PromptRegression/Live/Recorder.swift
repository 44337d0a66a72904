internal import JSON
package import LanguageModels
package import Prompts

/// Asks for the answers of cases and keeps them as recordings.
package struct Recorder: Sendable {
    private let home: String
    private let bundle: Bundle
    private let client: ModelClient?
    private let simulated: SimulatedModelClient
    private let redactor: Redactor
    private let now: @Sendable () -> String
    private let concurrency: Int

    /// Without a client of real services the simulator answers every case, else only those with `simulate`. `now` gives
    /// the time as `2026-11-21T09:30:00Z`; `concurrency` is the number of calls under way at once, more than one for
    /// calls by batch.
    package init(
        home: String, bundle: Bundle, client: ModelClient?, simulated: SimulatedModelClient, redactor: Redactor,
        concurrency: Int = 1, now: @escaping @Sendable () -> String
    ) {
        self.home = home
        self.bundle = bundle
        self.client = client
        self.simulated = simulated
        self.redactor = redactor
        self.now = now
        self.concurrency = concurrency
    }

    /// The result of one call.
    package struct Outcome: Sendable {
        package var id: PromptCase.ID
        package var provider: ModelProvider?
        package var result: Result<Recorded, Failure>
    }

    package struct Recorded: Sendable {
        package var path: String
        package var model: String
        package var isSimulated: Bool
        package var cost: MicroDollars
        package var evaluation: Evaluation
        /// The cost of new grades.
        package var gradingCost: MicroDollars
        /// Whether the answer is as the case expects it.
        package var isExpected: Bool
    }

    package struct Failure: Error, Sendable, CustomStringConvertible {
        package var description: String
    }

    /// Asks once for each case and provider, and writes each answer at once. Without providers the first that can serve
    /// is asked; `report` is called after each call.
    package func record(
        _ filter: CaseFilter, providers: [ModelProvider] = [], report: (Outcome) -> Void = { _ in }
    ) async -> [Outcome] {
        // The mistakes of the simulator are for one call at a time.
        var (simulations, calls): ([Call], [Call]) = ([], [])
        for promptCase in CaseLibrary.load(home: home, bundle: bundle).cases where filter.selects(promptCase) {
            for provider in providers.isEmpty ? [nil] : providers.map(Optional.some) {
                let call: Call = {
                    await outcome(promptCase.id, provider) { () async throws(Failure) in
                        try await record(promptCase, provider)
                    }
                }
                if client == nil || promptCase.simulation != nil {
                    simulations.append(call)
                } else {
                    calls.append(call)
                }
            }
        }
        return await outcomes(of: simulations, atOnce: 1, report) + outcomes(of: calls, atOnce: concurrency, report)
    }

    private typealias Call = @Sendable () async -> Outcome

    private func outcome(
        _ id: PromptCase.ID, _ provider: ModelProvider?, _ body: () async throws(Failure) -> Recorded
    ) async -> Outcome {
        do throws(Failure) {
            return Outcome(id: id, provider: provider, result: .success(try await body()))
        } catch {
            return Outcome(id: id, provider: provider, result: .failure(error))
        }
    }

    private func outcomes(
        of calls: [Call], atOnce width: Int, _ report: (Outcome) -> Void
    ) async -> [Outcome] {
        await withTaskGroup(of: Outcome.self) { group in
            var outcomes: [Outcome] = []
            for call in calls.prefix(width) { group.addTask(operation: call) }
            var next = calls.dropFirst(width).makeIterator()
            for await outcome in group {
                report(outcome)
                outcomes.append(outcome)
                if let call = next.next() { group.addTask(operation: call) }
            }
            return outcomes
        }
    }

    private func record(_ promptCase: PromptCase, _ provider: ModelProvider?) async throws(Failure) -> Recorded {
        guard let prompt = bundle.prompts[promptCase.id.prompt] else {
            throw Failure(description: "there is no prompt '\(promptCase.id.prompt)'")
        }
        do {
            let request = CanonicalRequest(
                try prompt.render(input: promptCase.input), tier: bundle.tier(of: prompt))
            let recording = try await ask(request, promptCase, provider).redacted(by: redactor)
            let name = RecordingName(hash: request.hash, provider: provider?.rawValue).text
            try CaseFolder(path: promptCase.folder).write(recording.json.pretty + "\n", to: name)
            return try await graded(recording, name, promptCase, prompt)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(description: "\(error)")
        }
    }

    // MARK: Grades

    /// Asks for the grades that recorded answers have none of yet; the answers stay as they are.
    package func recordGrades(_ filter: CaseFilter, report: (Outcome) -> Void = { _ in }) async -> [Outcome] {
        var calls: [Call] = []
        for promptCase in CaseLibrary.load(home: home, bundle: bundle).cases where filter.selects(promptCase) {
            guard let prompt = bundle.prompts[promptCase.id.prompt] else { continue }
            for (name, recording) in CaseRun(promptCase, bundle: bundle).ungradedAnswers {
                calls.append {
                    await outcome(promptCase.id, name.provider.flatMap(ModelProvider.init)) {
                        () async throws(Failure) in
                        try await graded(recording, name.text, promptCase, prompt)
                    }
                }
            }
        }
        return await outcomes(of: calls, atOnce: client == nil ? 1 : concurrency, report)
    }

    /// Has an answer graded by each rubric that the prompt declares, and keeps the grades beside it.
    private func graded(
        _ recording: Recording, _ name: String, _ promptCase: PromptCase, _ prompt: LoadedPrompt
    ) async throws(Failure) -> Recorded {
        let folder = CaseFolder(path: promptCase.folder)
        let path = "prompts/cases/\(promptCase.id)/\(name)"
        var grades: [Recording] = []
        var cost = MicroDollars.zero
        do {
            for grading in Evaluation(of: recording, to: promptCase, by: prompt, in: bundle).gradings {
                if let known = folder.text(grading.fileName).flatMap({ try? Recording(parsing: $0) }),
                    known.requestHash == grading.request.hash
                {
                    grades.append(known)
                    continue
                }
                let grade: Recording
                if let client {
                    grade = try await client.record(
                        grading.request, provider: nil, key: "\(promptCase.id)/\(grading.fileName)", at: now())
                } else {
                    grade = try await simulated.record(grading.request, provider: nil, simulation: nil, at: now())
                }
                let clean = try grade.redacted(by: redactor)
                try folder.write(clean.json.pretty + "\n", to: grading.fileName)
                cost = cost + clean.response.cost
                grades.append(clean)
            }
        } catch {
            throw Failure(description: "\(path) is there, but was not graded: \(error)")
        }
        let evaluation = Evaluation(
            of: recording, to: promptCase, by: prompt, in: bundle, grades: Grades(grades))
        return Recorded(
            path: path, model: recording.response.model, isSimulated: recording.isSimulated,
            cost: recording.response.cost, evaluation: evaluation, gradingCost: cost,
            isExpected: evaluation.meets(promptCase.expectation))
    }

    private func ask(
        _ request: CanonicalRequest, _ promptCase: PromptCase, _ provider: ModelProvider?
    ) async throws(ModelError) -> Recording {
        guard let client, promptCase.simulation == nil else {
            return try await simulated.record(
                request, provider: provider, simulation: promptCase.simulation, at: now())
        }
        let key = "\(promptCase.id)/\(RecordingName(hash: request.hash, provider: provider?.rawValue).text)"
        return try await client.record(request, provider: provider, key: key, at: now())
    }
}
