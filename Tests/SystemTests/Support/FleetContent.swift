import Foundation
import Testing

extension Fleet {
    /// Copies the product's content, without the schedules of its kinds: jobs that a clock starts on the quarter of an
    /// hour would be counted among the jobs of a test.
    static func copyContent(to home: String) throws {
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        for name in ["prompts", "personas", "library", "jobs", "models.yaml"] {
            try FileManager.default.copyItem(atPath: package + "/" + name, toPath: home + "/" + name)
        }
        for kind in ["ingest", "brief", "explain-ahead", "impact"] {
            let file = "\(home)/jobs/\(kind).yaml"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let unscheduled = text.replacing(/\nschedule:\n(?: .*\n)+/, with: "\n")
            try #require(unscheduled != text)
            try unscheduled.write(toFile: file, atomically: true, encoding: .utf8)
        }
        // Tests count the model calls of their reports; those of readings have tests of their own.
        let research = home + "/jobs/research.yaml"
        let text = try String(contentsOfFile: research, encoding: .utf8)
        let unread = text.replacing("filing_readings: true", with: "filing_readings: false")
        try #require(unread != text)
        try unread.write(toFile: research, atomically: true, encoding: .utf8)
    }

    /// Copies the product's content and changes its kind of job for reports.
    ///
    /// - Returns: the value for `DOSSIER_HOME`.
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

extension Fleet {
    /// Copies the product's content, adds a kind of job that calls no model and costs a credit, and gives all jobs an
    /// hour: a busy machine is no reason for a job to be late.
    ///
    /// - Parameters:
    ///   - folder: the folder of the copy.
    ///   - credits: the cost of a drill.
    /// - Returns: the value for `DOSSIER_HOME`.
    /// - Throws: errors of reading and writing files.
    static func contentWithDrill(in folder: String, credits: Int = 1) throws -> String {
        let home = folder + "/home"
        try copyContent(to: home)
        let research = home + "/jobs/research.yaml"
        let kind = try String(contentsOfFile: research, encoding: .utf8)
        try kind.replacing("deadline: 170 s", with: "deadline: 1 h")
            .write(toFile: research, atomically: true, encoding: .utf8)
        let drill = try String(contentsOfFile: package + "/Benchmarks/drill.yaml", encoding: .utf8)
        try drill.replacing("credits: 1\n", with: "credits: \(credits)\n")
            .write(toFile: home + "/jobs/drill.yaml", atomically: true, encoding: .utf8)
        return home
    }
    /// The content with the drill, and with drills of which each one meets another rule of the queue.
    static func contentForChaos(in folder: String) throws -> String {
        let home = try contentWithDrill(in: folder)
        let drill = try String(contentsOfFile: home + "/jobs/drill.yaml", encoding: .utf8)
        for kind in ChaosRequest.Drill.allCases where kind != .plain {
            var text = drill.replacing("kind: drill", with: "kind: \(kind.rawValue)")
                .replacing("  properties:\n", with: "  properties:\n    line: {type: string}\n")
            switch kind {
            case .plain: break
            case .serial: text += "serial: line\n"
            case .limited: text += "concurrency: {fleet: 2}\n"
            case .urgent:
                text = text.replacing("lane: background", with: "lane: interactive")
                    .replacing("deadline: 1 h", with: "deadline: \(ChaosRequest.urgentDeadline) s")
            }
            try text.write(toFile: "\(home)/jobs/\(kind.rawValue).yaml", atomically: true, encoding: .utf8)
        }
        let explanation = home + "/jobs/explanation.yaml"
        let text = try String(contentsOfFile: explanation, encoding: .utf8)
        try text.replacing("deadline: 120 s", with: "deadline: 1 h")
            .write(toFile: explanation, atomically: true, encoding: .utf8)
        return home
    }
}
