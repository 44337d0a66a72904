/// Gathers problems while files are read, so that all are reported at once.
final class ProblemList {
    private(set) var problems: [BundleProblem] = []

    var isEmpty: Bool { problems.isEmpty }

    func add(_ problem: BundleProblem) {
        if !problems.contains(problem) { problems.append(problem) }
    }
}
