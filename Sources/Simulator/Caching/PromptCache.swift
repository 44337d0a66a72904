internal import Synchronization

/// The prefixes that providers keep, each until it expires.
///
/// A prefix can be read once the answer to the call that wrote it has begun. Reads renew its life.
final class PromptCache: Sendable {
    /// The parts of a prompt by what the cache does with them.
    struct Reading: Sendable, Equatable {
        var read = 0
        var writtenForFiveMinutes = 0
        var writtenForAnHour = 0
        fileprivate var renewed: [Key] = []
        fileprivate var written: [Entry] = []
    }

    fileprivate enum Key: Hashable, Sendable {
        case marked(String)
        case implicit(UInt64)
    }

    fileprivate struct Entry: Sendable, Equatable {
        var key: Key
        /// Milliseconds.
        var life: Int64
    }

    private struct Stored {
        var life: Int64
        var expiresAt: Int64
    }

    /// Claude looks for earlier prefixes at a mark's block and this many before it, together.
    static let lookBack = 20
    private static let fiveMinutes: Int64 = 300_000
    private static let hour: Int64 = 3_600_000
    private static let sweepAt = 100_000

    private let stored = Mutex<[Key: Stored]>([:])

    /// The parts of a prompt at a time in milliseconds. Changes nothing.
    func reading(of prompt: CacheablePrompt, at now: Int64) -> Reading {
        stored.withLock { stored in
            func isThere(_ key: Key) -> Bool { stored[key].map { $0.expiresAt > now } ?? false }
            switch prompt {
            case .none: return Reading()
            case .marked(let prompt): return Self.reading(of: prompt, isThere)
            case .implicit(let prompt): return Self.reading(of: prompt, isThere)
            }
        }
    }

    /// The answer has begun.
    func begin(_ reading: Reading, at now: Int64) {
        guard !reading.renewed.isEmpty || !reading.written.isEmpty else { return }
        stored.withLock { stored in
            for key in reading.renewed {
                if let life = stored[key]?.life { stored[key]?.expiresAt = now + life }
            }
            for entry in reading.written {
                let life = max(entry.life, stored[entry.key]?.life ?? 0)
                stored[entry.key] = Stored(life: life, expiresAt: now + life)
            }
            if stored.count > Self.sweepAt { stored = stored.filter { $0.value.expiresAt > now } }
        }
    }

    func clear() { stored.withLock { $0 = [:] } }

    private static func reading(of prompt: MarkedPrompt, _ isThere: (Key) -> Bool) -> Reading {
        var reading = Reading()
        // The longest prefix that is there, near any of the marks.
        var hit = -1
        for mark in prompt.marks {
            for block in (max(0, mark.block - lookBack + 1)...mark.block).reversed() where block > hit {
                guard isThere(.marked(prompt.keys[block])) else { continue }
                hit = block
                break
            }
        }
        if hit >= 0 {
            reading.read = prompt.tokens[hit]
            reading.renewed = prompt.marks.filter { $0.block <= hit }.map { .marked(prompt.keys[$0.block]) }
            reading.renewed.append(.marked(prompt.keys[hit]))
        }
        var end = reading.read
        for mark in prompt.marks.sorted(by: { $0.block < $1.block }) where mark.block > hit {
            let tokens = prompt.tokens[mark.block]
            guard tokens >= prompt.shortest else { continue }
            if mark.lastsAnHour {
                reading.writtenForAnHour += tokens - end
            } else {
                reading.writtenForFiveMinutes += tokens - end
            }
            end = tokens
            reading.written.append(
                Entry(key: .marked(prompt.keys[mark.block]), life: mark.lastsAnHour ? hour : fiveMinutes))
        }
        return reading
    }

    private static func reading(of prompt: ImplicitPrompt, _ isThere: (Key) -> Bool) -> Reading {
        let shortest = ImplicitPrompt.shortest / ImplicitPrompt.step
        guard prompt.keys.count >= shortest else { return Reading() }
        let known = prompt.keys.prefix { isThere(.implicit($0)) }.count
        var reading = Reading()
        if known >= shortest { reading.read = known * ImplicitPrompt.step }
        reading.written = prompt.keys.map { Entry(key: .implicit($0), life: fiveMinutes) }
        return reading
    }
}
