internal import Basics
internal import DossierAPI

/// The users of one of several databases, by the slots of their subjects.
///
/// The slot of a user never changes, so that a gateway computes it and chooses the broker without asking anybody. Each
/// database has ranges of slots for ever; no two have one in common.
package struct UserSlots: Sendable, Hashable {
    /// The number of slots.
    package static let count = 1024
    /// All users: those of a service with one database.
    package static let all = UserSlots(ranges: [0...count - 1])

    private let ranges: [ClosedRange<Int>]

    private init(ranges: [ClosedRange<Int>]) { self.ranges = ranges }

    /// Reads slots and ranges of them, separated by commas, as in `0-255,512`; `nil` for any other text, and for a slot
    /// that is named twice.
    package init?(_ text: String) {
        var ranges: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(Self.slot(named:))
            guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last,
                !ranges.contains(where: { $0.overlaps(first...last) })
            else { return nil }
            ranges.append(first...last)
        }
        self.init(ranges: ranges)
    }

    private static func slot(named text: Substring) -> Int? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard text.utf8.count <= 4, text.utf8.allSatisfy(digits.contains), let slot = Int(text), slot < count else {
            return nil
        }
        return slot
    }

    /// The slot of a subject: the first ten bits of the SHA-256 digest of its bytes.
    package static func slot(of subject: String) -> Int {
        let digest = SHA256.digest(Array(subject.utf8))
        return Int(digest[0]) << 2 | Int(digest[1]) >> 6
    }

    /// Whether these are all slots, so that no subject needs a look.
    package var isAll: Bool { ranges == Self.all.ranges }

    /// Whether the user of a subject is here.
    package func contains(_ subject: String) -> Bool {
        isAll || ranges.contains { $0.contains(Self.slot(of: subject)) }
    }
}

extension APIError {
    /// The user's records are in another database of the service.
    static let misdirected = APIError(
        421, .misdirected, "This user belongs to another broker: the slot is none of DOSSIER_USER_SLOTS.",
        user: "Something went wrong. Please try again later.")
}
