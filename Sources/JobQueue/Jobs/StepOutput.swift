package import JSON
internal import Synchronization

/// The first members of objects that many steps journal, encoded once for all of them.
package final class SharedMembers: Sendable {
    package let members: JSONObject
    /// The object as compact JSON without its closing brace.
    package let text: String
    /// The form in which a store keeps the text, once one has made it.
    private let stored = Mutex<[UInt8]?>(nil)

    /// - Parameter members: At least one member.
    package init(_ members: JSONObject) {
        self.members = members
        text = String(JSON.object(members).compact.dropLast())
    }

    /// The form in which a store keeps the text; `make` makes it the first time.
    package func stored<Failure: Error>(_ make: () throws(Failure) -> [UInt8]?) throws(Failure) -> [UInt8]? {
        if let known = stored.withLock(\.self) { return known }
        let made = try make()
        stored.withLock { $0 = made }
        return made
    }
}

/// An output of a step whose first members other steps have, too.
package struct SharedOutput: Sendable {
    package let shared: SharedMembers
    /// The members that follow; none has the key of a shared one.
    package let own: JSONObject

    package init(_ shared: SharedMembers, _ own: JSONObject) { (self.shared, self.own) = (shared, own) }

    package var json: JSON { .object(JSONObject(Array(shared.members) + Array(own))) }

    /// The compact JSON of the own members with the closing brace.
    package var rest: String { own.isEmpty ? "}" : "," + JSON.object(own).compact.dropFirst() }
}
