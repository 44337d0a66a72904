/// Cosines of embeddings, brought to the scale of cosines of words.
///
/// Models of embeddings put unrelated headlines at about a half and headlines of one story above 0.8; words put them at
/// 0 and above 0.17. These two points are assumptions, since nothing here was measured with embeddings.
enum DenseScale {
    private static let unrelated = 0.55
    private static let same = 0.85
    private static let sameInWords = 0.3

    static func lexical(_ cosine: Double) -> Double {
        min(1, max(0, (cosine - unrelated) / (same - unrelated) * sameInWords))
    }
}
