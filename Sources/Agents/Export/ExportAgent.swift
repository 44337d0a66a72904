internal import DossierAPI
internal import JobQueue
internal import JSON

/// Makes an archive of the data of the job's user.
///
/// The parts go into the store while the archive is read, so that it is never in memory as a whole; the result makes
/// them an archive. A run after an interruption begins anew, since the data may have changed.
struct ExportAgent: Agent {
    let archiver: (any UserArchiver)?
    let exports: any ExportRepository
    var mostBytes = UserExport.mostBytes

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        guard let archiver else { throw .internalFailure("this worker makes no archives") }
        let (job, exports, mostBytes) = (context.job, exports, mostBytes)
        context.progress("read")
        return try await AgentError.mapping {
            // What a run that ended in the middle left.
            try await exports.discardExportParts(under: job.lease)
            let parts = ArchiveParts(exports, lease: job.lease, mostBytes: mostBytes) { parts in
                context.progress("read", fraction: 1 - 1 / Double(parts + 1))
            }
            do {
                guard let archive = try await archiver.archive(job.user, to: parts) else {
                    throw AgentError.notFound("the user is gone", userMessage: "There is nothing to export.")
                }
                context.progress("store")
                let (count, bytes) = try await parts.end()
                let record = UserExport(
                    job: job.lease.job.description, user: job.user, epoch: job.lease.epoch, madeAt: archive.madeAt,
                    lines: archive.lines, bytes: bytes, parts: count)
                let body: JSON = [
                    "made_at": JSON(archive.madeAt.iso8601), "lines": JSON(archive.lines), "bytes": JSON(bytes),
                ]
                return AgentResult(body, records: [.userExport(record)])
            } catch ArchiveParts.Failure.tooLarge {
                try await exports.discardExportParts(under: job.lease)
                throw AgentError.tooLargeArchive(mostBytes)
            }
        }
    }
}

/// Stores the lines of an archive in parts.
private actor ArchiveParts: ArchiveSink {
    enum Failure: Error {
        case tooLarge
    }

    private let exports: any ExportRepository
    private let lease: Lease
    private let mostBytes: Int
    private let onPart: @Sendable (Int) -> Void
    private var text = ""
    private var (count, bytes) = (0, 0)

    init(
        _ exports: any ExportRepository, lease: Lease, mostBytes: Int, onPart: @escaping @Sendable (Int) -> Void
    ) {
        (self.exports, self.lease, self.mostBytes, self.onPart) = (exports, lease, mostBytes, onPart)
    }

    func write(_ line: String) async throws {
        bytes += line.utf8.count + 1
        guard bytes <= mostBytes else { throw Failure.tooLarge }
        text += line
        text += "\n"
        if text.utf8.count >= UserExport.partBytes { try await store() }
    }

    /// Stores the last part.
    func end() async throws -> (count: Int, bytes: Int) {
        if !text.isEmpty { try await store() }
        return (count, bytes)
    }

    private func store() async throws {
        try Task.checkCancellation()
        try await exports.storeExportPart(count, text, under: lease)
        text = ""
        count += 1
        onPart(count)
    }
}

extension AgentError {
    fileprivate static func tooLargeArchive(_ limit: Int) -> AgentError {
        .failed(
            AgentFailure(
                JobError(
                    code: .tooLarge, message: "The archive would have more than \(limit) bytes, which is the limit.",
                    userMessage: "There is too much for one archive. Please delete some of it, or ask support for help."
                ),
                isTransient: false))
    }
}
