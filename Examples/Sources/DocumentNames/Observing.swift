// Stands in for the part of Combine that document 004's snippets use, where there is no Combine.
#if !canImport(Combine)
    /// An object whose changes are published; nothing listens on Linux.
    public protocol ObservableObject: AnyObject {}

    /// A value whose changes are sent to whoever asked for them.
    @propertyWrapper @MainActor
    public struct Published<Value> {
        /// What `sink` returns. Releasing it ends nothing, as document 004's snippet drops it at once.
        public final class AnyCancellable {
            private let onCancel: @MainActor () -> Void

            fileprivate init(onCancel: @escaping @MainActor () -> Void) { self.onCancel = onCancel }

            /// Ends the listening.
            @MainActor public func cancel() { onCancel() }
        }

        /// Sends the present value, then each change.
        @MainActor
        public final class Publisher {
            fileprivate var value: Value
            private var listeners: [Int: (Value) -> Void] = [:]
            private var lastListener = 0

            fileprivate init(_ value: Value) { self.value = value }

            /// Calls the closure with the present value and each change, until it is cancelled.
            @discardableResult
            public func sink(receiveValue: @escaping (Value) -> Void) -> AnyCancellable {
                lastListener += 1
                let listener = lastListener
                listeners[listener] = receiveValue
                receiveValue(value)
                return AnyCancellable { [weak self] in self?.listeners[listener] = nil }
            }

            fileprivate func send(_ value: Value) {
                self.value = value
                for listener in listeners.values { listener(value) }
            }
        }

        /// Its listeners.
        public let projectedValue: Publisher

        /// The present value.
        public var wrappedValue: Value {
            get { projectedValue.value }
            nonmutating set { projectedValue.send(newValue) }
        }

        /// Begins with a value.
        public init(wrappedValue: Value) { projectedValue = Publisher(wrappedValue) }
    }
#endif
