internal import Basics
internal import JSON

/// A validated set of prompts, personas and kinds of jobs, named by its hash.
///
/// A job keeps the bundle that it was submitted with: the archive goes into the database, and any worker reads it back
/// from there.
package struct Bundle: Sendable {
    /// SHA-256 of the archive, in hexadecimal digits.
    package let hash: String
    /// All files as one JSON text, path → content, in canonical form.
    package let archive: String
    /// By the name that requests use.
    package let kinds: [String: JobKind]
    /// By id.
    package let personas: [String: Persona]
    /// By name, variants as `name.variant`.
    package let prompts: [String: LoadedPrompt]
    /// In the order of their names.
    package let library: [LibraryPage]

    /// Reads and checks a set of files.
    ///
    /// - Parameters:
    ///   - files: Content by path relative to the home folder.
    ///   - rules: What the files may refer to.
    /// - Throws: Everything that is wrong with them.
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
    }

    /// Reads a bundle back from the text in which it was stored.
    ///
    /// - Throws: What this version of the code cannot use in it.
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
