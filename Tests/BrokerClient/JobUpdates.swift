internal import DossierAPI
internal import Foundation
internal import HTTP

/// Follows one job over its event stream, which it reopens when it breaks.
struct JobUpdates: Sendable {
    private static let longestPause: Duration = .seconds(5)

    let client: BrokerClient
    let id: String

    /// Passes on every state of the job until it has ended.
    func forward(_ take: @Sendable (JobResource) -> Void) async throws {
        var lastEventID: String?
        var pause: Duration = .milliseconds(200)
        while true {
            do {
                let isFinished = try await followOnce(&lastEventID) { job in
                    pause = .milliseconds(200)
                    take(job)
                }
                if isFinished { return }
            } catch let error as ClientError {
                // A refusal (not found, not signed in) is permanent; a broken connection, a failing broker and a limit that
                // is reached now are not.
                if case .refused(let status, _) = error, status < 500, status != 429 { throw error }
            } catch is HTTPClientError {}
            try await Task.sleep(for: pause)
            pause = min(pause * 2, Self.longestPause)
        }
    }

    private func followOnce(_ lastEventID: inout String?, _ take: (JobResource) -> Void) async throws -> Bool {
        var headers: HTTPHeaders = ["Accept": "text/event-stream"]
        headers["Last-Event-ID"] = lastEventID
        let response = try await client.stream("/api/v1/jobs/\(id)/events", headers: headers)
        guard response.isSuccess else {
            var body: [UInt8] = []
            for try await chunk in response.body { body += chunk }
            throw ClientError(refusal: HTTPResponse(status: response.status, body: body))
        }
        for try await event in response.events {
            lastEventID = event.id ?? lastEventID
            let job = try JSONDecoder().decode(JobResource.self, from: Data(event.data.utf8))
            take(job)
            if job.isFinished { return true }
        }
        return false
    }
}
