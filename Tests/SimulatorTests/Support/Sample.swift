import JSON

/// A prompt with facts, and a schema to answer it in.
enum Sample {
    static let prompt = """
        Company: Apple Inc.
        Ticker: AAPL
        <facts>
        [revenue_fy2025] Revenue: 416,161 million USD (FY2025, 10-K)
        [net_income_fy2025] Net income: 112,010 million USD (FY2025, 10-K)
        [eps_fy2025] Diluted EPS: 7.46 USD per share (FY2025, 10-K)
        [debt_fy2025] Long-term debt: 78,328 million USD (FY2025, 10-K)
        </facts>
        Write the report.
        """

    static let figures = ["416,161 million USD", "112,010 million USD", "7.46 USD per share", "78,328 million USD"]

    static let schema: JSON = [
        "type": "object", "additionalProperties": false,
        "required": ["summary", "thesis", "risks", "stance", "valuation"],
        "properties": [
            "summary": ["type": "string", "description": "three to five sentences"],
            "thesis": ["type": "string", "description": "two to four paragraphs"],
            "risks": [
                "type": "array", "description": "Exactly three risks, each in two sentences",
                "items": ["$ref": "#/$defs/point"],
            ],
            "stance": ["type": "string", "enum": ["fits", "mixed", "does_not_fit"]],
            "valuation": ["anyOf": [["type": "null"], ["type": "string", "description": "exactly two sentences"]]],
        ],
        "$defs": [
            "point": [
                "type": "object", "additionalProperties": false, "required": ["title", "detail", "evidence"],
                "properties": [
                    "title": ["type": "string"], "detail": ["type": "string", "description": "two sentences"],
                    "evidence": ["type": "array", "items": ["type": "string"]],
                ],
            ]
        ],
    ]

    static let claudeFormat: JSON = ["format": ["type": "json_schema", "schema": schema]]
    static let geminiFormat: JSON = ["responseMimeType": "application/json", "responseJsonSchema": schema]
    static let openAIFormat: JSON = [
        "type": "json_schema", "json_schema": ["name": "report", "strict": true, "schema": schema],
    ]

    static let quoteSchema: JSON = [
        "type": "object", "properties": ["symbol": ["type": "string"]], "required": ["symbol"],
    ]

    /// The problems of an answer to `schema`; empty when there are none.
    static func problems(of answer: JSON) -> [String] {
        var problems: [String] = []
        for key in ["summary", "thesis", "stance", "valuation"] where answer[key]?.string?.isEmpty != false {
            problems.append("\(key) is no text")
        }
        if !["fits", "mixed", "does_not_fit"].contains(answer["stance"]?.string ?? "") { problems.append("stance") }
        let risks = answer["risks"]?.array ?? []
        if risks.count != 3 { problems.append("\(risks.count) risks") }
        for risk in risks
        where risk["title"]?.string == nil || risk["detail"]?.string == nil || risk["evidence"]?.array == nil {
            problems.append("a risk is not whole")
        }
        let strays = Set(answer.object?.keys ?? []).subtracting(["summary", "thesis", "risks", "stance", "valuation"])
        return problems + strays.sorted()
    }

    static func sentences(_ text: String) -> Int { text.split(separator: " ").count { $0.hasSuffix(".") } }

    /// The numbers of a text that the prompt does not have.
    static func strayNumbers(in text: String) -> [String] {
        text.split { !($0.isNumber || ",.".contains($0)) }.map { $0.drop { ",.".contains($0) } }.map { number in
            var number = number
            while let last = number.last, ",.".contains(last) { number.removeLast() }
            return String(number)
        }.filter { !$0.isEmpty && !prompt.contains($0) }
    }
}
