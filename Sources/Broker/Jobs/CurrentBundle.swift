package import JobQueue
internal import JSON
internal import JSONSchema
package import Prompts
internal import Synchronization

/// The bundle for new jobs. It is replaced as a whole or not at all.
package final class CurrentBundle: Sendable {
    private let current: Mutex<ServedBundle>
    private let refusal = Mutex<RefusedReload?>(nil)
    private let store: any BundleRepository & FleetStore & PassageRepository

    /// Stores the bundle, so that any worker finds it by its hash, and makes it the fleet's current one, with its
    /// limits, schedules and library.
    package init(_ bundle: Bundle, storedIn store: any BundleRepository & FleetStore & PassageRepository) async throws {
        current = Mutex(try ServedBundle(bundle))
        self.store = store
        try await adopt(bundle)
    }

    package var value: Bundle { served.bundle }

    var served: ServedBundle { current.withLock { $0 } }

    /// The limits of its kinds.
    var limits: [String: ConcurrencyLimits] { value.kinds.mapValues(\.limits) }

    /// Replaces the bundle for future jobs. Unfinished jobs keep theirs, except for the limits of their kinds.
    package func replace(with next: Bundle) async throws {
        let served = try ServedBundle(next)
        try await adopt(next)
        current.withLock { $0 = served }
        refusal.withLock { $0 = nil }
    }

    /// The latest reload, when it was refused.
    var refused: RefusedReload? { refusal.withLock(\.self) }

    /// Notes a reload that changed nothing, for operators, until one succeeds.
    package func refuse(_ reload: RefusedReload) { refusal.withLock { $0 = reload } }

    private func adopt(_ bundle: Bundle) async throws {
        try await store.store(bundle: bundle.hash, archive: bundle.archive)
        try await store.adopt(bundle: bundle.hash, limits: bundle.kinds.mapValues(\.limits))
        try await store.replaceCommonPassages(of: .document, with: bundle.library.flatMap(\.passages))
    }
}

/// A bundle with its compiled input schemas. Compiling a schema costs more than the rest of a submit, so it is done
/// once.
///
/// A class, so that a reader retains one reference instead of one per member.
final class ServedBundle: Sendable {
    let bundle: Bundle
    /// The input schemas by kind.
    let inputs: [String: JSONSchema]
    /// The kinds whose input has a language.
    let takeLanguage: Set<String>

    /// - Throws: `JSONSchemaError`; never for a validated bundle.
    init(_ bundle: Bundle) throws(JSONSchemaError) {
        self.bundle = bundle
        var inputs: [String: JSONSchema] = [:]
        for (name, kind) in bundle.kinds { inputs[name] = try JSONSchema(kind.inputSchema) }
        self.inputs = inputs
        takeLanguage = Set(bundle.kinds.filter { $0.value.inputSchema["properties"]?["language"] != nil }.keys)
    }
}

extension LibraryPage {
    /// The page as passages that answers may cite, one for each section.
    var passages: [Passage] {
        sections.enumerated().map { place, section in
            let title = section.heading.map { "\(self.title): \($0)" } ?? self.title
            // A line break within a paragraph has no meaning.
            let text = section.text.split(separator: "\n\n").map { $0.replacing("\n", with: " ") }
                .joined(separator: "\n\n")
            return Passage(
                kind: .document, source: name, part: Int64(place), title: title, text: text,
                terms: ContentWords(title + "\n" + text).terms, writtenAt: Timestamp(milliseconds: 0))
        }
    }
}
