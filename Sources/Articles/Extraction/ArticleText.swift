/// Finds the text of an article on a page.
///
/// Paragraphs give points to the elements around them; the best element is cleaned together with its related siblings.
/// If it finds little text, it tries again with fewer rules and takes the longest text.
struct ArticleText {
    let text: String
    /// The line in the text that names the author, when the page does not say it elsewhere.
    let byline: String?

    /// With less text than this, the rules were too strict for the page.
    private static let enough = 500

    private struct Rules {
        var removesUnlikely = true
        var usesClassWeights = true
        var cleansConditionally = true

        static let inOrder = [
            Rules(), Rules(removesUnlikely: false), Rules(removesUnlikely: false, usesClassWeights: false),
            Rules(removesUnlikely: false, usesClassWeights: false, cleansConditionally: false),
        ]
    }

    /// - `title`: the title of the article, whose heading is left out of the text.
    /// - `wantsByline`: look for a line with the author, and leave it out of the text.
    init(of tree: HTMLTree, title: String, wantsByline: Bool) {
        var best: (text: String, length: Int, byline: String?) = ("", -1, nil)
        for rules in Rules.inOrder {
            var pruner = PagePruner(
                tree, title: title, removesUnlikely: rules.removesUnlikely, wantsByline: wantsByline)
            pruner.run()
            let text = Self.text(pruner, rules)
            let length = text.unicodeScalars.count
            if length > best.length { best = (text, length, pruner.byline) }
            if length >= Self.enough { break }
        }
        text = best.text
        byline = best.byline
    }

    private static func text(_ pruner: PagePruner, _ rules: Rules) -> String {
        var tree = pruner.tree
        var scorer = CandidateScorer(tree, usesClassWeights: rules.usesClassWeights)
        scorer.score(pruner.paragraphs)
        var chooser = CandidateChooser(scorer)
        let parts: [HTMLTree.Index]
        if let top = chooser.choose() {
            parts = SiblingCollector(tree: tree, scores: chooser.scorer.scores).collect(around: top)
        } else {
            let body = tree.elements([.body], in: HTMLTree.root).first ?? HTMLTree.root
            // The page as a whole becomes a box, so that it is never removed itself.
            parts = [body]
        }
        var cleaner = ContentCleaner(
            tree, parts: parts, usesClassWeights: rules.usesClassWeights,
            cleansConditionally: rules.cleansConditionally)
        cleaner.run()
        tree = cleaner.tree
        let left = cleaner.parts.filter { $0 == HTMLTree.root || tree[$0].parent != HTMLTree.none }
        return TextRenderer.text(of: left, in: tree)
    }
}

/// The share of one text that another contains.
enum WordCoverage {
    /// From 0 to 1: the share of the characters of `text` in words that `reference` has too.
    static func share(of text: String, in reference: String) -> Double {
        let words = words(text)
        let known = Set(self.words(reference))
        let all = words.reduce(0) { $0 + $1.count }
        guard all > 0, !known.isEmpty else { return 0 }
        let unknown = words.reduce(0) { $0 + (known.contains($1) ? 0 : $1.count) }
        return 1 - Double(unknown) / Double(all)
    }

    /// Words in lower case; each ideograph and kana is a word, since no spaces separate them.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        func isWordByItself(_ scalar: Unicode.Scalar) -> Bool {
            (0x3040...0x30FF).contains(scalar.value) || (0x3400...0x9FFF).contains(scalar.value)
                || scalar.value >= 0x20000
        }
        for scalar in text.lowercased().unicodeScalars {
            if isWordByItself(scalar) {
                words.append(String(scalar))
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                word.unicodeScalars.append(scalar)
                continue
            }
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        if !word.isEmpty { words.append(word) }
        return words
    }
}
