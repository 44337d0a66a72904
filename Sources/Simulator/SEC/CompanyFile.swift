internal import JSON

/// Real figures of a company, as it reported them to the SEC: a subset of its company facts.
struct CompanyFile: Sendable {
    struct Filing: Sendable {
        var accession: String
        var form: String
        var filed: String
        var year: Int
        var period: String
    }

    struct Fact: Sendable {
        /// `nil` for a figure at a point in time.
        var start: String?
        var end: String
        /// As the SEC writes it.
        var value: String
        var filing: Filing
        var frame: String?
    }

    struct Concept: Sendable {
        var taxonomy: String
        var name: String
        var unit: String
        /// Empty where the SEC has none.
        var label: String
        var facts: [Fact]
    }

    var cik: Int
    var name: String
    var ticker: String
    var exchange: String
    var sic: String
    var sicDescription: String
    var filings: [Filing]
    var concepts: [Concept]

    /// Reads the notation of `Scripts/company-facts`.
    ///
    /// `filings` has a line each: accession number, form, filing date, fiscal year, fiscal period. `periods` has dates, or
    /// pairs of dates with a slash, separated by spaces. `facts` has for each concept a line `taxonomy name unit`, a line
    /// `| label`, then facts as `period:value:filing[:frame]`, where period and filing are places in the lists before.
    init(
        cik: Int, name: String, ticker: String, exchange: String, sic: String, sicDescription: String,
        filings: String, periods: String, facts: [String]
    ) {
        self.cik = cik
        self.name = name
        self.ticker = ticker
        self.exchange = exchange
        self.sic = sic
        self.sicDescription = sicDescription
        let parsed = filings.split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            return Filing(
                accession: words[0], form: words[1], filed: words[2], year: Int(words[3]) ?? 0, period: words[4])
        }
        self.filings = parsed
        let spans = periods.split(whereSeparator: \.isWhitespace).map { $0.split(separator: "/").map(String.init) }
        concepts = []
        for line in facts.joined(separator: "\n").split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words[0] == "|" {
                concepts[concepts.count - 1].label = words.dropFirst().joined(separator: " ")
            } else if words[0].first?.isNumber == true {
                concepts[concepts.count - 1].facts += words.map { word in
                    let parts = word.split(separator: ":").map(String.init)
                    let span = spans[Int(parts[0]) ?? 0]
                    return Fact(
                        start: span.count == 2 ? span[0] : nil, end: span[span.count - 1], value: parts[1],
                        filing: parsed[Int(parts[2]) ?? 0], frame: parts.count > 3 ? parts[3] : nil)
                }
            } else {
                concepts.append(Concept(taxonomy: words[0], name: words[1], unit: words[2], label: "", facts: []))
            }
        }
    }

    static let all = [aapl, snow]
}
