internal import Basics
package import Filings
package import JSON

/// A filing as it was read, for all users and for good: a filing never changes, and another version of the parser reads
/// it anew.
package struct FilingText: Sendable {
    package let company: TickerDirectory.Entry
    package let entry: FilingEntry
    /// The name of the document that was read: of an announcement its exhibit.
    package let document: String
    package let filing: Filings.Filing
    /// The segments of an annual report; `nil` where their figures are not there or do not add up.
    package let segments: SegmentTable?
    /// The names of the documents of items whose text is in an exhibit.
    package let exhibits: [String: String]

    package init(
        company: TickerDirectory.Entry, entry: FilingEntry, document: String, filing: Filings.Filing,
        segments: SegmentTable? = nil, exhibits: [String: String] = [:]
    ) {
        (self.company, self.entry, self.document, self.filing) = (company, entry, document, filing)
        (self.segments, self.exhibits) = (segments, exhibits)
    }

    /// The address of the document at the SEC.
    package var url: String { url(ofDocument: document) }

    /// The address of the document that has the text of an item.
    package func url(ofItem item: String) -> String { url(ofDocument: exhibits[item] ?? document) }

    private func url(ofDocument name: String) -> String {
        "https://www.sec.gov" + FilingEntry.folder(company.cik, entry.accession) + name
    }

    /// Whether an exhibit of an announcement is a release of results: other announcements have the same item.
    package var isOfResults: Bool {
        let text = filing.sections.flatMap(\.paragraphs).prefix(400).map(\.text).joined(separator: " ").lowercased()
        return ["results", "quarter", "per share"].allSatisfy(text.contains)
    }

    /// The address of a sentence in the document, which browsers show marked.
    package func url(of quote: String) -> String {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~".utf8)
        let words = quote.prefix(300).utf8.map { byte -> String in
            if allowed.contains(byte) { return String(UnicodeScalar(byte)) }
            let hex = String(byte, radix: 16, uppercase: true)
            return "%" + (hex.count == 1 ? "0" : "") + hex
        }
        return url + "#:~:text=" + words.joined()
    }
}

extension FilingEntry {
    package var json: JSON {
        [
            "accession": JSON(accession), "form": JSON(form), "filed": JSON(filed.description),
            "period": JSON(period?.description), "items": JSON(items), "size": JSON(size), "document": JSON(document),
        ]
    }

    /// `nil` for JSON of another form.
    package init?(_ json: JSON) {
        guard let accession = json["accession"]?.string, let form = json["form"]?.string,
            let filed = json["filed"]?.string.flatMap({ CalendarDate($0) }), let document = json["document"]?.string
        else { return nil }
        self.init(
            accession: accession, form: form, filed: filed,
            period: json["period"]?.string.flatMap { CalendarDate($0) }, items: json["items"]?.string ?? "",
            size: json["size"]?.integer ?? 0, document: document)
    }
}

extension TickerDirectory.Entry {
    package var json: JSON { ["ticker": JSON(ticker.text), "cik": JSON(cik.number), "title": JSON(title)] }

    package init?(_ json: JSON) {
        guard let ticker = json["ticker"]?.string.flatMap({ try? Ticker($0) }),
            let cik = json["cik"]?.integer.flatMap(CIK.init), let title = json["title"]?.string
        else { return nil }
        self.init(ticker: ticker, cik: cik, title: title)
    }
}

extension FilingText {
    var json: JSON {
        func paragraphs(_ list: [Filings.Filing.Paragraph]) -> JSON {
            .array(list.map { [JSON($0.id), JSON($0.text), .bool($0.isRow)] })
        }
        let sections = filing.sections.map { section -> JSON in
            [
                "item": JSON(section.item), "status": JSON(section.status.rawValue),
                "paragraphs": paragraphs(section.paragraphs), "pointer": paragraphs(section.pointer),
            ]
        }
        return [
            "company": company.json, "entry": entry.json, "document": JSON(document), "sections": .array(sections),
            "segments": segments?.json ?? .null,
            "exhibits": .object(JSONObject(exhibits.sorted { $0.key < $1.key }.map { ($0.key, JSON($0.value)) })),
        ]
    }

    init?(_ json: JSON) {
        guard let company = json["company"].flatMap({ TickerDirectory.Entry($0) }),
            let entry = json["entry"].flatMap({ FilingEntry($0) }), let document = json["document"]?.string,
            let sections = json["sections"]?.array
        else { return nil }
        func paragraphs(_ list: JSON?) -> [Filings.Filing.Paragraph] {
            (list?.array ?? []).compactMap { paragraph in
                guard let id = paragraph[0]?.string, let text = paragraph[1]?.string else { return nil }
                return Filings.Filing.Paragraph(id: id, text: text, isRow: paragraph[2]?.bool ?? false)
            }
        }
        let read = sections.compactMap { section -> Filings.Filing.Section? in
            guard let item = section["item"]?.string,
                let status = section["status"]?.string.flatMap({ Filings.Filing.Status(rawValue: $0) })
            else { return nil }
            return Filings.Filing.Section(
                item: item, status: status, paragraphs: paragraphs(section["paragraphs"]),
                pointer: paragraphs(section["pointer"]))
        }
        guard read.count == sections.count else { return nil }
        self.init(
            company: company, entry: entry, document: document, filing: Filings.Filing(sections: read),
            segments: json["segments"].flatMap { SegmentTable($0) },
            exhibits: (json["exhibits"]?.object ?? [:]).reduce(into: [:]) { $0[$1.key] = $1.value.string })
    }
}

extension SegmentTable {
    package var json: JSON {
        let years = years.map { year -> JSON in
            let parts = year.parts.map { part -> JSON in
                [
                    "name": JSON(part.name), "revenue": JSON(part.revenue),
                    "operating_income": part.operatingIncome.map { JSON($0) } ?? .null,
                    "is_reconciliation": .bool(part.isReconciliation),
                ]
            }
            return [
                "start": JSON(year.start), "end": JSON(year.end), "revenue": JSON(year.revenue),
                "parts": .array(parts),
            ]
        }
        return ["currency": JSON(currency), "years": .array(years)]
    }

    init?(_ json: JSON) {
        guard let currency = json["currency"]?.string, let years = json["years"]?.array else { return nil }
        let read = years.compactMap { year -> Year? in
            guard let start = year["start"]?.string, let end = year["end"]?.string,
                let revenue = year["revenue"]?.double
            else { return nil }
            let parts = (year["parts"]?.array ?? []).compactMap { part -> Part? in
                guard let name = part["name"]?.string, let revenue = part["revenue"]?.double else { return nil }
                return Part(
                    name: name, revenue: revenue, operatingIncome: part["operating_income"]?.double,
                    isReconciliation: part["is_reconciliation"]?.bool ?? false)
            }
            return Year(start: start, end: end, revenue: revenue, parts: parts)
        }
        self.init(currency: currency, years: read)
    }
}
