internal import FoundationEssentials

/// Reads the content files of a home folder.
package enum BundleLoader {
    /// Bytes of a file: far more than an author writes, far less than could slow the reader.
    private static let fileLimit = 256 << 10
    private static let countLimit = 1000

    private static let folders: [(name: String, suffix: String, lookalikes: [String], isNeeded: Bool)] = [
        ("prompts", ".prompt", [], true), ("personas", ".yaml", [".yml"], true), ("jobs", ".yaml", [".yml"], true),
        ("library", ".md", [".markdown"], false),
    ]

    /// Reads `prompts/*.prompt`, `personas/*.yaml`, `jobs/*.yaml` and, where they are there, `library/*.md` and
    /// `routes.yaml`.
    ///
    /// Symbolic links are followed as long as they stay within the home folder.
    ///
    /// - Throws: All problems of the files at once.
    package static func load(home: String, rules: BundleRules) throws(BundleProblems) -> Bundle {
        let (files, unreadable) = read(home: home)
        let bundle: Bundle
        do {
            bundle = try Bundle(files: files, rules: rules)
        } catch {
            throw BundleProblems(error.problems + unreadable)
        }
        guard unreadable.isEmpty else { throw BundleProblems(unreadable) }
        return bundle
    }

    private static func read(home: String) -> (files: [String: String], problems: [BundleProblem]) {
        let manager = FileManager.default
        var files: [String: String] = [:]
        var problems: [BundleProblem] = []
        let root = URL(filePath: home).resolvingSymlinksInPath().path
        for folder in folders {
            guard let names = try? manager.contentsOfDirectory(atPath: root + "/" + folder.name) else {
                if !folder.isNeeded, !manager.fileExists(atPath: root + "/" + folder.name) { continue }
                problems.append(
                    BundleProblem(
                        file: folder.name, line: nil, message: "the folder is missing or cannot be read",
                        fix: "start in the folder that holds it, or name that folder in DOSSIER_HOME"))
                continue
            }
            for name in names.sorted() where !name.hasPrefix(".") {
                let path = folder.name + "/" + name
                if let lookalike = folder.lookalikes.first(where: name.hasSuffix) {
                    problems.append(
                        BundleProblem(
                            file: path, line: nil,
                            message: "files here end with '\(folder.suffix)', not '\(lookalike)'",
                            fix: "rename it to '\(name.dropLast(lookalike.count))\(folder.suffix)'"))
                }
                guard name.hasSuffix(folder.suffix) else { continue }
                switch content(of: path, in: root) {
                case .success(let text): files[path] = text
                case .failure(let problem): problems.append(problem.at(path))
                }
            }
        }
        if manager.fileExists(atPath: root + "/" + Routes.file) {
            switch content(of: Routes.file, in: root) {
            case .success(let text): files[Routes.file] = text
            case .failure(let problem): problems.append(problem.at(Routes.file))
            }
        }
        if manager.fileExists(atPath: root + "/routes.yml") {
            problems.append(
                BundleProblem(
                    file: "routes.yml", line: nil, message: "the file is not read under this name",
                    fix: "rename it to '\(Routes.file)'"))
        }
        if files.count > countLimit {
            problems.append(
                BundleProblem(
                    file: ".", line: nil, message: "\(files.count) files are more than the \(countLimit) that are read",
                    fix: "remove those that are not used"))
        }
        return (files, problems)
    }

    private struct Unreadable: Error {
        var message: String
        var fix: String

        func at(_ path: String) -> BundleProblem { BundleProblem(file: path, line: nil, message: message, fix: fix) }
    }

    private static func content(of path: String, in root: String) -> Result<String, Unreadable> {
        let manager = FileManager.default
        let real = URL(filePath: root + "/" + path).resolvingSymlinksInPath().path
        guard real.hasPrefix(root == "/" ? root : root + "/") else {
            return .failure(Unreadable(message: "the link leads out of the home folder", fix: "copy the file here"))
        }
        guard let attributes = try? manager.attributesOfItem(atPath: real),
            attributes[.type] as? FileAttributeType == .typeRegular
        else { return .failure(Unreadable(message: "this is no regular file", fix: "put a text file here")) }
        let size = (attributes[.size] as? UInt64) ?? (attributes[.size] as? Int).map(UInt64.init) ?? 0
        guard size <= fileLimit else {
            return .failure(
                Unreadable(
                    message: "\(size) bytes are more than the \(fileLimit) that are read", fix: "make it shorter"))
        }
        guard let data = manager.contents(atPath: real), data.count <= fileLimit else {
            return .failure(Unreadable(message: "the file cannot be read", fix: "check its permissions"))
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            return .failure(Unreadable(message: "the file is not UTF-8 text", fix: "save it as UTF-8"))
        }
        guard !text.contains("\0") else {
            return .failure(Unreadable(message: "the file has a NUL character", fix: "save it as plain text"))
        }
        return .success(text)
    }
}
