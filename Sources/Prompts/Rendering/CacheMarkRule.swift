/// An entry of `dossier.cache`: a mark of the template, and what may stand before it.
package struct CacheMarkRule: Sendable, Hashable {
    /// The mark in front of what only a repair adds, which every prompt names in this way. Repairs read up to it.
    package static let draft = "draft"

    /// The inputs that the text since the mark before may depend on.
    package var inputs: [String]
    /// The number of later calls that are expected to read up to the mark, beside those that are known to come.
    package var reads: Double

    package init(inputs: [String], reads: Double = 0) {
        self.inputs = inputs
        self.reads = reads
    }
}
