internal import HTTPServer
package import JSON
package import JobQueue
internal import Observability
internal import Prompts

/// `/api/v1/admin/pauses`, and the work of pauses in the background.
struct PauseRoutes: Sendable {
    let records: any PauseRepository
    /// The pauses that the answers of a second share.
    let board: PauseBoard
    let bundle: CurrentBundle
    let logger: Logger

    func list(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let size = try context.pageSize()
        let cursor = try context.timeCursor()
        let records = records
        let all = try await reading { () async throws(StoreError) in try await records.pauses() }
        let found = all.sorted { ($0.since, $0.id) > ($1.since, $1.id) }.filter { pause in
            cursor.map { (pause.since, pause.id) < ($0.at, $0.id) } ?? true
        }
        return .page(of: Array(found.prefix(size + 1)), size: size, place: { TimeCursor(at: $0.since, id: $0.id) }) {
            $0.json
        }
    }

    func create(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let pause = try request(context)
        _ = try context.idempotency(try context.body())
        let records = records
        let audit = context.audit("pauses.create", target: pause.id, details: pause.auditDetails)
        let made = try await reading { () async throws(StoreError) in try await records.begin(pause, audit: audit) }
        guard let made else {
            if let until = pause.until, until <= context.now { throw .invalid(Self.pastEnd(try context.body())) }
            throw .conflict("list_full")
        }
        guard made.pause.target == pause.target, made.pause.note == pause.note, made.pause.until == pause.until else {
            throw .conflict("key_reused")
        }
        await settle()
        return APIResponse(
            made.pause.json, status: 201, headers: made.isNew ? [] : [("Idempotent-Replayed", "true")])
    }

    func end(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let id = context.request.parameters["id"] ?? ""
        let records = records
        let ended = try await reading { () async throws(StoreError) in
            try await records.endPause(id, audit: context.audit("pauses.delete", target: id))
        }
        guard let ended else { throw .notFound("The pause") }
        await settle()
        return APIResponse(ended.json)
    }

    private func request(_ context: AdminContext) throws(APIError) -> Pause {
        let body = try context.body()
        try body.allowOnly(["kind", "lane", "note", "until"])
        do throws(JSONFieldError) {
            let (kind, name) = (try body["kind"].optional?.string(), try body["lane"].optional?.string())
            if kind != nil, name != nil { throw body["lane"].failure("must be left out beside kind") }
            let target: Pause.Target
            if let name {
                guard let queue = QueueName(rawValue: name) else {
                    throw body["lane"].failure("must be interactive or background")
                }
                target = .queue(queue)
            } else {
                guard let kind else { throw body["kind"].failure("must be given, or lane") }
                guard bundle.value.kinds[kind] != nil else { throw body["kind"].failure("is no kind of job") }
                target = .kind(kind)
            }
            let note = try body.note()
            var until: Timestamp?
            if let text = try body["until"].optional?.string() {
                // A repetition of the request may come after this time.
                guard let time = Timestamp(iso8601: text), time < .never else { throw Self.pastEnd(body) }
                until = time
            }
            return Pause(
                id: context.id(of: "pause"), target: target, note: note, by: context.actor.name, since: context.now,
                until: until)
        } catch {
            throw .invalid(error)
        }
    }

    private static func pastEnd(_ body: JSONField) -> JSONFieldError {
        body["until"].failure("must be a time to come, such as 2026-12-31T00:00:00Z")
    }

    // MARK: In the background

    private static let interval: Duration = .seconds(1)
    /// The time that a request works for itself; the rest is left to the background.
    private static let workTime: Duration = .milliseconds(200)

    private func settle() async {
        board.refresh()
        let end = ContinuousClock.now + Self.workTime
        while ContinuousClock.now < end {
            guard (try? await records.settlePauses(limit: 200)) == true else { return }
        }
    }

    /// Settles the pauses of all brokers until the task is cancelled: jobs wait, and their time stands still, also while
    /// no worker is alive.
    func run() async {
        while (try? await Task.sleep(for: Self.interval)) != nil {
            do throws(StoreError) {
                try await records.settlePauses()
            } catch {
                logger.warning("cannot settle the pauses of jobs", ["error": .string("\(error)")])
            }
        }
    }
}

/// The pauses that hold, read from the store at most once a second.
final class PauseBoard: Sendable {
    private static let lifetime: Duration = .seconds(1)

    private let reading: CachedReading<[Pause]>

    init(_ records: any PauseRepository) {
        reading = CachedReading(lifetime: Self.lifetime, grace: .seconds(2)) { try await records.pauses() }
    }

    /// The pauses; none when the store gives no answer in time.
    func pauses(within limit: Duration) async -> [Pause] { await reading.value(within: limit).value ?? [] }

    func refresh() { reading.refresh() }
}

extension Pause {
    package var json: JSON {
        [
            "id": JSON(id), "kind": JSON(kind), "lane": JSON(queue?.rawValue), "note": JSON(note), "by": JSON(by),
            "since": JSON(since.iso8601), "until": JSON(until?.iso8601),
        ]
    }

    /// The details of the audit entry about it.
    package var auditDetails: JSON {
        var details = JSONObject()
        for name in ["kind", "lane", "note", "until"] {
            if let value = json[name], value != .null { details[name] = value }
        }
        return .object(details)
    }
}
