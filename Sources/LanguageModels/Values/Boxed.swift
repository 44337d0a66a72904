/// Keeps a large value behind one pointer; copies share it until one is changed.
///
/// An async function sets room aside for every value that may pass through it, each error that it may throw included,
/// and a running call keeps that room for as long as its answer streams.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(wrappedValue: Value) { box = Box(wrappedValue) }

    var wrappedValue: Value {
        get { box.value }
        set { box = Box(newValue) }
    }
}

extension Boxed: Equatable where Value: Equatable {
    static func == (left: Boxed, right: Boxed) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension Boxed: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}
