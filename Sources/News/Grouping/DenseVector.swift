/// A vector of unit length.
package struct DenseVector: Sendable, Hashable {
    let values: [Float]

    /// `nil` for a vector without length or with parts that are no numbers.
    package init?(_ values: [Float]) {
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard length.isFinite, length > 0 else { return nil }
        self.values = values.map { $0 / length }
    }

    /// The cosine of the angle between two vectors; `nil` for vectors of different dimensions.
    package func cosine(_ other: DenseVector) -> Double? {
        guard values.count == other.values.count else { return nil }
        return Double(Self.dot(values, other.values))
    }

    /// The inner product of as many parts.
    static func dot(_ left: [Float], _ right: [Float]) -> Float {
        var dot: Float = 0
        for place in left.indices { dot += left[place] * right[place] }
        return dot
    }
}

/// The sum of the vectors of a group; the first decides the dimension, and others are left out.
struct DenseSum {
    private var values: [Float] = []
    private var count: Float = 0

    mutating func add(_ vector: DenseVector) {
        if values.isEmpty { values = Array(repeating: 0, count: vector.values.count) }
        guard values.count == vector.values.count else { return }
        count += 1
        for place in values.indices { values[place] += vector.values[place] }
    }

    /// The mean of the cosines with the group's vectors; `nil` where one side has no vector or another dimension.
    ///
    /// The cosine with the sum would grow with the group, since what all texts have in common adds up in it.
    func cosine(_ vector: DenseVector) -> Double? {
        guard count > 0, values.count == vector.values.count else { return nil }
        return Double(DenseVector.dot(values, vector.values) / count)
    }
}
