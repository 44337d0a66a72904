import Foundation

/// The program that migrates the databases of the conformance suites in the place of their own stores, where `MIGRATE_BY`
/// names one. So the suite of a release runs on the database of the next one (`Scripts/test-older-suite`).
package enum NewerProgram {
    package static let path = ProcessInfo.processInfo.environment["MIGRATE_BY"]

    /// Migrates a database.
    ///
    /// - Throws: `Failure` when the program fails.
    package static func migrate(_ url: String, by path: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = ["migrate"]
        process.environment = ProcessInfo.processInfo.environment.merging(["DOSSIER_DATABASE_URL": url]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "\(path) cannot migrate \(url)") }
    }

    /// The path of an SQLite database that the program made; `nil` without one.
    package static let template: Result<String, any Error>? = path.map { path in
        Result {
            let folder = FileManager.default.temporaryDirectory.appending(path: "dossier-migrated-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "dossier.db").path
            try migrate("sqlite:\(file)", by: path)
            return file
        }
    }

    package struct Failure: Error { package let description: String }
}
