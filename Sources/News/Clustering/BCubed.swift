/// The agreement of groups with the stories that people labelled.
///
/// B-cubed measures for each article the share of its group that is of its story (precision), and the share of its
/// story that is in its group (recall). The figures are the means over all articles, and F1 is the harmonic mean of
/// those two means. An article counts in its own group and story, so one alone has a precision of 1. Leave articles
/// without a label out: they take part in the grouping, but nothing shows whether they are grouped rightly.
package struct BCubed: Sendable, Hashable {
    /// The contribution of one label's articles to the sums.
    struct Share: Sendable, Hashable {
        var articles = 0.0
        var precision = 0.0
        var recall = 0.0

        mutating func add(_ other: Share) {
            articles += other.articles
            precision += other.precision
            recall += other.recall
        }
    }

    private var shares: [String: Share] = [:]

    package init(_ pairs: [(group: String, label: String)]) {
        var groups: [String: Double] = [:]
        var labels: [String: Double] = [:]
        var both: [String: [String: Double]] = [:]
        for (group, label) in pairs {
            groups[group, default: 0] += 1
            labels[label, default: 0] += 1
            both[label, default: [:]][group, default: 0] += 1
        }
        for (label, parts) in both {
            let total = labels[label] ?? 1
            var share = Share(articles: total)
            // In order, so that rounding is the same in every run.
            for (group, count) in parts.sorted(by: { $0.key < $1.key }) {
                share.precision += count * count / (groups[group] ?? 1)
                share.recall += count * count / total
            }
            shares[label] = share
        }
    }

    /// The mean over all articles; 0 without any.
    package var precision: Double { mean(\.precision) }

    /// The mean over all articles; 0 without any.
    package var recall: Double { mean(\.recall) }

    package var f1: Double {
        let (precision, recall) = (precision, recall)
        return precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall)
    }

    /// The labels, in order.
    package var labels: [String] { shares.keys.sorted() }

    /// The same grouping, with the means taken over the articles of some labels alone; a label that comes twice counts
    /// twice.
    package func limited(to labels: some Sequence<String>) -> BCubed {
        var limited = BCubed([])
        for label in labels {
            guard let share = shares[label] else { continue }
            limited.shares[label, default: Share()].add(share)
        }
        return limited
    }

    private func mean(_ part: KeyPath<Share, Double>) -> Double {
        let shares = shares.sorted { $0.key < $1.key }.map(\.value)
        let articles = shares.reduce(0) { $0 + $1.articles }
        return articles == 0 ? 0 : shares.reduce(0) { $0 + $1[keyPath: part] } / articles
    }
}

/// The agreement of groups with labels, counted in pairs of articles.
///
/// A pair is right when both have one label and one group. Pairs show what B-cubed hides: a large group of many small
/// stories has few articles and very many wrong pairs.
package struct PairAgreement: Sendable, Hashable {
    /// The share of the pairs in one group that have one label; 1 where no two articles share a group.
    package let precision: Double
    /// The share of the pairs with one label that are in one group; 1 where no two articles share a label.
    package let recall: Double

    package init(_ pairs: [(group: String, label: String)]) {
        func count(_ keys: [String: Int]) -> Double { keys.values.reduce(0) { $0 + Double($1 * ($1 - 1)) / 2 } }
        var (groups, labels): ([String: Int], [String: Int]) = ([:], [:])
        var both: [String: [String: Int]] = [:]
        for (group, label) in pairs {
            groups[group, default: 0] += 1
            labels[label, default: 0] += 1
            both[group, default: [:]][label, default: 0] += 1
        }
        let right = both.values.reduce(0) { $0 + count($1) }
        let (grouped, labelled) = (count(groups), count(labels))
        precision = grouped == 0 ? 1 : right / grouped
        recall = labelled == 0 ? 1 : right / labelled
    }
}
