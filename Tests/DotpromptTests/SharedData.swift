import FoundationEssentials

/// The data beside the checkout that tests may read where it exists.
enum SharedData {
    static let spec = path("dotprompt-spec")
    static let hasSpec = FileManager.default.fileExists(atPath: spec)

    private static func path(_ name: String) -> String {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(4).joined(separator: "/") + "/shared/data/" + name
    }
}
