/// A Handlebars template, parsed once and rendered as often as wanted.
struct Template: Sendable {
    let program: Program
    /// The partial that this is, for error messages; `nil` for the body of a prompt.
    let name: String?
    /// The partials that the template calls by a fixed name, in order of appearance, with the line of the first call.
    let partialReferences: [PartialReference]

    /// - Parameters:
    ///   - text: The template.
    ///   - name: The partial that this is.
    ///   - helpers: Names of helpers beyond the built-in ones.
    ///   - firstLine: The line of the file in which the template starts.
    /// - Throws: `PromptError` of stage `template`.
    init(
        parsing text: String, name: String? = nil, helpers: Set<String> = [], firstLine: Int = 1
    ) throws(PromptError) {
        var scanner = TemplateScanner(text, firstLine: firstLine, name: name)
        var parser = TemplateParser(try scanner.scan(), name: name, helpers: helpers)
        var program = try parser.parse()
        var whitespace = WhitespaceControl(contents: parser.contents)
        whitespace.apply(to: &program)
        self.program = whitespace.resolved(program)
        self.name = name
        partialReferences = parser.partialReferences
    }
}

/// A call of a partial by name.
public struct PartialReference: Sendable, Hashable {
    public let name: String
    /// The line of the file, counting from 1.
    public let line: Int
}
