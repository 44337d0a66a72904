internal import JSON
internal import JobQueue

/// A summary as a model wrote it and passed its checks.
struct ArticleSummary: Sendable {
    /// How long a summary is kept: about as long as its article.
    private static let lifetime: Int64 = 30 * 86_400_000

    let paragraphs: [String]
    let sentiment: String

    init(_ answer: JSON) {
        paragraphs = (answer["paragraphs"]?.array ?? []).compactMap { $0.string?.trimmed }
        sentiment = answer["sentiment"]?.string ?? "neutral"
    }

    var json: JSONObject {
        [
            "summary": JSON(paragraphs.joined(separator: "\n\n")), "paragraphs": JSON(paragraphs),
            "sentiment": JSON(sentiment),
        ]
    }

    /// The record by which everybody gets the same summary.
    func document(of article: String, for form: String, at timestamp: Int64, job: ClaimedJob) -> CachedDocument {
        var body = json
        body["job_id"] = JSON(job.lease.job.description)
        return CachedDocument(
            key: CachedDocument.summaryKey(article: article, form: form), text: JSON.object(body).compact,
            storedAt: timestamp, keptUntil: timestamp + Self.lifetime)
    }
}
