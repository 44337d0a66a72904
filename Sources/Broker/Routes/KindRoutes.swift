internal import Basics
internal import HTTPServer
internal import JobQueue
internal import JSON
internal import Prompts

/// `/api/v1/kinds`: the kinds of jobs that users may submit, by the files that hold now.
struct KindRoutes: Sendable {
    let bundle: CurrentBundle
    let pauses: PauseBoard

    /// The longest time that an answer waits for the pauses.
    private static let longestLook: Duration = .milliseconds(200)

    func list(_ request: ServerRequest) async throws(APIError) -> APIResponse {
        let kinds = bundle.value.kinds.values.filter { !$0.isForOperators }.sorted { $0.name < $1.name }
        let held = await pauses.pauses(within: Self.longestLook)
        return answer(.array(kinds.map { $0.json(held) }), to: request)
    }

    func one(_ request: ServerRequest) async throws(APIError) -> APIResponse {
        guard let kind = bundle.value.kinds[request.parameters["kind"] ?? ""], !kind.isForOperators else {
            throw .notFound("The kind")
        }
        return answer(kind.json(await pauses.pauses(within: Self.longestLook)), to: request)
    }

    /// The answer with a tag of its bytes; nothing of it depends on who asks.
    private func answer(_ data: JSON, to request: ServerRequest) -> APIResponse {
        let tag = "\"\(SHA256.hex(data.canonical).prefix(32))\""
        let headers = [("ETag", tag), ("Cache-Control", "private, no-cache")]
        return request.knows(tag) ? .notModified(headers: headers) : APIResponse(data, headers: headers)
    }
}

extension JobKind {
    /// What a client needs to submit a job of the kind and to show its progress.
    fileprivate func json(_ pauses: [Pause]) -> JSON {
        let stages: [JSON] = stages.map { stage in
            ["name": JSON(stage.name), "says": JSON(stage.says), "weight": JSON(stage.weight)]
        }
        return [
            "kind": JSON(name), "title": JSON(title), "credits": JSON(credits), "lane": JSON(queue.rawValue),
            "estimate_seconds": JSON(estimate.roundedSeconds), "deadline_seconds": JSON(deadline.roundedSeconds),
            "stages": .array(stages), "input": inputSchema,
            "result": JSON(KindSchemas.resultName(of: name)),
            "paused": JSON(pauses.contains { $0.holds(kind: name, queue: queue) }),
        ]
    }
}

extension Duration {
    fileprivate var roundedSeconds: Int { Int((self / .seconds(1)).rounded()) }
}
