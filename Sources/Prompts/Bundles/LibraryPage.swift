/// A page of the library: an explanation of a notion of investing, in sections.
public struct LibraryPage: Sendable, Hashable {
    public struct Section: Sendable, Hashable {
        /// `nil` for what stands before the first heading.
        public var heading: String?
        public var text: String
    }

    /// The file's name without its ending.
    public var name: String
    public var title: String
    public var sections: [Section]
}
