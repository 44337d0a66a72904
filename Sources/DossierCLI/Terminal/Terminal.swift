import Basics
import Glibc
import Synchronization

/// Output to the terminal. Text from outside cannot move the cursor, colour the screen or turn the order of a line:
/// what acts on a display is printed as an escape (`\u009b`), in JSON too.
enum Terminal {
    /// Whether standard output is a terminal, where a line can be redrawn.
    static var isInteractive: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The columns of the terminal; 80 without one.
    static var width: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    static func print(_ text: String = "", terminator: String = "\n") {
        write(text.escapingDisplayControls + terminator, to: STDOUT_FILENO)
    }

    static func printError(_ text: String) { write(text.escapingDisplayControls + "\n", to: STDERR_FILENO) }

    /// Prints text that has colours.
    static func print(styled text: String) { write(escaped(keepingColoursOf: text) + "\n", to: STDOUT_FILENO) }

    /// Prints a line in the place of the last one.
    static func redraw(_ line: String) { write("\r\u{1B}[2K" + line.escapingDisplayControls, to: STDOUT_FILENO) }

    /// The text with every sequence escaped that is not one of colour (`ESC [ 31 m`).
    static func escaped(keepingColoursOf text: String) -> String {
        var escaped = ""
        var rest = text[...]
        while let start = rest.utf8.firstIndex(of: 0x1B) {
            escaped += String(rest[..<start]).escapingDisplayControls
            let sequence = rest[start...].utf8.dropFirst()
            let digits = sequence.dropFirst().prefix { (0x30...0x39).contains($0) }
            let end = digits.endIndex
            if sequence.first == UInt8(ascii: "["), end < rest.endIndex, rest.utf8[end] == UInt8(ascii: "m") {
                let next = rest.utf8.index(after: end)
                escaped += rest[start..<next]
                rest = rest[next...]
            } else {
                escaped += "\\u001b"
                rest = rest[rest.utf8.index(after: start)...]
            }
        }
        return escaped + String(rest).escapingDisplayControls
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno != EINTR {
                if descriptor == STDOUT_FILENO {
                    _ = outputProblem.compareExchange(expected: 0, desired: errno, ordering: .relaxed)
                }
                return
            }
            bytes = bytes.dropFirst(max(written, 0))
        }
    }

    /// The error of the first output that was lost.
    private static let outputProblem = Atomic<Int32>(0)

    /// - Throws: `failed` when output was lost. A reader that has closed the pipe wanted no more.
    static func checkOutput() throws(CommandFailure) {
        let problem = outputProblem.load(ordering: .relaxed)
        guard problem != 0, problem != EPIPE else { return }
        throw .failed("standard output cannot be written: \(String(cString: strerror(problem)))")
    }

    /// The text without control characters.
    static func sanitized(_ text: String) -> String {
        String(String.UnicodeScalarView(text.sanitized.unicodeScalars.filter { !$0.actsOnDisplay }))
    }

    /// The text wrapped at spaces to the terminal's width, at most 100 columns.
    static func wrapped(_ text: String, indent: Int = 0) -> String {
        let room = max(20, min(width, 100) - indent)
        let margin = String(repeating: " ", count: indent)
        return sanitized(text).split(separator: "\n", omittingEmptySubsequences: false).map { paragraph in
            lines(of: paragraph, room: room).map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// The lines of a paragraph, broken at spaces; a longer word has a line of its own.
    static func lines(of paragraph: some StringProtocol, room: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in paragraph.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > room {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        return lines + [line]
    }
}
