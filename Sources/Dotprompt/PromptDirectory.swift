internal import FoundationEssentials

/// A directory of prompt files.
///
/// `name.prompt` is a prompt, `name.variant.prompt` a variant of it, and `_name.prompt` a partial that prompts call
/// with `{{> name}}`. Directories within are part of the name: `news/brief.prompt` is `news/brief`.
public struct PromptDirectory: Sendable {
    /// A file of the directory.
    public struct File: Sendable, Hashable {
        /// Relative to the directory.
        public let path: String
        /// The name that prompts are asked for by, with the directories before it.
        public let name: String
        /// The variant; `nil` for the prompt itself.
        public let variant: String?
        /// Whether prompts call it by `{{> name}}`.
        public let isPartial: Bool
        /// The text of the file.
        public let source: String
    }

    /// The files, sorted by path.
    public let files: [File]

    /// Reads all prompt files of a directory.
    ///
    /// - Throws: `PromptDirectoryError`.
    public init(path: String) throws(PromptDirectoryError) {
        guard let paths = FileManager.default.enumerateFiles(in: path, where: { $0.hasSuffix(".prompt") }) else {
            throw PromptDirectoryError(path: path, problem: "the directory cannot be read")
        }
        var files: [File] = []
        for file in paths {
            guard let source = FileManager.default.text(at: path + "/" + file) else {
                throw PromptDirectoryError(path: file, problem: "the file cannot be read as UTF-8")
            }
            files.append(try File(path: file, source: source))
        }
        self.files = files
    }

    /// Files that come from elsewhere, such as a bundle.
    ///
    /// - Parameter sources: The text of each file by its path.
    /// - Throws: `PromptDirectoryError` for a file whose name does not fit.
    public init(sources: [String: String]) throws(PromptDirectoryError) {
        var files: [File] = []
        for (path, source) in sources.sorted(by: { $0.key < $1.key }) {
            files.append(try File(path: path, source: source))
        }
        self.files = files
    }

    /// The partials, without front matter.
    ///
    /// A variant of a partial is called `name.variant`.
    ///
    /// - Throws: `PromptError` naming the partial.
    public func partials(helpers: Set<String> = []) throws(PromptError) -> Partials {
        var partials = Partials()
        for file in files where file.isPartial {
            let (text, line) = Dotprompt.body(of: file.source)
            let name = file.name + (file.variant.map { ".\($0)" } ?? "")
            try partials.add(name, text, helpers: helpers, firstLine: line)
        }
        return partials
    }

    /// A prompt by name; a variant that does not exist is no prompt.
    ///
    /// - Throws: `PromptError` with the line of the file.
    public func prompt(
        _ name: String, variant: String? = nil, environment: PromptEnvironment
    ) throws(PromptError) -> Prompt? {
        guard let file = files.first(where: { !$0.isPartial && $0.name == name && $0.variant == variant }) else {
            return nil
        }
        return try Dotprompt.parse(file.source, environment: environment)
    }
}

extension PromptDirectory.File {
    /// A file from its path and its text.
    ///
    /// - Throws: `PromptDirectoryError` for a path that does not end in `name.prompt` or `name.variant.prompt`.
    public init(path: String, source: String) throws(PromptDirectoryError) {
        var folders = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let parts = folders.removeLast().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        isPartial = parts[0].hasPrefix("_")
        let base = isPartial ? String(parts[0].dropFirst()) : parts[0]
        guard parts.count == 2 || parts.count == 3, parts.last == "prompt", !base.isEmpty, !parts[1].isEmpty else {
            throw PromptDirectoryError(
                path: path,
                problem: "the name must be 'name.prompt' or 'name.variant.prompt', for partials '_name.prompt'")
        }
        self.path = path
        name = (folders + [base]).joined(separator: "/")
        variant = parts.count == 3 ? parts[1] : nil
        self.source = source
    }
}

/// Why a directory of prompts cannot be read.
public struct PromptDirectoryError: Error, Equatable, CustomStringConvertible {
    /// The directory, or the file in it.
    public let path: String
    /// The problem.
    public let problem: String

    /// The path and the problem.
    public var description: String { "\(path): \(problem)" }
}

extension FileManager {
    /// The files in a directory and the directories in it, as paths relative to it, sorted; hidden ones left out.
    ///
    /// - Returns: `nil` when the directory cannot be read.
    func enumerateFiles(in directory: String, where isWanted: (String) -> Bool) -> [String]? {
        guard let paths = try? subpathsOfDirectory(atPath: directory) else { return nil }
        return paths.sorted().filter { path in
            isWanted(path) && !path.split(separator: "/").contains { $0.hasPrefix(".") }
        }
    }

    /// The text of a file; `nil` when it cannot be read or is not UTF-8.
    func text(at path: String) -> String? {
        contents(atPath: path).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
