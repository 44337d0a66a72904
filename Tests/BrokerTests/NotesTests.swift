import Testing

@testable import Broker

/// The written notes on the API.
@Suite struct NotesTests {
    /// A note that cannot be read would leave the description empty.
    @Test func theNotesOfThisVersionCanBeRead() throws {
        let notes = try APINotes(parsing: APINotes.texts)
        #expect(notes.operations.count > 40)
    }
}
