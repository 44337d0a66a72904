import Foundation

extension Fleet {
    /// Copies the product's content, adds a kind of job that asks nobody and costs a credit, and gives all jobs an hour:
    /// a busy machine is no reason for a job to be late.
    ///
    /// - Parameters:
    ///   - folder: Where the copy goes.
    ///   - credits: What a drill costs.
    /// - Returns: What `DOSSIER_HOME` has to say.
    /// - Throws: What reading and writing files throws.
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
}
