import CBuild
import JSON

/// The version of the product and the commit that it was built from.
enum BuildInfo {
    /// By Semantic Versioning; `CHANGELOG.md` says what each version brought. The API has a version of its own. Packages
    /// read this line.
    static let version = "0.1.0"

    /// The beginning of the commit's hash; `unknown` in a build that was not told one (`DOSSIER_COMMIT`).
    static var commit: String { String(cString: cbuild_commit()) }

    static var text: String { "dossier \(version) (commit \(commit))" }
}

extension Command {
    static let version = Command(
        path: ["version"], summary: "Print the version and the commit (also 'dossier --version')", options: [.json]
    ) { invocation in
        Terminal.print(
            invocation.has("--json")
                ? JSON.object(["version": JSON(BuildInfo.version), "commit": JSON(BuildInfo.commit)]).compact
                : BuildInfo.text)
    }
}
