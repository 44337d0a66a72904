internal import FoundationEssentials

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
