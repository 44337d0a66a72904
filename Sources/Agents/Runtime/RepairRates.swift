internal import Prompts
internal import Synchronization

/// How often the answers to each prompt had to be repaired, as far as this process has seen: a repair reads the prompt
/// of the answer before it from the provider's cache.
final class RepairRates: Sendable {
    /// The answers of a prompt until which its own estimate counts.
    static let fewest = 20
    /// The answers that are remembered, more or less.
    private static let memory = 200.0

    private struct Count {
        var answers = 0.0
        var repairs = 0.0
    }

    private let counts = Mutex<[String: Count]>([:])

    /// Notes an answer to a prompt.
    func add(_ prompt: LoadedPrompt, isRepaired: Bool) {
        counts.withLock { counts in
            var count = counts[prompt.name] ?? Count()
            if count.answers >= Self.memory {
                count.answers *= 1 - 1 / Self.memory
                count.repairs *= 1 - 1 / Self.memory
            }
            count.answers += 1
            count.repairs += isRepaired ? 1 : 0
            counts[prompt.name] = count
        }
    }

    /// The repairs for each answer to a prompt; the `reads` of its mark `draft` while few answers are known.
    func rate(of prompt: LoadedPrompt) -> Double {
        let count = counts.withLock { $0[prompt.name] } ?? Count()
        guard count.answers >= Double(Self.fewest) else { return prompt.cacheMarks[CacheMarkRule.draft]?.reads ?? 0 }
        return count.repairs / count.answers
    }

    /// By mark, the later calls that are expected to read the prefix of a prompt's first question: its repair, and what
    /// the prompt's author expects.
    func expectedReads(of prompt: LoadedPrompt) -> [String: Double] {
        let rate = rate(of: prompt)
        return Dictionary(
            uniqueKeysWithValues: prompt.cacheMarks.map { name, rule in
                (name, name == CacheMarkRule.draft ? rate : rule.reads + rate)
            })
    }

    /// By mark, the later calls that are expected to read the prefix of a repair. It is the last of its question.
    static func expectedReads(ofRepair prompt: LoadedPrompt) -> [String: Double] {
        prompt.cacheMarks.mapValues(\.reads).merging([CacheMarkRule.draft: 0]) { $1 }
    }
}
