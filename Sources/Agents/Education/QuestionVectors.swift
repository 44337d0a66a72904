internal import JSON
internal import JobQueue
internal import News

/// The vectors of a question, as the journal keeps them.
struct QuestionVectors: Sendable {
    /// The model that made them: they are compared with vectors of no other.
    let model: String
    /// To compare with passages.
    let question: DenseVector
    /// To compare with articles, whose vectors are made to tell which are about the same.
    let topic: DenseVector

    /// `nil` when the call failed.
    init?(_ output: JSON) {
        guard let model = output["model"]?.string,
            let question = output["question"]?.string.flatMap({ DenseVector(VectorComponents.values(of: $0)) }),
            let topic = output["topic"]?.string.flatMap({ DenseVector(VectorComponents.values(of: $0)) })
        else { return nil }
        self.model = model
        self.question = question
        self.topic = topic
    }

    static func json(model: String, question: [Float], topic: [Float]) -> JSON {
        [
            "model": JSON(model), "question": JSON(VectorComponents.text(of: question)),
            "topic": JSON(VectorComponents.text(of: topic)),
        ]
    }
}
