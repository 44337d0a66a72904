import Testing

@testable import Basics

@Suite("Texts in bytes")
struct TextTests {
    @Test(
        "Texts are the same when all their bytes are, parts of texts too",
        arguments: ["", "a", "fifteen letters", "sixteen letters!", String(repeating: "é", count: 1000)])
    func sameBytes(text: String) {
        #expect(text.hasSameBytes(as: text))
        #expect(text.hasSameBytes(as: "x\(text)x".dropFirst().dropLast()))
        #expect(!text.hasSameBytes(as: text + "\0"))
        #expect(!("a" + text).hasSameBytes(as: "b" + text))
    }

    @Test("Another spelling of the same characters has other bytes")
    func otherSpelling() {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        #expect(composed == decomposed)
        #expect(!composed.hasSameBytes(as: decomposed))
        #expect(!"a \(composed)".containsBytes(of: decomposed))
        #expect("a \(composed)".containsBytes(of: composed))
    }
}
