internal import DataSources
internal import DossierAPI
internal import JSON

/// The input of a `comparison` job: several companies as one persona reads them, or one company as several do.
enum ComparisonInput {
    static let kind = "comparison"

    /// Checks an input and brings its tickers into one spelling.
    ///
    /// - Parameters:
    ///   - input: An input of any kind, which passed its schema. One without lists of tickers and personas stays as it is.
    ///   - path: Its place in the request.
    ///   - known: The ids of the personas.
    /// - Returns: The input.
    /// - Throws: An error that names the field: an unknown persona, one thing twice, or nothing to compare.
    static func checked(
        _ input: JSON, path: String, personas known: some Collection<String>
    ) throws(APIError) -> JSON {
        guard let tickers = input["tickers"]?.array?.compactMap(\.string),
            let personas = input["personas"]?.array?.compactMap(\.string)
        else { return input }
        let place = { (field: String) in path.isEmpty ? field : "\(path).\(field)" }
        for (index, persona) in personas.enumerated() where !known.contains(persona) {
            throw .invalid(
                place("personas[\(index)]"),
                "is not a persona; the personas are \(known.sorted().joined(separator: ", "))",
                code: .invalidPersona)
        }
        let spelled = tickers.map { (try? Ticker($0))?.text ?? $0.uppercased() }
        for (field, values) in [("tickers", spelled), ("personas", personas)] {
            var seen: Set<String> = []
            for (index, value) in values.enumerated() where !seen.insert(value).inserted {
                throw .invalid(place("\(field)[\(index)]"), "is there twice")
            }
        }
        guard (spelled.count > 1) != (personas.count > 1) else {
            throw spelled.count > 1
                ? .invalid(place("personas"), "must have one element where 'tickers' has several")
                : .invalid(place("tickers"), "must have two to four elements, or one where 'personas' has several")
        }
        var input = input
        input["tickers"] = JSON(spelled)
        return input
    }
}
