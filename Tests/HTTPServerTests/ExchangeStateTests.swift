import HTTP
import Testing

@testable import HTTPServer

private let answer = ServerResponse(status: 201)
private let stream = ServerResponse(status: 202, body: .stream { AsyncStream { $0.finish() } })

private func handling() -> ExchangeState { ExchangeState() }

private func streaming() -> ExchangeState {
    var state = handling()
    _ = state.respond(stream)
    _ = state.take()
    return state
}

private func read(_ state: inout ExchangeState, room: Int = 100) -> (ExchangeState.ReadResult, [UInt8]) {
    var buffer = [UInt8](repeating: 0, count: room)
    let reading = buffer.withUnsafeMutableBytes { state.read(into: $0) }
    if case .copied(let count) = reading { return (reading, Array(buffer[..<count])) }
    return (reading, [])
}

@Suite struct ExchangeStateTests {
    @Test func aResponseBeforeTheConnectionIsSuspendedNeedsNoResume() {
        var state = handling()
        #expect(state.respond(answer) == .none)
        #expect(state.suspend() == false)
        #expect(state.take()?.status == 201)
        #expect(state.take() == nil)
    }

    @Test func aResponseAfterTheConnectionIsSuspendedResumesItOnce() {
        var state = handling()
        #expect(state.suspend() == true)
        #expect(state.respond(answer) == .resume)
        #expect(state.respond(stream) == .none)
        #expect(!state.isSuspended)
        #expect(state.take()?.status == 201)
    }

    @Test func aResponseAfterTheEndIsDropped() {
        var state = handling()
        #expect(state.suspend() == true)
        #expect(state.finish() == .resume)
        #expect(state.respond(answer) == .none)
        #expect(state.take() == nil)
        #expect(state.suspend() == false)
    }

    @Test func aChunkIsReadInPartsAndThenTheNextIsRequested() {
        var state = streaming()
        #expect(read(&state).0 == .suspend(needsChunk: true))
        #expect(state.offer([1, 2, 3]) == (true, .resume))
        #expect(read(&state, room: 2).1 == [1, 2])
        #expect(read(&state, room: 2).1 == [3])
        #expect(read(&state).0 == .suspend(needsChunk: true))
        #expect(state.isSuspended)
    }

    @Test func aChunkMayComeBeforeTheHeadIsSent() {
        var state = handling()
        #expect(state.suspend() == true)
        #expect(state.respond(stream) == .resume)
        #expect(state.offer([1]) == (true, .none))
        #expect(state.endStream() == .none)
        #expect(state.take() != nil)
        #expect(read(&state).1 == [1])
        #expect(read(&state).0 == .end)
    }

    @Test func theEndOfAStreamWaitsForItsLastChunk() {
        var state = streaming()
        #expect(state.offer([1, 2]) == (true, .none))
        #expect(state.endStream() == .none)
        #expect(state.offer([3]) == (false, .none))
        #expect(read(&state).1 == [1, 2])
        #expect(read(&state).0 == .end)
    }

    @Test func theEndOfAStreamResumesASuspendedConnection() {
        var state = streaming()
        #expect(read(&state).0 == .suspend(needsChunk: true))
        #expect(state.endStream() == .resume)
        #expect(read(&state).0 == .end)
    }

    @Test func anAbandonedStreamIsAborted() {
        var state = streaming()
        #expect(read(&state).0 == .suspend(needsChunk: true))
        #expect(state.finish() == .resume)
        #expect(state.offer([1]) == (false, .none))
        #expect(read(&state).0 == .fail)
    }

    @Test func chunksWithoutAStreamAreUnwanted() {
        var state = handling()
        #expect(state.offer([1]) == (false, .none))
        _ = state.respond(answer)
        _ = state.take()
        #expect(state.offer([1]) == (false, .none))
    }
}
