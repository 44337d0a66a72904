internal import Foundation

extension JobWatcher {
    private static let shortestPause: Duration = .milliseconds(200)
    private static let longestPause: Duration = .seconds(15)
    /// Jobs that come one after the other are one reconnection.
    private static let gatheringPause: Duration = .milliseconds(20)

    /// Follows the jobs of a group until none is left.
    func run(_ key: Int) async {
        var failures = 0
        var pause = Self.shortestPause
        while !Task.isCancelled, !jobs(of: key).isEmpty {
            let used = method
            do {
                try await connect(key, by: used)
                (failures, pause) = (0, Self.shortestPause)
            } catch {
                if Task.isCancelled { return }
                if error is CancellationError {
                    // The connection was ended for a job that has come since.
                    try? await pacing.sleep(Self.gatheringPause)
                    continue
                }
                failures += 1
                let retryAfter = await readOnce(key)
                if failures >= 2 {
                    failures = 0
                    if method == used { method = used.next }
                }
                let random = pause * (1 - 0.5 * pacing.random())
                let asked = max(retryAfter ?? .zero, (error as? DossierError)?.retryAfter ?? .zero)
                try? await sender.configuration.connectivity.pause(
                    max(random, min(asked, .seconds(60))), sleep: pacing.sleep)
                pause = min(pause * 2, Self.longestPause)
            }
        }
        if jobs(of: key).isEmpty { groups[key] = nil }
    }

    private func connect(_ key: Int, by method: FollowingMethod) async throws {
        let ids = jobs(of: key)
        let connection = Task {
            switch method {
            case .stream: try await self.stream(ids)
            case .longPoll: try await self.each(ids) { try await self.longPoll($0) }
            case .poll: try await self.each(ids) { try await self.poll($0) }
            }
        }
        groups[key]?.connection = connection
        defer { groups[key]?.connection = nil }
        try await withTaskCancellationHandler {
            try await connection.value
        } onCancel: {
            connection.cancel()
        }
    }

    /// Reads each job plainly after a failure, which also tells whether the server refuses it.
    ///
    /// - Returns: The pause that the server asks for.
    private func readOnce(_ key: Int) async -> Duration? {
        var retryAfter: Duration?
        for id in jobs(of: key) {
            do {
                _ = try await read(id)
            } catch let error as DossierError {
                if error.endsFollowing { refuse(id, error) }
                retryAfter = [retryAfter, error.retryAfter].compactMap { $0 }.max()
                // Where one got no answer, the others would not either.
                if error.category == .network { return retryAfter }
            } catch {
                return retryAfter
            }
        }
        return retryAfter
    }

    // MARK: The three methods

    /// Reads one event stream to its end.
    ///
    /// - Throws: when it brought no event.
    private func stream(_ ids: [Job.ID]) async throws {
        var endpoint: Endpoint =
            ids.count == 1
            ? .get(Paths.job(ids[0]) + "/events")
            : .get("/api/v1/events", query: ["jobs": ids.map(\.rawValue).joined(separator: ",")])
        endpoint.headers = ["Accept": "text/event-stream", "Cache-Control": "no-cache"]
        let answer = try await sender.stream(endpoint)
        var parser = EventParser()
        var hasEvents = false
        do {
            for try await chunk in answer.body {
                for event in parser.take(chunk) {
                    guard let job = try? event.job() else { continue }
                    hasEvents = true
                    take(job)
                }
                if !ids.contains(where: isFollowed) { return }
            }
        } catch {
            if error is CancellationError || !hasEvents { throw error }
        }
        guard hasEvents else { throw DossierError(.connectionLost, message: "The stream brought no event.") }
        if ids.contains(where: isFollowed) {
            try await pacing.sleep(min(max(parser.retry ?? .zero, Self.shortestPause), .seconds(60)))
        }
    }

    private func each(
        _ ids: [Job.ID], _ work: @escaping @Sendable (Job.ID) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in ids { group.addTask { try await work(id) } }
            defer { group.cancelAll() }
            try await group.waitForAll()
        }
    }

    private func longPoll(_ id: Job.ID) async throws {
        if latest(id)?.revision == nil { _ = try await read(id) }
        while isFollowed(id) {
            try Task.checkCancellation()
            _ = try await read(id, wait: pollWait)
            pollWait = 25
        }
    }

    private func poll(_ id: Job.ID) async throws {
        while isFollowed(id) {
            try Task.checkCancellation()
            let pause = try await read(id) ?? .seconds(2)
            if isFollowed(id) { try await pacing.sleep(min(max(pause, .seconds(1)), .seconds(15))) }
        }
    }

    /// Reads a job with a single attempt, which draws on no budget. The server may wait some seconds for a change. The
    /// result is the pause that it proposes.
    private func read(_ id: Job.ID, wait: Int? = nil) async throws -> Duration? {
        var endpoint = Endpoint.get(Paths.job(id))
        if let wait {
            endpoint.query = ["wait": String(wait)]
            endpoint.serverWait = .seconds(wait)
            if let revision = latest(id)?.revision { endpoint.headers["If-None-Match"] = "\"\(revision)\"" }
        }
        let answer: TransportResponse
        do {
            answer = try await sender.singleResponse(to: endpoint, within: .seconds(wait ?? 0) + .seconds(30))
        } catch let error as DossierError where error.endsFollowing {
            refuse(id, error)
            return nil
        }
        if answer.status != 304 { take(try AnswerReader(response: answer, endpoint: endpoint).job()) }
        return AnswerReader.retryAfter(answer.headers)
    }

    // MARK: Results

    /// Reads a result, however long the network is away.
    func result<Output: Decodable & Sendable>(of id: Job.ID) async throws -> Output {
        var pause = Self.shortestPause
        while true {
            do {
                return try await sender.value(.get(Paths.job(id) + "/result"))
            } catch let error as DossierError where error.isRetryable {
                let random = pause * (1 - 0.5 * pacing.random())
                try await sender.configuration.connectivity.pause(
                    max(random, error.retryAfter ?? .zero), sleep: pacing.sleep)
                pause = min(pause * 2, Self.longestPause)
            }
        }
    }
}

extension DossierError {
    /// The server will not show the job, now or later.
    var endsFollowing: Bool {
        code == .signedOut || (code != .foreignAnswer && [401, 403, 404].contains(status ?? 0))
    }
}
