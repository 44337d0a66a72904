/// The values of the keys that were asked for last, in two generations: when the young one is full, the old one goes.
package struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let generation: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    /// - Parameter generation: The most values of a generation; twice as many may be kept.
    package init(generation: Int) { self.generation = generation }

    package var count: Int { young.count + old.count }

    /// The value of a key, which is kept for longer by that.
    package mutating func value(of key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        keep(value, of: key)
        return value
    }

    package mutating func keep(_ value: Value, of key: Key) {
        if young.count >= generation, young[key] == nil { (old, young) = (young, [:]) }
        young[key] = value
    }
}
