internal import JSON

extension KnownAnswer {
    /// The five parts of an explanation, from plain sentences of the articles and from calm ones of ours.
    var explanation: JSON {
        let articles = sections.all.filter {
            $0.name.first == "a" && $0.name.dropFirst().allSatisfy(\.isNumber) && $0.name.count > 1
        }
        var quotable = articles.flatMap { SourceSentences($0.text).calm }
        func next(_ otherwise: String) -> String { quotable.isEmpty ? otherwise : quotable.removeFirst() }
        let holding = sections["holdings"].split(whereSeparator: \.isNewline).first.map(String.init)
        let happened = [
            Phrases.marker, next("The article tells of a single matter."), next("It names who took part in it."),
        ]
        return [
            "what_happened": JSON((happened + [intrusion].compactMap(\.self)).joined(separator: " ")),
            "why_it_matters": JSON(
                (holding.map { "Since you hold \($0), this is about a business that you know." }
                    ?? "This is about how businesses and the people around them get on.")
                    + " It gives context, and it asks nothing of anybody."),
            "why_it_happened": [
                JSON(next("It began with what the article tells first.")),
                JSON(next("One thing then led to the next.")),
                "That is how it came to where it stands today.",
            ],
            "scenarios": [
                [
                    "title": "Things stay much as they are", "likelihood": "Medium",
                    "description": "Most matters of this kind settle without much change.",
                    "watch_for": "Later reports that tell the same would be a sign of it.",
                ],
                [
                    "title": "A slow change follows", "likelihood": "Low",
                    "description": "The matter goes on and shows in what is reported later.",
                    "watch_for": "A lasting difference in the next reports would be a sign of it.",
                ],
            ],
            "misunderstandings": [
                [
                    "belief": "One common misunderstanding is that a headline shows at once in how a business does.",
                    "reframe": "In fact such effects take time, and many never show.",
                ],
                [
                    "belief": "Another is that every piece of news asks for an answer.",
                    "reframe": "Most of it is there to be known and nothing else.",
                ],
            ],
            "closing": "Knowing this much is enough for today.",
            "sources": JSON(articles.map(\.name)),
        ]
    }
}
