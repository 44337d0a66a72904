internal import Basics

/// Reads all files of a bundle and checks them against each other.
struct BundleReader {
    struct Contents {
        var kinds: [String: JobKind] = [:]
        var personas: [String: Persona] = [:]
        var prompts: [String: LoadedPrompt] = [:]
        var library: [LibraryPage] = []
        var routes = Routes()
    }

    let files: [String: String]
    let rules: BundleRules
    let problems: ProblemList

    func read() -> Contents {
        var contents = Contents()
        let promptFiles = named(in: "prompts/", suffix: ".prompt")
        let partials = promptFiles.filter { $0.key.hasPrefix("_") }
        let prompts = promptFiles.filter { !$0.key.hasPrefix("_") }
        let library = PartialLibrary(sources: partials, problems: problems)
        let drafts = prompts.sorted(by: { $0.key < $1.key }).compactMap { name, source in
            PromptReader(name: name, source: source, rules: rules, library: library, problems: problems).read()
        }
        contents.prompts = complete(drafts)
        reportRubricsWithoutGrader(in: contents.prompts, known: Set(prompts.keys))
        for (name, source) in named(in: "personas/", suffix: ".yaml").sorted(by: { $0.key < $1.key }) {
            guard let root = Node(yaml: source, file: "personas/\(name).yaml", problems: problems) else { continue }
            if let persona = PersonaReader(root: root, rules: rules).read() { contents.personas[persona.id] = persona }
        }
        for (name, source) in named(in: "jobs/", suffix: ".yaml").sorted(by: { $0.key < $1.key }) {
            guard let root = Node(yaml: source, file: "jobs/\(name).yaml", problems: problems) else { continue }
            let reader = JobKindReader(root: root, rules: rules, prompts: Set(prompts.keys))
            if let kind = reader.read() { contents.kinds[kind.name] = kind }
        }
        contents.library = named(in: "library/", suffix: ".md").sorted(by: { $0.key < $1.key }).compactMap {
            LibraryReader(name: $0.key, source: $0.value, problems: problems).read()
        }
        if let source = files[Routes.file], let root = Node(yaml: source, file: Routes.file, problems: problems) {
            contents.routes = RoutesReader(prompts: Set(prompts.keys)).read(root)
        }
        reportEmptiness()
        return contents
    }

    /// Gives prompts that answer like another one its output and checks.
    private func complete(_ drafts: [PromptReader.Draft]) -> [String: LoadedPrompt] {
        var prompts = Dictionary(uniqueKeysWithValues: drafts.map { ($0.prompt.name, $0.prompt) })
        let models = Set(drafts.filter { $0.answersLike == nil }.map(\.prompt.name))
        for draft in drafts {
            guard let name = draft.answersLike?.word(of: models, called: "prompt"), let model = prompts[name] else {
                continue
            }
            prompts[draft.prompt.name]?.output = model.output
            prompts[draft.prompt.name]?.checks = model.checks
            if !draft.prompt.cacheMarks.isEmpty, draft.prompt.config.effort != model.config.effort {
                draft.answersLike?.report(
                    "its effort is not that of '\(name)', so nothing that a provider keeps of it is read",
                    fix: "write the same 'effort' in both")
            }
        }
        return prompts
    }

    /// A rubric is graded by a prompt of its own, which must be in the bundle.
    private func reportRubricsWithoutGrader(in prompts: [String: LoadedPrompt], known: Set<String>) {
        let grader = Check.Rubric.grader
        for (name, prompt) in prompts where prompt.checks.contains(where: { $0.rubric != nil }) {
            let place = "prompts/\(name).prompt"
            if name == grader {
                problems.add(
                    BundleProblem(
                        file: place, line: nil, message: "the grader cannot be graded by itself",
                        fix: "remove its check 'llm-rubric'"))
            } else if !known.contains(grader) {
                problems.add(
                    BundleProblem(
                        file: place, line: nil, message: "nothing grades its check 'llm-rubric'",
                        fix: "add prompts/\(grader).prompt, or remove the check"))
            }
        }
    }

    /// The files of a folder by name, without folder and suffix.
    private func named(in folder: String, suffix: String) -> [String: String] {
        var found: [String: String] = [:]
        for (path, source) in files where path.hasPrefix(folder) && path.hasSuffix(suffix) {
            found[String(path.dropFirst(folder.count).dropLast(suffix.count))] = source
        }
        return found
    }

    private func reportEmptiness() {
        guard !files.keys.contains(where: { $0.hasPrefix("jobs/") }) else { return }
        problems.add(
            BundleProblem(
                file: "jobs", line: nil, message: "no kind of job is defined",
                fix: "add a file such as jobs/research.yaml"))
    }
}

/// A page of the library: an explanation of a notion of investing, in sections.
package struct LibraryPage: Sendable, Hashable {
    package struct Section: Sendable, Hashable {
        /// `nil` for the text before the first heading.
        package var heading: String?
        package var text: String
    }

    /// The file's name without its ending.
    package var name: String
    package var title: String
    package var sections: [Section]
}

/// Reads `library/*.md`: a title after `# `, then text in sections that begin with `## `.
struct LibraryReader {
    /// Characters of a section, about two minutes of reading: an answer cites whole sections.
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
            let text = lines[begin..<end].joined(separator: "\n").trimmed
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
            heading = String(lines[place].dropFirst(3)).trimmed
            begin = place + 1
        }
        finish(at: lines.endIndex)
        if sections.isEmpty { report("the page has no text", line: 1, fix: "write it or remove the file") }
        return LibraryPage(name: name, title: String(first.dropFirst(2)).trimmed, sections: sections)
    }

    private func report(_ message: String, line: Int, fix: String) {
        problems.add(BundleProblem(file: "library/\(name).md", line: line, message: message, fix: fix))
    }
}
