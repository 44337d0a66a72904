internal import Basics
package import JobQueue
package import JSON

/// A validated set of prompts, personas and kinds of jobs, named by its hash.
///
/// A job keeps the bundle that it was submitted with: the archive goes into the database, and any worker reads it back
/// from there.
package struct Bundle: Sendable {
    /// SHA-256 of the archive, in hexadecimal digits.
    package let hash: String
    /// All files as one JSON text, path → content, in canonical form.
    package let archive: String
    /// The kinds of jobs by the name that requests use.
    package let kinds: [String: JobKind]
    /// The personas by id.
    package let personas: [String: Persona]
    /// The prompts by name, variants as `name.variant`.
    package let prompts: [String: LoadedPrompt]
    /// The pages in the order of their names.
    package let library: [LibraryPage]
    /// The models of prompts that do not ask those of their tier.
    package let routes: Routes

    /// Reads and checks a set of files.
    ///
    /// - Parameters:
    ///   - files: Content by path relative to the home folder.
    ///   - rules: The names that files may refer to.
    /// - Throws: All problems of the files.
    package init(files: [String: String], rules: BundleRules) throws(BundleProblems) {
        let problems = ProblemList()
        let contents = BundleReader(files: files, rules: rules, problems: problems).read()
        guard problems.isEmpty else { throw BundleProblems(problems.problems) }
        let members = JSONObject(files.map { ($0.key, JSON.string($0.value)) })
        archive = JSON.object(members).canonical
        hash = SHA256.hex(archive)
        kinds = contents.kinds
        personas = contents.personas
        prompts = contents.prompts
        library = contents.library
        routes = contents.routes
    }

    /// Reads a bundle back from the text in which it was stored.
    ///
    /// - Throws: The parts of it that this version of the code cannot use.
    package init(archive: String, rules: BundleRules) throws(BundleProblems) {
        guard let members = try? JSON(parsing: archive).object else {
            throw BundleProblems([.damagedArchive("is not a JSON object")])
        }
        var files: [String: String] = [:]
        for (path, content) in members {
            guard let text = content.string else {
                throw BundleProblems([.damagedArchive("holds no text for '\(path)'")])
            }
            files[path] = text
        }
        try self.init(files: files, rules: rules)
    }
}

extension BundleProblem {
    fileprivate static func damagedArchive(_ message: String) -> BundleProblem {
        BundleProblem(
            file: "archive", line: nil, message: "the stored bundle \(message)", fix: "store it again from its files")
    }
}

/// The names of the code that content files may refer to.
package struct BundleRules: Sendable {
    /// The demands of an agent on a kind of job that it runs.
    package struct Agent: Sendable, Hashable {
        /// The roles of the prompts that the agent uses (`draft`).
        package var prompts: Set<String>
        /// The stages through which the agent reports progress.
        package var stages: Set<String>
        /// Roles that a kind may leave out.
        package var optionalPrompts: Set<String>
        /// JSON Schema of a kind's `settings`; `nil` for an agent without settings.
        package var settings: JSON?

        package init(
            prompts: Set<String>, stages: Set<String>, optionalPrompts: Set<String> = [], settings: JSON? = nil
        ) {
            self.prompts = prompts
            self.stages = stages
            self.optionalPrompts = optionalPrompts
            self.settings = settings
        }
    }

    /// The metrics that score rules may name, each with the figures (concepts) that it is made of.
    package var metrics: [String: Set<String>]
    package var agents: [String: Agent]
    /// The tiers of models that can be asked for.
    package var tiers: Set<String>
    /// The time zones that schedules may name.
    package var zone: @Sendable (_ name: String) -> ZoneOffsets?

    package init(
        metrics: [String: Set<String>], agents: [String: Agent], tiers: Set<String> = ["fast", "deep"],
        zone: @escaping @Sendable (_ name: String) -> ZoneOffsets? = { $0 == "UTC" ? .utc : nil }
    ) {
        self.metrics = metrics
        self.agents = agents
        self.tiers = tiers
        self.zone = zone
    }
}

/// An error in the content files, which cannot be used before it is corrected.
package struct BundleProblem: Sendable, Hashable {
    /// The file, relative to the home folder (`personas/buffett.yaml`).
    package var file: String
    /// The line, counting from 1; `nil` for a problem of the whole file.
    package var line: Int?
    /// The error.
    package var message: String
    /// The correction.
    package var fix: String
}

extension BundleProblem: CustomStringConvertible {
    /// `personas/buffett.yaml:12: unknown key 'wieght' (did you mean 'weight'?)`
    package var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return fix.isEmpty ? "\(place): \(message)" : "\(place): \(message) (\(fix))"
    }
}

/// All problems of a set of content files, in the order of files and lines.
package struct BundleProblems: Error, Sendable, CustomStringConvertible {
    package let problems: [BundleProblem]

    init(_ problems: [BundleProblem]) {
        self.problems = problems.sorted { left, right in
            (left.file, left.line ?? 0, left.message) < (right.file, right.line ?? 0, right.message)
        }
    }

    /// One line for each problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Collects problems while files are read, so that all are reported at once.
final class ProblemList {
    private(set) var problems: [BundleProblem] = []

    var isEmpty: Bool { problems.isEmpty }

    func add(_ problem: BundleProblem) {
        if !problems.contains(problem) { problems.append(problem) }
    }
}
