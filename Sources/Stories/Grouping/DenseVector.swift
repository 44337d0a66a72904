/// A vector of unit length.
public struct DenseVector: Sendable, Hashable {
    let values: [Float]

    /// `nil` for a vector without length or with parts that are no numbers.
    public init?(_ values: [Float]) {
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard length.isFinite, length > 0 else { return nil }
        self.values = values.map { $0 / length }
    }
}

/// The sum of the vectors of a group; the first decides the dimension, and others are left out.
struct DenseSum {
    private var values: [Float] = []
    private var squaredLength: Float = 0

    mutating func add(_ vector: DenseVector) {
        if values.isEmpty { values = Array(repeating: 0, count: vector.values.count) }
        guard values.count == vector.values.count else { return }
        squaredLength = 0
        for place in values.indices {
            values[place] += vector.values[place]
            squaredLength += values[place] * values[place]
        }
    }

    /// `nil` where one side has no vector or another dimension.
    func cosine(_ vector: DenseVector) -> Double? {
        guard !values.isEmpty, values.count == vector.values.count, squaredLength > 0 else { return nil }
        var dot: Float = 0
        for place in values.indices { dot += values[place] * vector.values[place] }
        return Double(dot / squaredLength.squareRoot())
    }
}
