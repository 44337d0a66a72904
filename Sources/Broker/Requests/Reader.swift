internal import Basics
internal import JobQueue

/// The language and the time zone of the person behind a request: a preference, else the request's header, else none.
struct Reader: Sendable {
    /// `nil` where nobody said: English for what the service writes of itself, an article's own for its summary.
    var language: Language?
    var zone: ZoneOffsets
}

/// Finds out who reads.
struct Readers: Sendable {
    let preferences: any PreferencesRepository

    /// The reader of a request.
    ///
    /// - Throws: `invalid` for an `X-Time-Zone` that is no time zone. An `Accept-Language` without a supported language
    ///   is passed over, as HTTP has it.
    func reader(_ context: RequestContext) async throws(APIError) -> Reader {
        let given = try context.timeZone()
        let stored: Preferences
        do throws(StoreError) {
            stored = try await preferences.preferences(of: context.user)
        } catch {
            throw APIError(error)
        }
        return Reader(
            language: stored.language ?? context.header("Accept-Language").flatMap { Language(acceptLanguage: $0) },
            zone: stored.timeZone.flatMap { ZoneOffsets(named: $0) } ?? given ?? .utc)
    }

    /// The reader's language.
    func language(_ context: RequestContext) async throws(APIError) -> Language? { try await reader(context).language }
}

extension APIError {
    /// The field holds no tag of a supported language.
    static func unknownLanguage(_ field: String) -> APIError {
        let known = Language.allCases.map(\.rawValue).joined(separator: ", ")
        return .invalid(field, "must be the tag of a language among \(known)")
    }
}

extension RequestContext {
    /// The zone that `X-Time-Zone` names; `nil` without the header.
    func timeZone() throws(APIError) -> ZoneOffsets? {
        guard let name = header("X-Time-Zone"), !name.isEmpty else { return nil }
        guard let zone = ZoneOffsets(named: name) else {
            throw .invalid("X-Time-Zone", "must be a time zone such as Europe/Berlin")
        }
        return zone
    }
}
