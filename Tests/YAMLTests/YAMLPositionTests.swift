import Testing

@testable import YAML

@Suite struct YAMLPositionTests {
    private let text = """
        id: buffett
        checklist:
          # the first
          - rule: low debt
            points: [1, 2]
          - rule: |
              two
              lines
            weight: 3
        base: &b
          deep: 1
        copy:
          <<: *b
          own: 2

        """

    @Test(
        arguments: [
            ([], 1), (["id"], 1), (["checklist"], 2), (["checklist", "0"], 4), (["checklist", "0", "rule"], 4),
            (["checklist", "0", "points", "1"], 5), (["checklist", "1", "rule"], 6), (["checklist", "1", "weight"], 9),
            (["copy", "own"], 14), (["copy", "deep"], 11),
        ] as [([String], Int)])
    func everyPartHasItsLine(path: [String], line: Int) throws {
        #expect(try YAMLDocument(parsing: text).line(of: path) == line)
    }

    @Test func aPathThatLeadsNowhereHasNoLineButANearestOne() throws {
        let document = try YAMLDocument(parsing: text)
        #expect(document.line(of: ["checklist", "7"]) == nil)
        #expect(document.line(of: ["id", "x"]) == nil)
        #expect(document.line(nearest: ["checklist", "1", "missing"]) == 6)
        #expect(document.line(nearest: ["missing"]) == 1)
    }

    @Test func columnsCountCharacters() throws {
        let document = try YAMLDocument(parsing: "é: {ü: 1, b: 2}\n")
        #expect(document.position(of: ["é", "b"]) == YAMLPosition(line: 1, column: 11))
    }
}
