extension CachedDocument {
    /// The key under which the summary of an article is kept for a form factor.
    package static func summaryKey(article: String, form: String) -> String { "summary:\(form):\(article)" }
}
