internal import Prompts

package import JSON

extension SuiteReport {
    /// The result for programs.
    package var json: JSON {
        [
            "passed": JSON(passed.count), "failed": JSON(failed.count), "success": JSON(isSuccess),
            "cases": .array(cases.map(\.json)),
            "orphans": .array(orphans.map { ["path": JSON($0.path), "reason": JSON($0.reason)] }),
            "problems": JSON(problems.map(\.description)),
        ]
    }
}

extension CaseReport {
    fileprivate var json: JSON {
        [
            "case": JSON("\(id)"), "passed": JSON(passed), "tags": JSON(tags),
            "answers": .array(
                answers.map {
                    [
                        "model": JSON($0.model), "simulated": JSON($0.isSimulated),
                        "outcome": JSON($0.evaluation.outcome.rawValue),
                        "failing_checks": JSON($0.evaluation.failing.sorted()),
                    ]
                }),
            "findings": .array(findings.map(\.json)), "skipped": JSON(skipped),
        ]
    }
}

extension Finding {
    fileprivate var json: JSON {
        var body: JSON = ["kind": JSON(kind.rawValue), "message": JSON(message)]
        if !details.isEmpty { body["details"] = JSON(details) }
        body["diff"] = diff.map { JSON($0.unified) }
        if !commands.isEmpty { body["commands"] = JSON(commands.map(\.line)) }
        return body
    }
}

extension LiveReport {
    /// The result for programs.
    package var json: JSON {
        [
            "success": JSON(isSuccess), "folder": JSON(folder), "reused": JSON(reused),
            "cases": .array(cases.map(\.json)), "prompts": .array(prompts.map(\.json)),
            "unanswered": JSON(unanswered), "skipped": JSON(skipped.map(\.description)), "problems": JSON(problems),
        ]
    }
}

extension LiveReport.Row {
    fileprivate var json: JSON {
        var body: JSON = [
            "name": JSON(key.promptCase), "provider": JSON(key.provider), "model": JSON(now.model),
            "simulated": JSON(now.isSimulated), "runs": JSON(now.runs), "passed": JSON(now.passed),
            "p50_ms": JSON(now.p50), "p95_ms": JSON(now.p95),
            "micro_dollars": JSON(now.cost), "change": JSON(change.rawValue),
        ]
        body["baseline"] = before.map { ["runs": JSON($0.runs), "passed": JSON($0.passed)] }
        body["p_value"] = pValue.map { JSON($0) }
        if repairs.asked > 0 {
            body["repairs"] = [
                "asked": JSON(repairs.asked), "passed": JSON(repairs.passed), "micro_dollars": JSON(repairs.cost),
            ]
        }
        if !reasons.isEmpty {
            body["reasons"] = .object(JSONObject(reasons.sorted { $0.key < $1.key }.map { ($0.key, JSON($0.value)) }))
        }
        return body
    }
}
