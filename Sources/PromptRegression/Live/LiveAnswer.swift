internal import Prompts

/// The answer of one call of a live run, with its repair where one was asked for.
struct LiveAnswer: Sendable {
    struct Repair: Sendable {
        var question: DraftRepair
        var answer: Recording
        var grades: [Recording]

        func evaluation(in bundle: Bundle) -> Evaluation {
            question.evaluation(of: answer, in: bundle, grades: Grades(grades))
        }
    }

    var draft: Recording
    var grades: [Recording]
    var repair: Repair?

    var allGrades: [Recording] { grades + (repair?.grades ?? []) }
}
