import Basics
import JSON
import Testing

@testable import DossierCLI

/// Text from outside on the terminal.
@Suite struct TerminalTests {
    private static let hostile = "a\u{1B}]0;title\u{7}\u{9B}31m\u{7F}\u{202E}b\u{2069}\u{2028}c"

    @Test func jsonThatIsPrintedMeansTheSameAndHoldsNoControls() throws {
        let value: JSON = ["text": JSON(Self.hostile), Self.hostile: [1]]
        for text in [value.pretty, value.compact] {
            let printed = text.escapingDisplayControls
            #expect(try JSON(parsing: printed) == value)
            #expect(!printed.unicodeScalars.contains { $0.actsOnDisplay })
        }
    }

    @Test func coloursStayAndOtherSequencesAreEscaped() {
        let text = "\u{1B}[32mpassed\u{1B}[0m \u{1B}[2J\u{1B}]0;x\u{7} \u{1B}[31"
        #expect(
            Terminal.escaped(keepingColoursOf: text)
                == "\u{1B}[32mpassed\u{1B}[0m \\u001b[2J\\u001b]0;x\\u0007 \\u001b[31")
        #expect(Terminal.escaped(keepingColoursOf: "a\u{9B}31mb\u{1B}") == "a\\u009b31mb\\u001b")
    }

    @Test func proseThatIsPrintedHoldsNoControls() {
        let wrapped = Terminal.wrapped(Self.hostile, indent: 2)
        #expect(!wrapped.unicodeScalars.contains { $0.actsOnDisplay })
        #expect(wrapped.hasPrefix("  a]0;title"))
    }
}
