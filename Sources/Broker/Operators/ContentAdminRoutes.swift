internal import Basics
internal import HTTPServer
internal import JSON
internal import JobQueue
internal import Prompts

/// `/api/v1/admin/bundles`: the content that jobs were submitted with.
struct ContentAdminRoutes: Sendable {
    /// The largest difference of two files that is computed, in lines of both.
    private static let mostLines = 20_000

    let records: any BundleRepository

    func list(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let size = try context.pageSize()
        let cursor = try context.timeCursor()
        let records = records
        let found = try await reading { () async throws(StoreError) in
            try await records.bundles(after: cursor, limit: size + 1)
        }
        return .page(of: found, size: size, place: { TimeCursor(at: $0.adoptedAt, id: $0.hash) }, \.json)
    }

    func one(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let (hash, files) = try await files(context.request.parameters["hash"] ?? "")
        let list = files.map { path, text -> JSON in
            [
                "path": JSON(path), "sha256": JSON(SHA256.hex(text)), "bytes": JSON(text.utf8.count),
            ]
        }
        return APIResponse(["hash": JSON(hash), "files": .array(list)])
    }

    func file(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let (_, files) = try await files(context.request.parameters["hash"] ?? "")
        let path = context.request.parameters["path"] ?? ""
        guard let text = files.first(where: { $0.path == path })?.text else { throw .notFound("The file") }
        return .text(text, type: "text/plain; charset=utf-8")
    }

    /// The files that differ from those of another bundle, which has the lines with `-`.
    func diff(_ context: AdminContext) async throws(APIError) -> APIResponse {
        guard let other = context.query("with") else { throw .invalid("with", "is missing: the hash of a bundle") }
        let new = try await files(context.request.parameters["hash"] ?? "").files
        let old = try await files(other).files
        let (before, after) = (Dictionary(uniqueKeysWithValues: old), Dictionary(uniqueKeysWithValues: new))
        let changes = Set(before.keys).union(after.keys).sorted().compactMap { path -> JSON? in
            let (was, now) = (before[path], after[path])
            if was == now { return nil }
            let change = was == nil ? "added" : now == nil ? "removed" : "changed"
            return [
                "path": JSON(path), "change": JSON(change), "diff": JSON(Self.difference(path, was ?? "", now ?? "")),
            ]
        }
        return APIResponse(.array(changes))
    }

    private static func difference(_ path: String, _ old: String, _ new: String) -> String {
        let (before, after) = (lines(old), lines(new))
        guard before.count + after.count <= mostLines else { return "" }
        return LineDiff(before, named: "a/\(path)", after, named: "b/\(path)").unified
    }

    private static func lines(_ text: String) -> [String] {
        text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The files of a bundle in the order of their paths.
    private func files(_ hash: String) async throws(APIError) -> (hash: String, files: [(path: String, text: String)]) {
        let records = records
        let archive = try await reading { () async throws(StoreError) in try await records.archive(ofBundle: hash) }
        guard let archive, let members = (try? JSON(parsing: archive))?.object else { throw .notFound("The bundle") }
        return (hash, members.map { ($0.key, $0.value.string ?? "") }.sorted { $0.path < $1.path })
    }
}

extension BundleRecord {
    fileprivate var json: JSON {
        [
            "hash": JSON(hash), "adopted_at": JSON(adoptedAt.iso8601), "current": JSON(isCurrent), "jobs": JSON(jobs),
        ]
    }
}
