internal import Foundation

/// An event of a stream.
struct StreamEvent: Equatable, Sendable {
    var id: String?
    var type: String?
    var data: String
}

/// Reads server-sent events from pieces that may be cut anywhere, also within a character or a line end.
///
/// An event counts when its blank line has come, so an event that the end of the stream cuts off is dropped.
struct EventParser {
    private static let (lineFeed, carriageReturn, colon, space) = (UInt8(10), UInt8(13), UInt8(58), UInt8(32))

    private var line: [UInt8] = []
    private var endedWithCarriageReturn = false
    private var isFirstLine = true
    private var data: [[UInt8]] = []
    private var id: String?
    private var type: String?
    /// The pause before reconnecting that the server asked for last.
    private(set) var retry: Duration?

    /// Takes a piece and returns the events that it completes.
    mutating func take(_ chunk: Data) -> [StreamEvent] {
        var events: [StreamEvent] = []
        for byte in chunk {
            if byte == Self.lineFeed, endedWithCarriageReturn {
                endedWithCarriageReturn = false
                continue
            }
            endedWithCarriageReturn = byte == Self.carriageReturn
            if byte == Self.lineFeed || byte == Self.carriageReturn {
                if let event = endLine() { events.append(event) }
            } else {
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> StreamEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        }
        guard !line.isEmpty else { return endEvent() }
        let name = line.prefix { $0 != Self.colon }
        var value = line.dropFirst(name.count + 1)
        if value.first == Self.space { value.removeFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: name, as: UTF8.self) {
        case "data": data.append(Array(value))
        case "event": type = text
        case "id": if !value.contains(0) { id = text }
        case "retry": if let number = Int64(text), (0...86_400_000).contains(number) { retry = .milliseconds(number) }
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> StreamEvent? {
        defer {
            data.removeAll()
            type = nil
        }
        guard !data.isEmpty else { return nil }
        return StreamEvent(
            id: id, type: type, data: String(decoding: Array(data.joined(separator: [Self.lineFeed])), as: UTF8.self))
    }
}

extension StreamEvent {
    /// The job as it was then, with the revision that the event's id has for it.
    func job() throws -> Job {
        var job = try JSONDecoder.dossier.decode(Job.self, from: Data(data.utf8))
        for pair in (id ?? "").split(separator: ",") {
            let parts = pair.split(separator: ":")
            if parts.count == 2, parts[0] == job.id.rawValue { job.revision = Job.Revision(tag: parts[1]) }
        }
        return job
    }
}
