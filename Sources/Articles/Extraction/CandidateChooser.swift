/// Chooses the element that holds the article.
struct CandidateChooser {
    let tree: HTMLTree
    var scorer: CandidateScorer

    /// How many good candidates below an element make it the better choice.
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

    /// An article cut into several boxes has several good candidates; what is around most of them holds it.
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

    /// Goes up while there is nothing beside the element, so that its neighbours can be judged.
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
