internal import Basics
package import JSON
internal import LanguageModels

extension RouteReport {
    /// The tables for a terminal.
    package var text: String {
        var lines: [String] = []
        for table in tables {
            lines.append("\(table.prompt)  (floor \(table.floor), cases \(table.cases))")
            lines += table.rows.isEmpty ? ["  no fresh answers"] : cells(of: table)
            if table.cases == 0 { lines.append("  no case that a real service can answer: add one in prompts/cases") }
            for gap in table.gaps { lines += ["  missing: \(gap.model): \(gap.reason)", "    \(gap.command)"] }
            lines.append("")
        }
        lines += problems.map { "ERROR \($0)" }
        if tables.contains(where: { $0.rows.contains(where: \.evidence.source.isSimulated) }) {
            lines.append("Answers of the simulator say nothing about real models and are never counted with theirs.")
        }
        return lines.joined(separator: "\n")
    }

    private func cells(of table: Table) -> [String] {
        let header = [
            "model", "asked", "passed", "repaired", "draft", "accepted answer", "lower bound", "", "age",
        ]
        let cells =
            [header]
            + table.rows.map { row in
                let evidence = row.evidence
                return [
                    evidence.source.model + (evidence.source.isSimulated ? " (simulated)" : ""), "\(evidence.asked)",
                    "\(evidence.passed)", "\(evidence.repaired)/\(evidence.repairs)", dollars(evidence.costPerDraft),
                    evidence.price.map(dollars) ?? "-", short(evidence.lowerBound),
                    row.verdict.words(evidence, floor: table.floor), age(of: evidence).map { "\($0) d" } ?? "-",
                ]
            }
        let widths = header.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        return cells.map { row in
            "  " + zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }
    }

    private func dollars(_ microDollars: Double) -> String {
        MicroDollars(rawValue: Int64(microDollars.rounded())).description
    }

    private func short(_ value: Double) -> String { "\((value * 1000).rounded(.down) / 1000)" }

    /// Days since the oldest answer that counts.
    private func age(of evidence: ModelEvidence) -> Int? { evidence.oldest.map { max(0, today - $0) } }

    /// The tables for programs.
    package var json: JSON {
        [
            "prompts": .array(
                tables.map { table in
                    [
                        "prompt": JSON(table.prompt), "floor": JSON(table.floor), "cases": JSON(table.cases),
                        "models": .array(table.rows.map { json(of: $0, floor: table.floor) }),
                        "missing": .array(
                            table.gaps.map {
                                [
                                    "model": JSON($0.model), "reason": JSON($0.reason), "command": JSON($0.command),
                                ]
                            }),
                    ]
                }),
            "problems": JSON(problems),
        ]
    }

    private func json(of row: Row, floor: Double) -> JSON {
        let evidence = row.evidence
        var body: JSON = [
            "model": JSON(evidence.source.model), "simulated": JSON(evidence.source.isSimulated),
            "asked": JSON(evidence.asked), "passed": JSON(evidence.passed), "repairs": JSON(evidence.repairs),
            "repaired": JSON(evidence.repaired), "not_asked_again": JSON(evidence.unrepaired),
            "draft_micro_dollars": JSON(evidence.costPerDraft), "lower_bound": JSON(evidence.lowerBound),
            "eligible": JSON(row.verdict == .eligible),
        ]
        body["price_micro_dollars"] = evidence.price.map { JSON($0) }
        body["because"] = row.verdict == .eligible ? nil : JSON(row.verdict.words(evidence, floor: floor))
        body["age_days"] = age(of: evidence).map { JSON($0) }
        return body
    }
}

extension ModelEvidence.Verdict {
    /// `eligible`, or the reason why not.
    fileprivate func words(_ evidence: ModelEvidence, floor: Double) -> String {
        switch self {
        case .eligible: "eligible"
        case .tooFew(let further): "too few answers: \(further) further passes would do"
        case .belowFloor: "\(evidence.accepted) of \(evidence.asked) accepted, below the floor \(floor)"
        case .notUsable: "not in models.yaml with prices"
        }
    }
}
