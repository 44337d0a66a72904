internal import JSON

extension KnownAnswer {
    /// A question for each of the first concepts, every other one with options.
    var questions: JSON {
        mutating get {
            let concepts = (try? JSON(parsing: sections["concepts"]))?.array ?? []
            var questions: [JSON] = []
            var used: Set<String> = []
            for concept in concepts where questions.count < 4 {
                guard let name = concept["name"]?.string, let passage = concept["passage"]?.string,
                    used.insert(passage).inserted
                else { continue }
                let index = questions.count
                questions.append(index % 2 == 0 ? open(name, passage, index) : choice(name, passage))
            }
            return ["questions": .array(questions)]
        }
    }

    private func open(_ name: String, _ passage: String, _ index: Int) -> JSON {
        let forms = [
            "What would change for somebody who understands \(name)?",
            "How would you put \(name) to use, and for what reason?",
        ]
        return [
            "type": "open", "question": JSON(forms[index / 2 % forms.count]), "concept": JSON(name),
            "answer": JSON(prose(passage)), "quote": JSON(passage),
        ]
    }

    private mutating func choice(_ name: String, _ passage: String) -> JSON {
        let options = [
            passage, "Nothing about \(name) can be known.", "It is the opposite of what its name says.",
            "It has no bearing on anything else.",
        ]
        return [
            "type": "mcq", "question": JSON("Which of these statements about \(name) holds?"), "concept": JSON(name),
            "answer": JSON(passage), "options": JSON(options.shuffled(using: &random)), "quote": JSON(passage),
        ]
    }
}
