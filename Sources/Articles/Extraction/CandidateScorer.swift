/// Scores the elements that hold paragraphs: each paragraph gives points for its length and its commas to the elements
/// around it, less with each level.
struct CandidateScorer {
    let tree: HTMLTree
    let usesClassWeights: Bool
    private(set) var scores: [HTMLTree.Index: Double] = [:]
    /// Those that have a score, in the order in which they got one.
    private(set) var candidates: [HTMLTree.Index] = []

    private static let levels = 5
    /// A shorter paragraph says nothing.
    private static let shortest = 25

    init(_ tree: HTMLTree, usesClassWeights: Bool) {
        self.tree = tree
        self.usesClassWeights = usesClassWeights
    }

    mutating func score(_ paragraphs: [HTMLTree.Index]) {
        for paragraph in paragraphs {
            let parent = tree[paragraph].parent
            guard parent != HTMLTree.none else { continue }
            let measure = tree.measure(paragraph)
            guard measure.length >= Self.shortest else { continue }
            let points = Double(2 + measure.commas + min(measure.length / 100, 3))
            var ancestor = parent
            for level in 0..<Self.levels where ancestor != HTMLTree.none && ancestor != HTMLTree.root {
                begin(ancestor)
                let share = level == 0 ? 1.0 : level == 1 ? 2 : Double(level * 3)
                scores[ancestor, default: 0] += points / share
                ancestor = tree[ancestor].parent
            }
        }
        // An element full of links is a list of links.
        for candidate in candidates { scores[candidate, default: 0] *= 1 - tree.measure(candidate).linkDensity }
    }

    /// Gives an element the score that it starts with, unless it has one.
    mutating func begin(_ index: HTMLTree.Index) {
        guard scores[index] == nil else { return }
        candidates.append(index)
        let weight = usesClassWeights ? ClassHints.weight(of: index, in: tree) : 0
        scores[index] = Self.start(tree[index].tag) + weight
    }

    private static func start(_ tag: HTMLTag) -> Double {
        switch tag {
        case .div: 5
        case .pre, .td, .blockquote: 3
        case .address, .ol, .ul, .dl, .dd, .dt, .li, .form: -3
        case .h1, .h2, .h3, .h4, .h5, .h6, .th: -5
        default: 0
        }
    }
}
