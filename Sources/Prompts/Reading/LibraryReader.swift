/// Reads `library/*.md`: a title behind `# `, then text in sections that begin with `## `.
struct LibraryReader {
    /// About what somebody reads in two minutes: an answer cites whole sections.
    private static let longest = 2500

    let name: String
    let source: String
    let problems: ProblemList

    func read() -> LibraryPage? {
        var lines = source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
        while lines.first?.allSatisfy(\.isWhitespace) == true { lines.removeFirst() }
        guard let first = lines.first, first.hasPrefix("# "), !first.dropFirst(2).allSatisfy(\.isWhitespace) else {
            report("the page has no title", line: 1, fix: "begin it with a line such as '# Margin of safety'")
            return nil
        }
        var sections: [LibraryPage.Section] = []
        var heading: String?
        var begin = lines.startIndex + 1
        func finish(at end: Int) {
            let text = lines[begin..<end].joined(separator: "\n").trimmedAtEnds
            if text.count > Self.longest {
                report(
                    "a section has \(text.count) characters, and at most \(Self.longest) are cited as one",
                    line: begin, fix: "divide it with a line such as '## Where it misleads'")
            }
            if text.isEmpty {
                if heading != nil { report("a section is empty", line: begin, fix: "write it or remove its heading") }
            } else {
                sections.append(LibraryPage.Section(heading: heading, text: text))
            }
        }
        for place in lines.indices.dropFirst() where lines[place].hasPrefix("## ") {
            finish(at: place)
            heading = String(lines[place].dropFirst(3)).trimmedAtEnds
            begin = place + 1
        }
        finish(at: lines.endIndex)
        if sections.isEmpty { report("the page has no text", line: 1, fix: "write it or remove the file") }
        return LibraryPage(name: name, title: String(first.dropFirst(2)).trimmedAtEnds, sections: sections)
    }

    private func report(_ message: String, line: Int, fix: String) {
        problems.add(BundleProblem(file: "library/\(name).md", line: line, message: message, fix: fix))
    }
}

extension String {
    fileprivate var trimmedAtEnds: String {
        let rest = drop(while: \.isWhitespace)
        return String(rest.reversed().drop(while: \.isWhitespace).reversed())
    }
}
