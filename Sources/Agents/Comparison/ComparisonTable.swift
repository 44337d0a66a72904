internal import Basics
internal import DataSources
internal import JSON
internal import Prompts

/// The table of a comparison: metrics, scores and figures of several companies, or by several personas, side by side.
/// Code makes all of it from what the columns' reports would rest on.
struct ComparisonTable: Sendable {
    /// What the columns differ in.
    enum Kind: String, Sendable {
        case companies, personas
    }

    /// One cell with a number. What several columns share has no column.
    struct Entry: Sendable {
        var id: String
        var line: FactSheet.Line
        /// With the company or the persona that it belongs to.
        var label: String
        var column: Int?
    }

    /// Years whose ends lie further apart than this are not of the same time.
    private static let mostDaysApart = 45

    let kind: Kind
    let columns: [ComparisonColumn]
    /// What a reader has to know before putting figures side by side: years, currencies, share classes.
    let notes: [String]
    let rows: [JSON]
    /// All numbers that a text on the table may state.
    let entries: [Entry]

    init(_ columns: [ComparisonColumn], by kind: Kind) {
        (self.columns, self.kind) = (columns, kind)
        let currencies = Set(columns.map(\.currency))
        notes = Self.notes(columns, kind, currencies)
        var maker = RowMaker(columns: columns, kind: kind, hasOneCurrency: currencies.count == 1)
        rows = maker.rows()
        entries = maker.entries
    }

    /// The facts by which a text is checked; each names its company or persona, since equal labels would be one fact.
    var facts: [Fact] {
        entries.map { entry in
            let period = entry.line.period.map { ", \($0)" } ?? ""
            return Fact(entry.line.fact.value, entry.line.fact.unit, label: entry.label + period)
        }
    }

    /// Texts whose figures a text may repeat.
    var quotable: [String] {
        notes
            + columns.flatMap { column in
                column.scorecard.lines.map(\.item.question) + column.gaps + column.walkAways + column.scorecard.remarks
            }
    }

    var json: JSONObject {
        [
            "by": JSON(kind.rawValue), "columns": .array(columns.map(\.json)), "rows": .array(rows),
            "notes": JSON(notes),
        ]
    }

    // MARK: Notes

    private static func notes(_ columns: [ComparisonColumn], _ kind: Kind, _ currencies: Set<String>) -> [String] {
        guard kind == .companies else { return [] }
        var notes: [String] = []
        let ends = columns.compactMap { $0.year?.end.dayNumber }
        let isOneYear = (ends.max() ?? 0) - (ends.min() ?? 0) <= mostDaysApart && ends.count == columns.count
        if !isOneYear {
            let years = columns.map { column in
                column.year.map { "\($0.label) of \(column.company.name) ended on \($0.end)" }
                    ?? "\(column.company.name) has no fiscal year in its filings"
            }
            notes.append("The figures are of different times: \(years.joined(separator: "; ")).")
        }
        if currencies.count > 1 {
            let used = columns.map { "\($0.company.name) in \($0.currency)" }.joined(separator: ", ")
            notes.append(
                "The companies report in different currencies (\(used)): amounts of money are shown and not compared.")
        }
        var seen: [Int: String] = [:]
        for column in columns {
            if let other = seen[Int(column.company.cik.number)] {
                notes.append("\(other) and \(column.company.ticker) are shares of one company, \(column.company.name).")
            }
            seen[Int(column.company.cik.number)] = column.company.ticker.description
        }
        return notes
    }
}

/// Makes the rows of a table, and collects their numbers.
private struct RowMaker {
    let columns: [ComparisonColumn]
    let kind: ComparisonTable.Kind
    let hasOneCurrency: Bool
    var entries: [ComparisonTable.Entry] = []

    mutating func rows() -> [JSON] {
        for (place, column) in columns.enumerated() {
            for line in column.wholeScores { add(line, place, isShared: false) }
        }
        var seen: Set<String> = []
        let metrics = columns.flatMap(\.metrics).filter { seen.insert($0.name).inserted }
        return metrics.map { row(of: $0) } + figureRows()
    }

    /// The name of a column in labels: short, so that a sentence is not taken to be about a figure for its company alone.
    private func name(_ place: Int) -> String {
        kind == .companies ? columns[place].company.ticker.description : columns[place].persona.name
    }

    /// Adds a number, once for all columns that share it, and returns its id.
    @discardableResult
    private mutating func add(_ line: FactSheet.Line, _ place: Int, isShared: Bool) -> String {
        let column = columns[place]
        let owner = isShared || kind == .companies ? column.company.ticker.description : column.persona.id
        let id = "\(owner).\(line.id)"
        guard !entries.contains(where: { $0.id == id }) else { return id }
        let label = isShared ? line.label : "\(line.label) of \(name(place))"
        entries.append(ComparisonTable.Entry(id: id, line: line, label: label, column: isShared ? nil : place))
        return id
    }

    private mutating func row(of metric: Metric) -> JSON {
        let isComparable = metric.unit != .money || hasOneCurrency
        let cells = columns.indices.map { place -> JSON in
            let column = columns[place]
            guard let (line, outcome) = column.outcome(of: metric.name) else { return .null }
            var cell: JSON = [
                "abstained_because": JSON(outcome.abstention), "shortfall": JSON(outcome.shortfall),
                "question": JSON(line?.item.question),
                "score": (line?.score).map { JSON(rounded($0, 1)) } ?? .null,
            ]
            if let score = line.flatMap({ column.score(of: $0.item.id) }) { add(score, place, isShared: false) }
            fill(&cell, column.metric(metric.name), place, isStated: isComparable)
            return cell
        }
        return [
            "id": JSON(metric.name), "kind": "metric", "title": JSON(metric.title), "formula": JSON(metric.formula),
            "is_comparable": .bool(isComparable), "cells": .array(cells),
        ]
    }

    /// Figures differ between companies alone.
    private mutating func figureRows() -> [JSON] {
        guard kind == .companies else { return [] }
        return (ComparisonColumn.figures + ComparisonColumn.marketFigures).compactMap { name in
            let lines = columns.map { $0.figure(name) }
            guard let first = lines.compactMap(\.self).first else { return nil }
            let isMoney = lines.contains { if case .currency? = $0?.fact.unit { true } else { false } }
            // A price may be of another currency than the figures.
            let isComparable = !isMoney || Set(lines.compactMap { $0?.written.unit }).count == 1
            let cells = columns.indices.map { place -> JSON in
                guard let line = lines[place] else { return .null }
                var cell: JSON = [:]
                fill(&cell, line, place, isStated: isComparable)
                cell["url"] = JSON(columns[place].url(of: line))
                return cell
            }
            return [
                "id": JSON(name), "kind": "figure", "title": JSON(first.label), "formula": nil,
                "is_comparable": .bool(isComparable), "cells": .array(cells),
            ]
        }
    }

    /// Puts a number into a cell. One that may not be compared is shown, and no text may state it.
    private mutating func fill(_ cell: inout JSON, _ line: FactSheet.Line?, _ place: Int, isStated: Bool) {
        cell["id"] = .null
        cell["value"] = (line?.fact.value).map { JSON(rounded($0, 6)) } ?? .null
        cell["written"] = JSON((line?.written).map { $0.number + $0.unit })
        cell["period"] = JSON(line?.period)
        guard let line, isStated else { return }
        cell["id"] = JSON(add(line, place, isShared: kind == .personas))
    }
}
