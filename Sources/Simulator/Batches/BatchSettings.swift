internal import JSON

/// The time that batches take, and the lines of them that fail.
package struct BatchSettings: Sendable, Hashable {
    /// Seconds until the last line is answered; lines are answered at even intervals.
    package var seconds: Double
    /// The share of lines that end with an error of the provider.
    package var errored: Double
    /// The share of lines that expire.
    package var expired: Double
    package var seed: UInt64

    /// The time after which providers give up the lines that are left, in milliseconds.
    static let longest: Int64 = 86_400_000

    package init(seconds: Double = 0, errored: Double = 0, expired: Double = 0, seed: UInt64 = 1) {
        self.seconds = seconds
        self.errored = errored
        self.expired = expired
        self.seed = seed
    }

    /// Reads `seconds 60, errored 0.01, expired 0.01, seed 3`.
    package init(parsing text: String) throws(SettingSyntaxError) {
        try self.init(.object(SettingList.amounts(text, example: "seconds 60")))
    }

    init(_ fields: JSON) throws(SettingSyntaxError) {
        guard let members = fields.object else { throw SettingSyntaxError("the settings must be an object") }
        self.init()
        for (name, value) in members {
            guard let amount = value.double, amount >= 0, amount <= 1e9 else {
                throw SettingSyntaxError("'\(name)' must be a number from 0")
            }
            switch name {
            case "seconds": seconds = amount
            case "errored" where amount <= 1: errored = amount
            case "expired" where amount <= 1: expired = amount
            case "seed": seed = UInt64(amount)
            case "errored", "expired": throw SettingSyntaxError("'\(name)' must be from 0 to 1")
            default:
                throw SettingSyntaxError(
                    "batches have no '\(name)'; they have seconds, errored, expired and seed")
            }
        }
    }

    var json: JSON {
        [
            "seconds": JSON(seconds), "errored": JSON(errored), "expired": JSON(expired),
            "seed": JSON(Int64(bitPattern: seed)),
        ]
    }
}
