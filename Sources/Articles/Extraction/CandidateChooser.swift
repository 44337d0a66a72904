/// Chooses the element that holds the article.
struct CandidateChooser {
    let tree: HTMLTree
    var scorer: CandidateScorer

    /// The number of good candidates below an element that make it the better choice.
    private static let quorum = 3
    private static let compared = 5

    init(_ scorer: CandidateScorer) {
        self.scorer = scorer
        tree = scorer.tree
    }

    /// `nil` when nothing has a score but the page as a whole.
    mutating func choose() -> HTMLTree.Index? {
        let ranked = scorer.candidates.enumerated()
            .map { (order: $0, index: $1, score: scorer.scores[$1] ?? 0) }
            .sorted { ($0.score, $1.order) > ($1.score, $0.order) }
            .prefix(Self.compared)
        guard var top = ranked.first?.index, tree[top].tag != .body else { return nil }
        top = commonAncestor(of: top, ranked.map { ($0.index, $0.score) })
        scorer.begin(top)
        return outermost(climbing(from: top))
    }

    /// An article cut into several boxes has several good candidates; the element around most of them holds it.
    private func commonAncestor(
        of top: HTMLTree.Index, _ ranked: [(index: HTMLTree.Index, score: Double)]
    ) -> HTMLTree.Index {
        let best = ranked.first?.score ?? 0
        let rivals = ranked.dropFirst().filter { $0.score / best >= 0.75 }.map { ancestors($0.index) }
        guard best > 0, rivals.count >= Self.quorum else { return top }
        var parent = tree[top].parent
        while parent != HTMLTree.none, parent != HTMLTree.root, tree[parent].tag != .body {
            if rivals.count(where: { $0.contains(parent) }) >= Self.quorum { return parent }
            parent = tree[parent].parent
        }
        return top
    }

    private func ancestors(_ index: HTMLTree.Index) -> Set<HTMLTree.Index> {
        var all: Set<HTMLTree.Index> = []
        var current = tree[index].parent
        while current != HTMLTree.none {
            all.insert(current)
            current = tree[current].parent
        }
        return all
    }

    /// Goes up as long as scores do not fall far, and takes an element around that scores higher.
    private func climbing(from top: HTMLTree.Index) -> HTMLTree.Index {
        var last = scorer.scores[top] ?? 0
        let threshold = last / 3
        var parent = tree[top].parent
        while parent != HTMLTree.none, parent != HTMLTree.root, tree[parent].tag != .body {
            if let score = scorer.scores[parent] {
                if score < threshold { break }
                if score > last { return parent }
                last = score
            }
            parent = tree[parent].parent
        }
        return top
    }

    /// Goes up while there is nothing beside the element, so that its neighbours can be scored.
    private func outermost(_ top: HTMLTree.Index) -> HTMLTree.Index {
        var current = top
        var parent = tree[current].parent
        while parent != HTMLTree.none, parent != HTMLTree.root, tree[parent].tag != .body,
            tree.children(of: parent).count(where: { tree[$0].tag != .textNode }) == 1
        {
            current = parent
            parent = tree[current].parent
        }
        return current
    }
}

/// Scores the elements that hold paragraphs: each paragraph gives points for its length and its commas to the elements
/// around it, less with each level.
struct CandidateScorer {
    let tree: HTMLTree
    let usesClassWeights: Bool
    private(set) var scores: [HTMLTree.Index: Double] = [:]
    /// The elements with a score, in the order in which they got one.
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

/// Finds the siblings that belong to an article's main element: the first paragraph, a part after a break.
struct SiblingCollector {
    let tree: HTMLTree
    let scores: [HTMLTree.Index: Double]

    /// The elements of the article, in order.
    func collect(around top: HTMLTree.Index) -> [HTMLTree.Index] {
        let topScore = scores[top] ?? 0
        let threshold = max(10, topScore * 0.2)
        let name = tree.attribute(.class, of: top) ?? ""
        return tree.children(of: tree[top].parent).filter { sibling in
            if sibling == top { return true }
            guard tree[sibling].tag != .textNode else { return false }
            let hasSameClass = !name.isEmpty && tree.attribute(.class, of: sibling) == name
            if let score = scores[sibling], score + (hasSameClass ? topScore * 0.2 : 0) >= threshold { return true }
            return tree[sibling].tag == .p && isProse(sibling)
        }
    }

    private func isProse(_ paragraph: HTMLTree.Index) -> Bool {
        let measure = tree.measure(paragraph)
        if measure.length > 80 { return measure.linkDensity < 0.25 }
        guard measure.length > 0, measure.linked == 0 else { return false }
        let line = tree.line(paragraph)
        return line.hasSuffix(".") || line.contains(". ")
    }
}
