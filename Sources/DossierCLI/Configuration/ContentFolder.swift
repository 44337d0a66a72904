import Foundation

/// The folder of prompts, personas and kinds of jobs where `DOSSIER_HOME` names none.
enum ContentFolder {
    /// The working folder, unless it has no kinds of jobs and the program was installed with some: beside itself, as in
    /// the archive, or in `../share/dossier`, as in the package.
    static var standard: String {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let installed = [program.path, program.deletingLastPathComponent().appending(path: "share/dossier").path]
        return (["."] + installed).first(where: hasContent) ?? "."
    }

    private static func hasContent(_ folder: String) -> Bool {
        ["/jobs", "/prompts"].allSatisfy { FileManager.default.fileExists(atPath: folder + $0) }
    }
}
