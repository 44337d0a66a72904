internal import Glibc

/// Statistical functions that the evidence needs.
package enum Statistics {
    /// The logarithmic loss of a probability of "up", in nats; ln 2 is a coin's.
    package static func loss(_ probability: Double, isUp: Bool) -> Double {
        -log(min(max(isUp ? probability : 1 - probability, 1e-6), 1))
    }

    /// ½ + (share − ½)·n/(n + 100): a share of few independent rows is drawn to one half.
    package static func shrunk(_ share: Double, independent count: Double) -> Double {
        0.5 + (share - 0.5) * count / (count + 100)
    }

    /// Wilson's interval of a share, 95 %, for a number of independent observations that need not be whole.
    package static func wilson(_ share: Double, independent count: Double) -> (low: Double, high: Double) {
        guard count > 0 else { return (0, 1) }
        let z = 1.959_963_984_540_054
        let scale = 1 + z * z / count
        let center = (share + z * z / (2 * count)) / scale
        let half = z / scale * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
        return (max(0, center - half), min(1, center + half))
    }

    /// One-sided p of Student's t test that the mean of the values is above 0; 1 with fewer than two values.
    ///
    /// Where each value resembles the one before, there are fewer independent values: their correlation widens the
    /// variance of the mean, and never narrows it.
    package static func pValueOfPositiveMean(_ values: [Double]) -> Double {
        guard values.count > 1 else { return 1 }
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
        // Nothing varies where models and baseline say the same: that is no evidence.
        guard variance > 1e-24 else { return 1 }
        let products = zip(values, values.dropFirst()).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) }
        let correlation = min(max(products / (variance * (count - 1)), 0), 0.5)
        let t = mean / (variance * (1 + 2 * correlation) / count).squareRoot()
        let freedom = count - 1
        let tail = 0.5 * incompleteBeta(freedom / 2, 0.5, freedom / (freedom + t * t))
        return min(max(t > 0 ? tail : 1 - tail, 0), 1)
    }

    /// The regularised incomplete beta function, by its continued fraction.
    static func incompleteBeta(_ a: Double, _ b: Double, _ x: Double) -> Double {
        if x <= 0 { return 0 }
        if x >= 1 { return 1 }
        let front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x))
        return x < (a + 1) / (a + b + 2)
            ? front * betaFraction(a, b, x) / a : 1 - front * betaFraction(b, a, 1 - x) / b
    }

    private static func betaFraction(_ a: Double, _ b: Double, _ x: Double) -> Double {
        let tiny = 1e-300
        func kept(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
        var c = 1.0
        var d = 1 / kept(1 - (a + b) * x / (a + 1))
        var result = d
        for step in 1...300 {
            let m = Double(step)
            for numerator in [
                m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
            ] {
                d = 1 / kept(1 + numerator * d)
                c = kept(1 + numerator / c)
                result *= d * c
            }
            if abs(d * c - 1) < 1e-14 { break }
        }
        return result
    }
}
