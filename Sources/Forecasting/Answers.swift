internal import Basics
package import JSON
internal import Prices

/// The answers of the two endpoints: every member that the app's document and its own structs name, never null, and
/// further ones.
extension Evaluation {
    /// The answer of `/train-model`.
    package func trainingAnswer() throws(ForecastError) -> JSON {
        let body: JSON = [
            "symbol": JSON(symbol), "timeframe": JSON(recipe.timeframe.rawValue),
            "horizon": JSON(recipe.horizon.rawValue), "lookbackDays": JSON(recipe.lookbackDays), "status": "success",
            "trainingMetrics": [
                "validationAccuracy": number(validation.accuracy), "trainSamples": JSON(final.rows),
                "validationSamples": JSON(validation.rows), "trainLoss": number(final.loss),
                "validationLoss": number(validation.loss), "trainAccuracy": number(final.accuracy),
                "testAccuracy": number(test.accuracy), "testSamples": JSON(test.rows),
            ],
            "ensembleWeights": [
                "random_forest": number(weights.forest), "gradient_boosting": number(1 - Self.rounded(weights.forest)),
            ],
            "modelInfo": [
                "modelHash": JSON(final.hash), "featureCount": JSON(Features.names.count),
                "trainedAt": JSON(Self.timestamp(trainedAt)),
            ],
            "featureImportance": .object(
                JSONObject(zip(Features.names, final.importance).map { ($0, JSON($1)) })),
            "baseline": baseline(validation), "testBaseline": baseline(test), "accuracyInterval": interval(validation),
            "testAccuracyInterval": interval(test),
        ]
        return try finished(body)
    }

    /// The answer of `/forecast-quality`.
    package func qualityAnswer() throws(ForecastError) -> JSON {
        let body: JSON = [
            "symbol": JSON(symbol), "horizon": JSON(recipe.horizon.rawValue),
            "timeframe": JSON(recipe.timeframe.rawValue), "lookbackDays": JSON(recipe.lookbackDays),
            "qualityScore": number(quality.score), "confidence": number(confidence),
            "modelAgreement": number(agreement.share), "agreementByChance": number(agreement.byChance),
            "qualityParts": [
                "sample": number(quality.sample), "freshness": number(quality.freshness), "data": number(quality.data),
                "calibration": number(quality.calibration), "evidence": number(quality.evidence),
            ],
            "accuracy": number(all.accuracy), "baseline": baseline(all), "accuracyInterval": interval(all),
            "modelInfo": [
                "modelHash": JSON(final.hash), "featureCount": JSON(Features.names.count),
                "trainedAt": JSON(Self.timestamp(trainedAt)),
            ],
            "reliability": .array(
                calibration.bins.enumerated().map { index, bin in
                    [
                        "from": number(Double(index) / 10), "to": number(Double(index + 1) / 10),
                        "rows": JSON(bin.rows), "expectedUp": number(bin.probabilitySum), "up": JSON(bin.ups),
                    ]
                }),
            "calibrationError": number(calibration.error),
        ]
        return try finished(body)
    }

    /// The members that both answers have, and the check of all texts.
    private func finished(_ body: JSON) throws(ForecastError) -> JSON {
        var body = body
        let issues = issues
        for issue in issues {
            if let claim = ForbiddenClaims.first(in: issue.message) { throw .forbiddenClaim(claim) }
        }
        body["forecast"] = [
            "probabilityUp": number(probabilityUp), "direction": JSON(probabilityUp > 0.5 ? "up" : "down"),
            "source": JSON(usesEnsemble ? "ensemble" : "base_rate"), "asOf": JSON(newestDay.description),
            "targetDate": JSON(targetDate.description),
        ]
        body["pValue"] = number(max(evidence.pValue, 1e-6))
        body["evidence"] = number(evidence.strength)
        body["tested"] = [
            "rows": JSON(tested.count), "from": JSON(Self.day(tested.first?.time ?? 0)),
            "to": JSON(Self.day(tested.last?.time ?? 0)), "independentRows": number(independentRows),
            "accuracy": number(all.accuracy), "loss": number(all.loss), "baseline": baseline(all),
            "accuracyInterval": interval(all),
        ]
        body["issues"] = .array(
            issues.map { issue in
                [
                    "level": JSON(issue.level.rawValue), "type": JSON(issue.type), "message": JSON(issue.message),
                    "action": JSON(issue.action),
                ]
            })
        body["provenance"] = [
            "source": JSON(origin.name), "simulated": JSON(origin.isSimulated),
            "from": JSON(Self.day(series.bars.first?.time ?? 0)), "to": JSON(newestDay.description),
            "bars": JSON(series.bars.count), "repaired": JSON(health.repaired),
            "untraded": JSON(health.untraded), "missing": JSON(health.missing), "digest": JSON(digest),
            "featureVersion": JSON(Recipe.version), "seed": JSON(Recipe.seed), "library": JSON(Booster.libraryVersion),
        ]
        body["timestamp"] = JSON(Self.timestamp(trainedAt))
        return body
    }

    private func baseline(_ score: Score) -> JSON {
        [
            "accuracy": number(score.majorityAccuracy), "loss": number(score.constantLoss),
            "rule": JSON("always \(score.majority)"), "calendarAccuracy": number(score.calendarAccuracy),
            "from": JSON(Self.day(score.firstTime)), "to": JSON(Self.day(score.lastTime)),
        ]
    }

    private func interval(_ score: Score) -> JSON {
        let (low, high) = wilson(score)
        return [number(low), number(high)]
    }

    private func number(_ value: Double) -> JSON { JSON(value.isFinite ? Self.rounded(value) : 0) }
}
