/// What is known of this build.
enum BuildInfo {
    /// By Semantic Versioning; `CHANGELOG.md` says what each version brought. The API has a version of its own.
    static let version = "0.1.0"
}
