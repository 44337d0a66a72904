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

/// The table of `dossier compare`.
@Suite struct ComparisonPrinterTests {
    private static let title = "What a retained unit of earnings added to yearly earnings over ten years"
    private static let result: JSON = [
        "comparison": [
            "by": "personas",
            "columns": [
                ["company": ["name": "Apple Inc."], "persona": ["name": "Ann"], "verdict": "fits", "score": 70],
                ["company": ["name": "Apple Inc."], "persona": ["name": "Bob"], "verdict": "mixed", "score": 50],
            ],
            "rows": [
                ["kind": "metric", "title": JSON(title), "cells": [["written": "18.4 %", "score": 8.7], nil]],
                [
                    "kind": "metric", "title": "Interest cover",
                    "cells": [["written": nil, "abstained_because": "no interest was reported"], ["written": "9.0"]],
                ],
                ["kind": "figure", "title": "Cash", "cells": [nil, ["written": "5 USD", "period": "FY2025"]]],
            ],
        ]
    ]

    @Test(arguments: [40, 80, 300])
    func noTitleIsCutHoweverNarrowTheTerminal(width: Int) {
        let text = ComparisonPrinter(Self.result, width: width).text
        let words = text.split { $0.isWhitespace }.map(String.init)
        for word in Self.title.split(separator: " ") { #expect(words.contains(String(word)), "\(width): \(word)") }
        #expect(text.contains(Self.title) == (width == 300))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= max(width, 60) || width == 300 }, "\(text)")
    }

    @Test func whatIsNotAskedIsToldFromWhatHasNoValueAndWhatNobodyReported() {
        let lines = ComparisonPrinter(Self.result, width: 300).text.split(separator: "\n")
        func line(_ title: String) -> String { lines.first { $0.hasPrefix(title) }.map(String.init) ?? "" }
        #expect(line(Self.title).contains(/18\.4 % \[8\.7\] +–$/), "\(lines)")
        #expect(line("Interest cover").contains("no value") && line("Cash").contains("not reported"))
        #expect(lines.contains("– not on this checklist"))
        #expect(lines.contains("No value for Ann, Interest cover: no interest was reported"))
    }
}
