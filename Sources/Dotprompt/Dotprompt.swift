/// Google's format for prompts as files: YAML front matter, then a Handlebars template.
///
///     let prompt = try Dotprompt.parse("""
///         ---
///         model: claude
///         input: {schema: {ticker: string}}
///         ---
///         {{role "system"}}You read annual reports.
///         {{role "user"}}What should I know about {{ticker}}?
///         """)
///     let rendered = try prompt.render(input: ["ticker": "AAPL"])
public enum Dotprompt {
    /// Reads a prompt.
    ///
    /// - Throws: `PromptError` with the line of the file.
    public static func parse(
        _ source: String, environment: PromptEnvironment = PromptEnvironment()
    ) throws(PromptError) -> Prompt {
        try Prompt(parsing: source, environment: environment)
    }

    /// The template of a partial without front matter, and the line of the file in which it starts.
    public static func body(of source: String) -> (text: String, line: Int) {
        let parts = FrontMatter(source)
        return (parts.body, parts.bodyLine)
    }
}
