package import JSON

/// A request that the simulator got, and what became of it.
package struct RecordedCall: Sendable, Hashable {
    package enum Outcome: Sendable, Hashable {
        /// Not answered yet, or still being answered.
        case underWay
        /// Answered whole.
        case answered(status: Int)
        /// The client left, or the simulator broke the connection off, before the answer was whole.
        case brokenOff(status: Int)
    }

    /// Counts from 1, in the order of arrival.
    package var sequence: Int
    package var service: SimulatedService
    /// What the request names; `nil` where there is none.
    package var model: String?
    package var method: String
    /// As requested, with the service's prefix.
    package var path: String
    /// Without keys, which are shown as `***`.
    package var headers: [(name: String, value: String)] { headerFields.map { ($0.name, $0.value) } }
    var headerFields: [HeaderField]
    /// `nil` when there is none or it is no JSON.
    package var body: JSON?
    /// SHA-256 of the body's canonical form, so that equal requests can be counted; `nil` where there is no body.
    package var bodyHash: String?
    /// The name of the fault that it met.
    package var fault: String?
    package var outcome: Outcome
    /// Milliseconds since 1970.
    package var startedAt: Int64
    package var finishedAt: Int64?

    struct HeaderField: Sendable, Hashable {
        var name: String
        var value: String
    }

    /// As `GET /simulator/requests` lists it.
    package var json: JSON {
        var headers = JSONObject()
        for field in headerFields { headers[field.name.lowercased()] = JSON(field.value) }
        let (state, status): (String, Int?) =
            switch outcome {
            case .underWay: ("under_way", nil)
            case .answered(let status): ("answered", status)
            case .brokenOff(let status): ("broken_off", status)
            }
        return [
            "sequence": JSON(sequence), "service": JSON(service.rawValue), "model": JSON(model),
            "method": JSON(method), "path": JSON(path), "headers": .object(headers), "body": body ?? .null,
            "body_hash": JSON(bodyHash), "fault": JSON(fault), "outcome": JSON(state), "status": JSON(status),
            "started_at": JSON(startedAt), "finished_at": JSON(finishedAt),
        ]
    }
}
