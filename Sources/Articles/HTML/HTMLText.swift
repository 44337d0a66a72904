/// Texts of feeds and metadata, which may hold markup or not.
package enum HTMLText {
    /// The text of a piece of HTML: tags taken out, references decoded, blocks apart from each other.
    package static func plain(_ html: String) -> String {
        guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
            return html.split(omittingEmptySubsequences: false) { $0 == "\n" }.map { String($0).collapsed }
                .joined(separator: "\n").trimmed
        }
        // Without an element around it, the parser would take a leading text for white space of the head.
        let page = HTMLReader.read(Array("<div>".utf8) + Array(html.utf8) + Array("</div>".utf8))
        return TextRenderer.text(of: [HTMLTree.root], in: page.tree)
    }

    /// The text of a piece of HTML in one line, as titles are.
    package static func line(_ html: String) -> String { plain(html).collapsed }
}
