public import DossierClient
public import Observation

/// Analyzes articles and videos, and asks the questions that came of them when they are due.
@MainActor @Observable
public final class RecallViewModel {
    /// What the screen shows of an analysis.
    public enum Phase: Hashable, Sendable {
        /// Nothing was asked for yet.
        case idle
        /// 0 to 100, and a phrase for the person who waits.
        case analyzing(progress: Int, step: String?)
        /// What was found.
        case analyzed(Analysis)
        /// Nothing was found, for a reason.
        case failed(ErrorPresentation)
    }

    /// What the screen shows of an analysis.
    public private(set) var phase = Phase.idle
    /// The cards that are due and not answered yet, the longest due first.
    public private(set) var due: [DueCard] = []
    /// The question that is asked now.
    public var current: DueCard? { due.first }
    /// What the answer to the current question was worth; `nil` before it is given.
    public private(set) var grade: AnswerGrade?
    /// Whether an answer is being judged.
    public private(set) var isGrading = false
    /// Why cards or a grade did not come.
    public private(set) var notice: ErrorPresentation?

    private let dossier: Dossier
    private var unfinished: Submission<AnalysisInput>?
    /// One for each answer, so that the same answer sent again counts once.
    private var answerKey: (card: RecallCard.ID, answer: String, key: IdempotencyKey)?

    /// Makes the model; nothing is sent yet.
    public init(_ dossier: Dossier) { self.dossier = dossier }

    // MARK: Analyzing

    /// For the tap on "Analyze". The same input after a failure is the same tap: it costs no second credit.
    public func analyze(_ input: AnalysisInput) async {
        if case .analyzing = phase { return }
        let tap = unfinished.flatMap { $0.input == input ? $0 : nil } ?? Submission(input)
        unfinished = tap
        phase = .analyzing(progress: 0, step: nil)
        do {
            for try await event in dossier.jobs.run(tap) {
                switch event {
                case .accepted(let job), .progress(let job):
                    phase = .analyzing(progress: job.progress, step: job.currentStep)
                case .completed(let analysis, _):
                    phase = .analyzed(analysis)
                }
            }
            unfinished = nil
        } catch {
            phase = ErrorPresentation(error).map(Phase.failed) ?? .idle
            // A final outcome is forgotten by the client, and another try is another tap.
            let saved = try? await dossier.submissions.unfinished()
            if saved?.contains(where: { $0.id == tap.id }) == false { unfinished = nil }
        }
    }

    // MARK: Recall

    /// Reads the cards that are due.
    public func loadDue() async {
        do {
            due = try await dossier.page(of: .dueCards()).items
            grade = nil
            notice = nil
        } catch {
            notice = ErrorPresentation(error)
        }
    }

    /// For an answer to the current question: one of its options, or own words.
    public func answer(_ text: String) async {
        guard let card = current, grade == nil, !isGrading else { return }
        isGrading = true
        defer { isGrading = false }
        let known = answerKey.flatMap { $0.card == card.id && $0.answer == text ? $0.key : nil }
        let key = known ?? .random()
        answerKey = (card.id, text, key)
        do {
            grade = try await dossier.answer(card.id, with: text, idempotencyKey: key)
            notice = nil
        } catch {
            notice = ErrorPresentation(error)
        }
    }

    /// For the tap on "Next": the question that follows.
    public func next() {
        guard grade != nil else { return }
        due.removeFirst()
        grade = nil
    }
}
