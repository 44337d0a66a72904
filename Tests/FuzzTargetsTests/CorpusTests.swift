import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The corpus of the fuzzers, and variants of it, read by the code as it is built for tests. `make fuzz` looks further.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CorpusTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fuzz/Corpus").standardizedFileURL
    /// A debug build is so many times slower, on a machine that other tests share.
    private static let factor = 200.0

    static func inputs(of target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = corpus.appending(path: target.name)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            (name, [UInt8](try Data(contentsOf: folder.appending(path: name))))
        }
    }

    @Test("Every fuzzer has a corpus, and every folder of the corpus has a fuzzer")
    func everyFuzzerHasACorpus() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
        #expect(Set(folders) == Set(FuzzTarget.all.map(\.name)))
        for target in FuzzTarget.all { #expect(try !Self.inputs(of: target).isEmpty, "\(target.name)") }
    }

    @Test("The corpus is read without a crash and within its time", arguments: FuzzTarget.all.map(\.name))
    func theCorpusIsRead(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        for (file, bytes) in try Self.inputs(of: target) {
            let cost = FuzzCost(of: bytes, in: target, factor: Self.factor)
            #expect(cost.isWithinLimit, "\(file): \(cost)")
        }
    }

    @Test("Variants of the corpus are read without a crash", arguments: FuzzTarget.all.map(\.name))
    func variantsOfTheCorpusAreRead(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        var generator = SeededRandom(seed: 12)
        let inputs = try Self.inputs(of: target).map(\.bytes).filter { $0.count <= 4096 }
        for _ in 0..<150 {
            guard let one = inputs.randomElement(using: &generator), let two = inputs.randomElement(using: &generator)
            else { return }
            target.read(Self.variant(of: one, two, &generator))
        }
    }

    @Test("An input that costs too much is found")
    func aSlowInputIsFound() {
        let quadratic = FuzzTarget("quadratic", microsecondsPerKiB: 1) { bytes in
            var sum = 0
            for one in bytes { for other in bytes { sum &+= Int(one) &* Int(other) } }
            precondition(sum != 1)
        }
        #expect(!FuzzCost(of: [UInt8](repeating: 1, count: 8 << 10), in: quadratic).isWithinLimit)
        #expect(FuzzCost(of: [1, 2], in: quadratic, factor: Self.factor).isWithinLimit)
    }

    /// A copy with a few changed, removed, repeated and foreign bytes.
    private static func variant(of one: [UInt8], _ two: [UInt8], _ generator: inout SeededRandom) -> [UInt8] {
        var bytes = one
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            let end = min(bytes.count, place + Int.random(in: 1...32, using: &generator))
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
            case 1: bytes.removeSubrange(place..<end)
            case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 3: bytes.replaceSubrange(place..<end, with: two.prefix(64))
            default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            }
        }
        return bytes
    }
}
