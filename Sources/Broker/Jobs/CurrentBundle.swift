package import JobQueue
internal import JSONSchema
package import Prompts
internal import Synchronization

/// The bundle that new jobs are submitted with. It is replaced whole, or not at all.
package final class CurrentBundle: Sendable {
    private let current: Mutex<ServedBundle>
    private let store: any BundleRepository & FleetStore & PassageRepository

    /// Stores the bundle, so that any worker finds it by its hash, and makes it the fleet's current one: its limits and
    /// schedules hold from now on, and answers may rest on its library.
    package init(_ bundle: Bundle, storedIn store: any BundleRepository & FleetStore & PassageRepository) async throws {
        current = Mutex(try ServedBundle(bundle))
        self.store = store
        try await adopt(bundle)
    }

    package var value: Bundle { served.bundle }

    var served: ServedBundle { current.withLock { $0 } }

    /// Takes up another bundle for the jobs to come; those that are under way keep theirs, but for the limits of their
    /// kinds.
    package func replace(with next: Bundle) async throws {
        let served = try ServedBundle(next)
        try await adopt(next)
        current.withLock { $0 = served }
    }

    private func adopt(_ bundle: Bundle) async throws {
        try await store.store(bundle: bundle.hash, archive: bundle.archive)
        try await store.adopt(bundle: bundle.hash, limits: bundle.kinds.mapValues(\.limits))
        try await store.replaceCommonPassages(of: .document, with: bundle.library.flatMap(\.passages))
    }
}

/// A bundle and what is worked out once of it, so that a submit need not: to compile a schema with its patterns costs
/// more than all the rest of a submit.
///
/// A class, so that to pick it up costs one count and not one for each member.
final class ServedBundle: Sendable {
    let bundle: Bundle
    /// The schemas of inputs, by kind.
    let inputs: [String: JSONSchema]

    /// - Throws: `JSONSchemaError`; a bundle that was validated has none.
    init(_ bundle: Bundle) throws(JSONSchemaError) {
        self.bundle = bundle
        var inputs: [String: JSONSchema] = [:]
        for (name, kind) in bundle.kinds { inputs[name] = try JSONSchema(kind.inputSchema) }
        self.inputs = inputs
    }
}

extension LibraryPage {
    /// The page as answers may rest on it: a passage for each section.
    var passages: [Passage] {
        sections.enumerated().map { place, section in
            let title = section.heading.map { "\(self.title): \($0)" } ?? self.title
            // Lines are broken for editors, paragraphs for readers.
            let text = section.text.split(separator: "\n\n").map { $0.replacing("\n", with: " ") }
                .joined(separator: "\n\n")
            return Passage(
                kind: .document, source: name, part: Int64(place), title: title, text: text,
                terms: ContentWords(title + "\n" + text).terms, writtenAt: 0)
        }
    }
}
