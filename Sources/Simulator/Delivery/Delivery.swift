/// The steps in which an answer goes out.
struct Delivery: Sendable {
    enum Step: Sendable {
        case send([UInt8])
        case wait(Duration)
        /// Nothing more comes, and the connection stays open.
        case stall
        /// The connection breaks off.
        case breakOff
    }

    var steps: [Step]

    /// Of the faults, only those that concern the way an answer goes out matter here.
    init(_ answer: Answer, pacing: Pacing, fault: FaultAction?) {
        var firstByte = pacing.firstByte
        var perDelta = Duration.zero
        if case .slow(let first, let each) = fault { (firstByte, perDelta) = (first, each) }
        steps = firstByte > .zero ? [.wait(firstByte)] : []
        switch answer.body {
        case .whole(let bytes):
            let pause = pacing.duration(ofTokens: answer.tokens)
            if pause > .zero { steps.append(.wait(pause)) }
            if case .cut = fault {
                steps += [.send(Array(bytes.prefix(bytes.count / 2))), .breakOff]
            } else if case .stallMidStream = fault {
                steps += [.send(Array(bytes.prefix(bytes.count / 2))), .stall]
            } else {
                steps.append(.send(bytes))
            }
        case .pieces(let pieces): add(pieces, pacing, perDelta, fault)
        }
    }

    private mutating func add(
        _ pieces: [Answer.Piece], _ pacing: Pacing, _ perDelta: Duration, _ fault: FaultAction?
    ) {
        let (last, ending): (Int, Step?) =
            switch fault {
            case .cut(let after): (after, .breakOff)
            case .stallMidStream(let after): (after, .stall)
            default: (.max, nil)
            }
        var deltas = 0
        for piece in pieces {
            if piece.tokens > 0 {
                if deltas >= last { break }
                deltas += 1
                let pause = pacing.duration(ofTokens: piece.tokens) + perDelta
                if pause > .zero { steps.append(.wait(pause)) }
            }
            steps.append(.send(piece.bytes))
        }
        guard let ending else { return }
        // A stream with fewer deltas must not get its end either: it would be whole.
        if deltas < last { steps = Array(steps.prefix(max(1, steps.count / 2))) }
        // Half of a line is worse than whole lines: a reader must not take it for an event.
        if let delta = pieces.first(where: { $0.tokens > 0 }) {
            steps.append(.send(Array(delta.bytes.prefix(delta.bytes.count / 2))))
        }
        steps.append(ending)
    }

    var breaksOff: Bool { steps.contains { if case .breakOff = $0 { true } else { false } } }

    /// The whole body, when it goes out at once.
    var immediate: [UInt8]? {
        guard steps.count == 1, case .send(let bytes) = steps[0] else { return nil }
        return bytes
    }
}
