import JSON
import Testing
import YAML

@testable import Broker

/// The written notes on the API.
@Suite struct NotesTests {
    /// A note that cannot be read would leave the description empty.
    @Test func theNotesOfThisVersionCanBeRead() throws {
        let notes = try APINotes(parsing: APINotes.texts)
        #expect(notes.operations.count > 40)
    }

    /// Of two with one name, only one would be in the description.
    @Test func noSchemaOperationOrCodeIsWrittenTwice() throws {
        for part in ["schemas", "operations", "parameters", "error_codes", "results"] {
            let names = try APINotes.texts.flatMap { text in
                try YAMLDocument(parsing: text).value[part]?.object?.keys.map(\.self) ?? []
            }
            let twice = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
            #expect(twice == [], "\(part)")
        }
    }
}
