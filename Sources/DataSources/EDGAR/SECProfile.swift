import JSON

/// What the submissions page of a filer says of it; every field may be missing.
struct SECProfile: Sendable, Hashable {
    var name: String?
    var industryCode: String?
    var industry: String?
    var exchanges: [String] = []
    var fiscalYearEnd: String?

    init(_ json: JSON) {
        func text(_ key: String) -> String? { json[key]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        name = text("name")
        industryCode = text("sic")
        industry = text("sicDescription")
        exchanges = (json["exchanges"]?.array ?? []).compactMap(\.string)
        fiscalYearEnd = text("fiscalYearEnd")
    }
}
