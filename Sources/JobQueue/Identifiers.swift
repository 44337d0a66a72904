/// The id of a job: a UUID of version 7, so ids sort by the time at which the broker made them.
public struct JobID: Hashable, Comparable, Sendable {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes an id from the time and 74 random bits (RFC 9562, section 5.7).
    public init(at now: Timestamp, using generator: inout some RandomNumberGenerator) {
        let time = UInt64(bitPattern: now.milliseconds) << 16
        high = time | 0x7000 | UInt64.random(in: 0...0xFFF, using: &generator)
        low = 0x8000_0000_0000_0000 | UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF, using: &generator)
    }

    public static func < (left: JobID, right: JobID) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }

    /// The moment at which the id was made.
    public var createdAt: Timestamp { Timestamp(milliseconds: Int64(high >> 16)) }
}

extension JobID: LosslessStringConvertible {
    /// Reads the usual form, 36 characters with hyphens, in either case; any version is accepted.
    public init?(_ text: String) {
        guard text.utf8.count == 36 else { return nil }
        var value: (high: UInt64, low: UInt64) = (0, 0)
        for (place, byte) in text.utf8.enumerated() {
            if [8, 13, 18, 23].contains(place) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            value = (value.high << 4 | value.low >> 60, value.low << 4 | UInt64(digit))
        }
        (high, low) = value
    }

    public var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: 36) { buffer in
            var place = 0
            for shift in stride(from: 124, through: 0, by: -4) {
                if [8, 13, 18, 23].contains(place) {
                    buffer[place] = UInt8(ascii: "-")
                    place += 1
                }
                let nibble = shift >= 64 ? high >> UInt64(shift - 64) : low >> UInt64(shift)
                buffer[place] = digits[Int(nibble & 0xF)]
                place += 1
            }
            return 36
        }
    }
}

/// A user's number inside Dossier. External subjects are mapped to it by the accounts.
public struct UserID: RawRepresentable, Hashable, Comparable, Sendable {
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    public static func < (left: UserID, right: UserID) -> Bool { left.rawValue < right.rawValue }
}

/// One run of a worker process; a restarted process is another worker.
public struct WorkerID: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }
}

/// A worker's right to a job.
///
/// The epoch grows at every claim of the job and never otherwise. Every write of a worker carries its lease; once the
/// job was claimed again, cancelled, rescued or finished, the lease is void and such a write changes nothing.
public struct Lease: Hashable, Sendable {
    public let job: JobID
    public let epoch: Int64

    public init(job: JobID, epoch: Int64) {
        self.job = job
        self.epoch = epoch
    }
}
