/// The reports that facts are from, as a note on sources names them.
enum FiledReports {
    /// `The figures are from the annual reports (10-K) for FY2016 to FY2025, …`; a general sentence where no fact names
    /// a report.
    static func sentence(on facts: [FactLine], _ phrases: Phrases) -> String {
        let annual = reports("annual", of: ["10-K", "20-F", "40-F"], facts, phrases)
        let quarterly = reports("quarterly", of: ["10-Q", "6-K"], facts, phrases)
        let named = [annual, quarterly].compactMap(\.self).joined(separator: " " + phrases.text("and") + " ")
        return named.isEmpty
            ? phrases.text("filed", in: "assessment") : phrases.text("filed", in: "reports", ["reports": named])
    }

    /// The reports of one kind, with the years of annual ones; `nil` where no fact is from one.
    private static func reports(
        _ kind: String, of forms: Set<String>, _ facts: [FactLine], _ phrases: Phrases
    ) -> String? {
        let found = facts.filter { $0.form.map(forms.contains) == true }
        guard let form = found.first?.form else { return nil }
        let years = found.map(\.period).filter { $0.hasPrefix("FY") }.sorted()
        guard kind == "annual", let first = years.first, let last = years.last else {
            return phrases.text(kind, in: "reports", ["form": form])
        }
        let name = first == last ? "annual_of_one_year" : "annual_of_years"
        return phrases.text(name, in: "reports", ["form": form, "first": first, "last": last])
    }
}
