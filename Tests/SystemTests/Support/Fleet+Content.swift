import Foundation
import Testing

extension Fleet {
    /// Copies the product's content and changes its kind of job for reports.
    ///
    /// - Returns: What `DOSSIER_HOME` has to say.
    func copyContent(_ change: (String) -> String) throws -> String {
        let home = folder + "/home"
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        for name in ["prompts", "personas", "jobs", "models.yaml"] {
            try FileManager.default.copyItem(atPath: Self.package + "/" + name, toPath: home + "/" + name)
        }
        try changeKind(in: home, change)
        return home
    }

    /// Changes the kind of job for reports in a copy of the content.
    func changeKind(in home: String, _ change: (String) -> String) throws {
        let file = home + "/jobs/research.yaml"
        let kind = try String(contentsOfFile: file, encoding: .utf8)
        let changed = change(kind)
        try #require(changed != kind)
        try changed.write(toFile: file, atomically: true, encoding: .utf8)
    }
}
