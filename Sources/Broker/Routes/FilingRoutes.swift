internal import Basics
internal import DataSources
internal import Filings
internal import HTTPServer
internal import JSON

/// `/api/v1/filings` and the filings of a stock: what companies said in their reports, read once for everybody.
struct FilingRoutes: Sendable {
    private static let mostParagraphs = 200

    let reader: StockReader

    /// The filings that a report on a company reads, each with its part.
    func list(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let ticker = try context.ticker()
        if let name = StockReader.assetWithoutFilings(ticker) { throw .filesNothing(name) }
        let choice = try await reader.asked(by: context.user).filed { library async throws(DataSourceError) in
            let choice = try await library.choice(ticker.text)
            await library.remember(choice.roles.map(\.entry), of: choice.company)
            return choice
        }
        let elements = choice.roles.map { role, entry -> JSON in
            [
                "accession_number": JSON(entry.accession), "form": JSON(entry.form), "role": JSON(role),
                "filed": JSON(entry.filed.description), "period": JSON(entry.period?.description),
                "url": JSON("https://www.sec.gov" + entry.path(of: choice.company.cik)),
            ]
        }
        return APIResponse(.array(elements), pagination: Page.whole(of: elements))
    }

    /// A filing: its items with their status, and some of their paragraphs.
    func one(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let accession = context.request.parameters["accession"] ?? ""
        guard FilingEntry.isAccession(accession) else { throw .notFound("The filing") }
        let first = try context.queryInteger("from", in: 0...1_000_000, default: 0)
        let limit = try context.queryInteger("limit", in: 1...Self.mostParagraphs, default: 100)
        let item = context.query("item")?.uppercased()
        let text = try await reader.asked(by: context.user).filed { library async throws(DataSourceError) in
            try await library.text(accession)
        }
        guard let text else { throw .notFound("The filing") }
        let sections = text.filing.sections
        if let item, !sections.contains(where: { $0.item.uppercased() == item }) {
            throw .invalid("item", "must be one of \(sections.map(\.item).joined(separator: ", "))")
        }
        let chosen = sections.filter { item == nil || $0.item.uppercased() == item }
        let paragraphs = chosen.flatMap { section in section.paragraphs.map { (section.item, $0) } }
        let page = paragraphs.dropFirst(first).prefix(limit)
        let items = sections.map { section -> JSON in
            [
                "item": JSON(section.item), "status": JSON(section.status.rawValue),
                "paragraphs": JSON(section.paragraphs.count),
                "pointer": JSON(section.pointer.isEmpty ? nil : section.pointer.map(\.text).joined(separator: " ")),
            ]
        }
        return APIResponse([
            "accession_number": JSON(accession), "form": JSON(text.entry.form),
            "ticker": JSON(text.company.ticker.text), "company": JSON(text.company.title),
            "filed": JSON(text.entry.filed.description), "period": JSON(text.entry.period?.description),
            "url": JSON(text.url), "parser": JSON(Filings.Filing.parser), "items": .array(items),
            "paragraphs": .array(
                page.map { item, paragraph in
                    [
                        "id": JSON(paragraph.id), "item": JSON(item), "text": JSON(paragraph.text),
                        "is_row": .bool(paragraph.isRow),
                    ]
                }),
            "paragraph_count": JSON(paragraphs.count),
            "next": JSON(first + limit < paragraphs.count ? Int64(first + limit) : nil),
        ])
    }
}
