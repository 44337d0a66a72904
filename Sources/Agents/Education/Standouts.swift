/// Which of many values stand out above the rest.
///
/// What a cosine of two texts is when they have nothing to do with each other differs from model to model, so each value
/// is held against all others and not against a number.
enum Standouts {
    /// Of fewer values nothing can be said.
    private static let fewest = 20
    /// How many standard deviations above the mean.
    private static let distance = 2.5
    private static let most = 3

    /// The places of those that stand out, with how far they do in standard deviations, the farthest first.
    static func of(_ values: [Double]) -> [(place: Int, distance: Double)] {
        guard values.count >= fewest else { return [] }
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        let deviation = (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count).squareRoot()
        guard deviation > 0 else { return [] }
        let far = values.enumerated().map { (place: $0, distance: ($1 - mean) / deviation) }
            .filter { $0.distance >= distance }
            .sorted { ($1.distance, $0.place) < ($0.distance, $1.place) }
        return Array(far.prefix(most))
    }
}
