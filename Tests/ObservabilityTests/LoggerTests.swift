import Observability
import Synchronization
import Testing

@Suite struct LoggerTests {
    private func lines(_ threshold: LogLevel = .debug, _ body: (Logger) -> Void) -> [String] {
        let lines = LineCollector()
        body(Logger(threshold: threshold, now: { 1_795_251_600_123 }, sink: { lines.add($0) }))
        return lines.all
    }

    @Test func whatActsOnATerminalIsEscaped() {
        let lines = lines { logger in
            logger.info("request", ["path": "/x\u{9B}31m\u{7F}\u{1B}[2J\u{202E}\u{2066}\u{2028}\u{85}é–😀"])
        }
        #expect(
            lines.first?.hasSuffix(
                #""path":"/x\u009b31m\u007f\u001b[2J\u202e\u2066\u2028\u0085é–😀"}"#) == true, "\(lines)")
    }

    @Test func longTextsAreCutByScalars() {
        let lines = lines { $0.info("request", ["path": .string("a" + String(repeating: "\u{301}", count: 100_000))]) }
        #expect(lines[0].unicodeScalars.count < 2200)
    }

    @Test func aLineIsOneJSONObjectWithTheFieldsOfItsLogger() {
        let lines = lines { logger in
            logger.with(["job": "j1"]).info("claimed", ["attempt": 2, "again": true, "note": "a\"b\n\u{1}"])
        }
        #expect(
            lines == [
                #"{"time":"2026-11-21T09:00:00.123Z","level":"info","message":"claimed","job":"j1","attempt":2,"#
                    + #""again":true,"note":"a\"b\n\u0001"}"#
            ])
    }

    @Test func linesBelowTheThresholdAreNotMade() {
        #expect(lines(.warning) { $0.info("quiet") }.isEmpty)
    }

    @Test func aLongTextIsCut() throws {
        let line = try #require(lines { $0.info("long", ["text": .string(String(repeating: "x", count: 9000))]) }.first)
        #expect(line.count < 2200)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
    ])
    func timestampsAreWrittenByTheCalendar(milliseconds: Int64, text: String) {
        #expect(ISO8601.text(milliseconds: milliseconds) == text)
    }
}

private final class LineCollector: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}
