internal import Prompts
internal import JobQueue

extension LibraryPage {
    /// The page as answers may rest on it: a passage for each section.
    var passages: [Passage] {
        sections.enumerated().map { place, section in
            let title = section.heading.map { "\(self.title): \($0)" } ?? self.title
            // Lines are broken for editors, paragraphs for readers.
            let text = section.text.split(separator: "\n\n").map { $0.replacing("\n", with: " ") }
                .joined(separator: "\n\n")
            return Passage(
                kind: .document, source: name, part: Int64(place), title: title, text: text,
                terms: ContentWords(title + "\n" + text).terms, writtenAt: 0)
        }
    }
}
