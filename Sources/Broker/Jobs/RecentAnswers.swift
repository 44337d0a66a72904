internal import Basics
internal import JobQueue

/// Remembers which job answered a request, so that a user who makes the same one again soon gets that answer and pays no
/// second time: a page opened twice, or shared under another spelling of its address.
///
/// Only the job's id is kept, under a hash. The answer is read with the job, so it goes when the job is deleted.
struct RecentAnswers: Sendable {
    /// A page may change meanwhile, so that it is read again after this time.
    static let keptFor = Duration.seconds(3600)

    let documents: any DocumentRepository
    let now: @Sendable () -> Timestamp

    /// The job of an equal request within the last `keptFor`. A store that is away remembers nothing.
    func job(of key: String) async -> JobID? {
        guard let kept = try? await documents.document(Self.name(of: key)), kept.storedAt + Self.keptFor > now() else {
            return nil
        }
        return JobID(kept.text)
    }

    func note(_ job: JobID, for key: String) async {
        let time = now()
        _ = try? await documents.store(
            CachedDocument(
                key: Self.name(of: key), text: job.description, storedAt: time, keptUntil: time + Self.keptFor))
    }

    private static func name(of key: String) -> String { "answer:" + SHA256.hex(key) }
}
