import TestSupport
import Testing

@testable import YAML

@Suite struct YAMLErrorTests {
    @Test(arguments: [
        ("a: 1\nb: 2\na: 3\n", 3, "'a' occurs twice"),
        ("x:\n  - k: 1\n    k: 2\n", 3, "'k' occurs twice"),
        ("a: 1\n'a': 2\n", 2, "'a' occurs twice"),
        ("<<: {a: 1}\n<<: {b: 1}\n", 2, "'<<' occurs twice"),
        ("a: [1, 2\nb: 3\n", 3, ""),
        ("a: \"unclosed\n", 1, ""),
        ("a:\n\t- b\n", 2, ""),
        ("a: b: c\n", 1, ""),
        ("a: !!str 1\n", 1, "tag"),
        ("a: !ruby/object:X {}\n", 1, "tag"),
        ("a: \"x\\0y\"\n", 1, "NUL"),
        ("a: 1\nb: x\0y\n", 2, "NUL"),
        ("a: .inf\n", 1, "JSON"),
        ("a: -.INF\n", 1, "JSON"),
        ("a: .nan\n", 1, "JSON"),
        ("---\na: 1\n---\nb: 2\n", 3, "one document"),
        ("a: *missing\n", 1, "*missing"),
        ("a: &x [*x]\n", 1, "itself"),
        ("a: &x 1\nb: &x 2\n", 2, "&x"),
        ("{a: 1}: b\n", 1, "scalar"),
        ("? [a]\n: b\n", 1, "scalar"),
        ("<<: 5\n", 1, "<<"),
        ("<<: [1]\n", 1, "<<"),
        ("&a k: 1\n*a : 2\n", 2, "alias"),
    ])
    func textThatCannotBeReadIsRejectedWithItsLine(yaml: String, line: Int, part: String) {
        let error = #expect(throws: YAMLError.self) { try YAMLDocument(parsing: yaml) }
        #expect(error?.line == line, "\(String(describing: error))")
        #expect(error?.message.contains(part) == true, "\(String(describing: error))")
    }

    @Test func aliasesThatExpandToBillionsAreRejectedAtOnce() {
        var yaml = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n"
        for level in 1..<20 {
            let before = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            yaml += "a\(level): &a\(level) [\(before)]\n"
        }
        let error = #expect(throws: YAMLError.self) { try YAMLDocument(parsing: yaml) }
        #expect(error?.message.contains("expand") == true)
    }

    @Test func aLongScalarRepeatedByAliasesIsRejected() {
        let yaml =
            "a: &a \(String(repeating: "x", count: 100_000))\nb: [\(Array(repeating: "*a", count: 1000).joined(separator: ","))]\n"
        #expect(throws: YAMLError.self) { try YAMLDocument(parsing: yaml) }
    }

    @Test(arguments: ["[", "{a: ", "- ", "? "])
    func deepNestingIsRejectedInsteadOfOverflowingTheStack(piece: String) {
        #expect(throws: YAMLError.self) { try YAMLDocument(parsing: String(repeating: piece, count: 5_000)) }
    }

    @Test func depthCountsAcrossAliases() {
        let open = String(repeating: "[", count: 150)
        let close = String(repeating: "]", count: 150)
        let error = #expect(throws: YAMLError.self) {
            try YAMLDocument(parsing: "a: &a \(open)1\(close)\nb: \(open)*a\(close)\n")
        }
        #expect(error?.message.contains("deeper") == true)
    }

    @Test func brokenTextNeverCrashes() {
        let seeds = [
            "a: [b, {c: 'd'}]\n- &x |\n  t\n*x : \"\\u00\"", "%YAML 1.1\n---\n? : : -\n\t#\n",
            "&a *a !t <<: >-2\n @ ` %",
        ]
        var random = SeededRandom(seed: 7)
        for seed in seeds {
            for _ in 0..<300 {
                var scalars = Array(seed.unicodeScalars)
                for _ in 0..<4 {
                    scalars.swapAt(
                        Int.random(in: scalars.indices, using: &random), Int.random(in: scalars.indices, using: &random)
                    )
                }
                var text = ""
                text.unicodeScalars.append(contentsOf: scalars)
                _ = try? YAMLDocument(parsing: text)
            }
        }
    }
}
