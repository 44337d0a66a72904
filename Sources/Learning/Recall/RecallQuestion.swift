package import JSON

/// A question by which a learner tests what they remember of a text, with what its answer rests on.
package struct RecallQuestion: Sendable, Hashable {
    package enum Form: String, Sendable, Hashable, CaseIterable { case open, mcq }

    /// The text that the question is about.
    package struct Source: Sendable, Hashable {
        package var url: String
        package var title: String?
        /// `article` or `video`; `nil` where it is not known.
        package var kind: String?

        package init(url: String, title: String? = nil, kind: String? = nil) {
            self.url = url
            self.title = title
            self.kind = kind
        }

        package var json: JSON { ["url": JSON(url), "title": JSON(title), "kind": JSON(kind)] }
    }

    package var form: Form
    package var question: String
    /// The options of an `mcq`, one of which is the answer; empty for an open question.
    package var options: [String]
    package var answer: String
    package var concept: String
    /// The passage of the text that holds the answer, word for word.
    package var sourceSpan: String
    package var source: Source
    /// The analysis that asked; `nil` for a card that was imported.
    package var analysis: String?

    package init(
        form: Form, question: String, options: [String] = [], answer: String, concept: String, sourceSpan: String,
        source: Source, analysis: String? = nil
    ) {
        self.form = form
        self.question = question
        self.options = options
        self.answer = answer
        self.concept = concept
        self.sourceSpan = sourceSpan
        self.source = source
        self.analysis = analysis
    }
}

extension RecallQuestion {
    /// The form in stores, without concept and address, which have columns of their own.
    var stored: JSON {
        [
            "type": JSON(form.rawValue), "question": JSON(question), "options": JSON(options), "answer": JSON(answer),
            "source_span": JSON(sourceSpan), "title": JSON(source.title), "kind": JSON(source.kind),
            "analysis": JSON(analysis),
        ]
    }

    init?(stored: JSON, concept: String, url: String) {
        guard let form = stored["type"]?.string.flatMap(Form.init), let question = stored["question"]?.string,
            let answer = stored["answer"]?.string, let span = stored["source_span"]?.string
        else { return nil }
        self.init(
            form: form, question: question, options: stored["options"]?.array?.compactMap(\.string) ?? [],
            answer: answer, concept: concept, sourceSpan: span,
            source: Source(url: url, title: stored["title"]?.string, kind: stored["kind"]?.string),
            analysis: stored["analysis"]?.string)
    }
}
