internal import JSON
internal import JobQueue

/// `/v1/preferences`: what somebody owns and how much other news they want to see.
struct PreferencesRoutes: Sendable {
    let preferences: any PreferencesRepository

    func get(_ call: Call) async throws(APIError) -> Reply {
        do {
            return Reply(Self.json(try await preferences.preferences(of: call.user.rawValue)))
        } catch {
            throw APIError(error)
        }
    }

    func put(_ call: Call) async throws(APIError) -> Reply {
        let change = try PreferencesRequest(try call.body()).change
        let changed: Preferences
        do {
            changed = try await preferences.change(preferencesOf: call.user.rawValue, change)
        } catch {
            throw APIError(error)
        }
        return Reply([
            "success": true, "focus_profile": JSON(changed.focus.rawValue),
            "holdings_count": JSON(changed.holdings.count),
        ])
    }

    /// What was said, with the members of a change's answer, so that one type reads both.
    private static func json(_ preferences: Preferences) -> JSON {
        [
            "success": true, "focus_profile": JSON(preferences.focus.rawValue),
            "holdings_count": JSON(preferences.holdings.count),
            "holdings": .array(
                preferences.holdings.map {
                    ["ticker": JSON($0.ticker), "label": JSON($0.label), "notes": JSON($0.notes)]
                }),
            "updated_at": JSON(preferences.updatedAt.map { Timestamp(milliseconds: $0).iso8601 }),
        ]
    }
}
