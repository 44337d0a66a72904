/// A figure found in a text.
struct Figure {
    /// One way to understand a figure. `10` in `$10–12 billion` can be ten dollars and ten billion.
    struct Reading: Equatable {
        enum Kind: Equatable {
            case plain
            /// Of people, shops or other things that are neither money nor shares.
            case count
            case percent
            /// In one of these currencies.
            case money(Set<String>)
            case times
            case shares
            case years
            /// `two-thirds`, as a share of one.
            case fraction
            /// `doubled` (2), `fivefold` (5), `halved` (0.5).
            case multiple
        }

        var kind: Kind
        /// Without its sign.
        var value: Double
        /// The value of one unit in the last digit that counts; a fact is the same figure when it rounds to it.
        var step: Double
    }

    enum Direction { case up, down }

    /// As it was written, with its unit.
    var text: String
    var readings: [Reading]
    /// What a sign or the verb right before it says.
    var direction: Direction?
    /// In brackets, which bookkeepers use for a minus and writers for an aside.
    var isBracketed = false
    /// A small number in words, which only counts as a figure when it is one end of a range (`five to six percent`).
    var isTentative = false
    /// Where it stands in the tokens and in the text.
    var tokens: Range<Int>
    var range: Range<Int>
    /// The number as written times its own scale word, which a neighbour's unit may apply to (`10` of `10 to 12%`).
    var number: Double
    var numberStep: Double
    /// 1 where no scale word was written.
    var scale: Double
}
