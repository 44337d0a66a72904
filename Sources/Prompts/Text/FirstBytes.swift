/// The first bytes of a word, by which phrases are looked up without a string for each word.
struct FirstBytes: Hashable {
    private let bytes: UInt32

    /// - Parameters:
    ///   - word: The word.
    ///   - count: The number of bytes, four at most.
    init(_ word: some StringProtocol, _ count: Int) {
        bytes = word.utf8.prefix(count).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
