/// A page of the library: an explanation of a notion of investing, in sections.
package struct LibraryPage: Sendable, Hashable {
    package struct Section: Sendable, Hashable {
        /// `nil` for what stands before the first heading.
        package var heading: String?
        package var text: String
    }

    /// The file's name without its ending.
    package var name: String
    package var title: String
    package var sections: [Section]
}
