internal import JSON

/// JSON Merge Patch (RFC 7386): members replace members, `null` removes one, anything but an object replaces all.
enum MergePatch {
    static func apply(_ patch: JSON, to value: JSON) -> JSON {
        guard let members = patch.object else { return patch }
        var result = value.object == nil ? JSON.object([:]) : value
        for (key, member) in members {
            // Not a literal: that would be JSON's own null.
            result[key] = member.isNull ? Optional<JSON>.none : apply(member, to: result[key] ?? .null)
        }
        return result
    }
}
