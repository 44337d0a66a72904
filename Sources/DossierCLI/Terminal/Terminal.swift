import Glibc

/// Output to the terminal.
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
        write(text + terminator, to: STDOUT_FILENO)
    }

    static func printError(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno != EINTR { return }
            bytes = bytes.dropFirst(max(written, 0))
        }
    }

    /// The text without control characters, so that external text cannot move the cursor or colour the screen.
    static func sanitized(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control }))
    }

    /// The text wrapped at spaces to the terminal's width, at most 100 columns.
    static func wrapped(_ text: String, indent: Int = 0) -> String {
        let room = max(20, min(width, 100) - indent)
        let margin = String(repeating: " ", count: indent)
        return sanitized(text).split(separator: "\n", omittingEmptySubsequences: false).map { paragraph in
            var lines: [String] = []
            var line = ""
            for word in paragraph.split(separator: " ") {
                if !line.isEmpty, line.count + 1 + word.count > room {
                    lines.append(line)
                    line = ""
                }
                line += line.isEmpty ? String(word) : " " + word
            }
            lines.append(line)
            return lines.map { $0.isEmpty ? "" : margin + $0 }.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
