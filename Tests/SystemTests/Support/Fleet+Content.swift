import Foundation
import Testing

extension Fleet {
    /// Copies the product's content, without the schedules of its kinds: what a clock starts on the quarter of an hour
    /// would be counted among the jobs of a test.
    static func copyContent(to home: String) throws {
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        for name in ["prompts", "personas", "library", "jobs", "models.yaml"] {
            try FileManager.default.copyItem(atPath: package + "/" + name, toPath: home + "/" + name)
        }
        for kind in ["ingest", "brief"] {
            let file = "\(home)/jobs/\(kind).yaml"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let unscheduled = text.replacing(/\nschedule:\n(?: .*\n)+/, with: "\n")
            try #require(unscheduled != text)
            try unscheduled.write(toFile: file, atomically: true, encoding: .utf8)
        }
    }

    /// Copies the product's content and changes its kind of job for reports.
    ///
    /// - Returns: What `DOSSIER_HOME` has to say.
    func copyContent(_ change: (String) -> String) throws -> String {
        let home = folder + "/home"
        try Self.copyContent(to: home)
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
