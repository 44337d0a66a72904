/// The id of a job: a UUID of version 7, so ids sort by the time of their creation.
package struct JobID: Hashable, Comparable, Sendable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates an id from the time and 74 random bits (RFC 9562, section 5.7).
    package init(at now: Timestamp, using generator: inout some RandomNumberGenerator) {
        let time = UInt64(bitPattern: now.milliseconds) << 16
        high = time | 0x7000 | UInt64.random(in: 0...0xFFF, using: &generator)
        low = 0x8000_0000_0000_0000 | UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF, using: &generator)
    }

    package static func < (left: JobID, right: JobID) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }

    /// The time at which the id was created.
    package var createdAt: Timestamp { Timestamp(milliseconds: Int64(high >> 16)) }
}

extension JobID: LosslessStringConvertible {
    /// Parses the usual form of 36 characters with hyphens, in either case and of any version.
    package init?(_ text: String) {
        guard text.utf8.count == 36 else { return nil }
        var value: (high: UInt64, low: UInt64) = (0, 0)
        var place = 0
        for byte in text.utf8 {
            defer { place += 1 }
            if UUIDText.isHyphen(at: place) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Self.digit(byte) else { return nil }
            value = (value.high << 4 | value.low >> 60, value.low << 4 | digit)
        }
        (high, low) = value
    }

    package var description: String { UUIDText(high: high, low: low).description }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

/// The 128 bits of a UUID in its usual form of 36 characters.
package struct UUIDText: CustomStringConvertible, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var place = 0
            for shift in stride(from: 124, through: 0, by: -4) {
                if Self.isHyphen(at: place) {
                    buffer[place] = UInt8(ascii: "-")
                    place += 1
                }
                let nibble = UInt8((shift >= 64 ? high >> UInt64(shift - 64) : low >> UInt64(shift)) & 0xF)
                buffer[place] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
                place += 1
            }
            return 36
        }
    }

    fileprivate static func isHyphen(at place: Int) -> Bool { place == 8 || place == 13 || place == 18 || place == 23 }
}

/// A user's account number. Accounts map external subjects to it.
package struct UserID: RawRepresentable, Hashable, Comparable, Codable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package static func < (left: UserID, right: UserID) -> Bool { left.rawValue < right.rawValue }
}

/// The id of one run of a worker process; a restarted process is another worker.
package struct WorkerID: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
}
