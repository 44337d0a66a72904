/// A place in a request up to which other calls have the same text, so that a provider can keep what it has read.
package struct CacheMark: Hashable, Sendable {
    /// The time for which a provider keeps a prefix after its last use; the longer one costs more to write.
    package enum Lifetime: String, Hashable, Sendable {
        case fiveMinutes = "5m"
        case oneHour = "1h"

        var duration: Duration { self == .fiveMinutes ? .seconds(300) : .seconds(3600) }
    }

    /// The name that the prompt gives it: `company`.
    package var name: String
    /// `nil` until it is decided that the mark pays. Only then is it sent; it is no part of what the caller asks.
    package var lifetime: Lifetime?

    package init(_ name: String, lifetime: Lifetime? = nil) {
        self.name = name
        self.lifetime = lifetime
    }
}

extension ModelMessage {
    /// The parts for a provider that needs no marks: texts that only a mark divides are one text.
    var unmarkedParts: [Part] {
        var unmarked: [Part] = []
        var isAfterMark = false
        for part in parts {
            if case .cacheMark = part {
                isAfterMark = true
                continue
            }
            if isAfterMark, case .text(let text) = part, case .text(let before) = unmarked.last {
                unmarked[unmarked.count - 1] = .text(before + text)
            } else {
                unmarked.append(part)
            }
            isAfterMark = false
        }
        return unmarked
    }
}

extension ModelRequest {
    /// The longest lifetime of its marks that are sent; `nil` without any.
    var cacheLifetime: CacheMark.Lifetime? {
        let lifetimes = messages.lazy.flatMap(\.parts).compactMap { part in
            if case .cacheMark(let mark) = part { mark.lifetime } else { nil }
        }
        return lifetimes.max { $0.duration < $1.duration }
    }
}
