internal import CXGBoost
internal import JSON

/// The settings of one of the two models.
enum ModelSettings: String, CaseIterable {
    case forest = "random_forest"
    case boosting = "gradient_boosting"

    var rounds: Int32 { self == .forest ? 1 : 60 }

    /// Parameters of libxgboost. It accepts unknown names: a test reads them back.
    func parameters(baseScore: Double) -> [(String, String)] {
        let common = [
            ("booster", "gbtree"), ("objective", "binary:logistic"), ("tree_method", "hist"), ("max_bin", "64"),
            ("min_child_weight", "5"), ("lambda", "5"), ("seed", "\(Recipe.seed)"), ("nthread", "1"),
            ("verbosity", "0"), ("base_score", "\(baseScore)"),
        ]
        switch self {
        case .forest:
            return common + [
                ("num_parallel_tree", "200"), ("max_depth", "6"), ("subsample", "0.632"), ("colsample_bynode", "0.3"),
                ("eta", "1"),
            ]
        case .boosting:
            return common + [
                ("max_depth", "2"), ("eta", "0.03"), ("subsample", "0.7"), ("colsample_bytree", "0.5"),
            ]
        }
    }
}

/// A trained model: the only owner of a booster of libxgboost. Its calls block.
final class Booster {
    private let handle: BoosterHandle

    /// Trains a model. Rows of a set of their own, so that the bins of its histograms see no other row. `isCancelled`
    /// is asked before each round.
    init(
        _ settings: ModelSettings, features: ArraySlice<Float>, labels: [Float], weight: Float, baseScore: Double,
        isCancelled: () -> Bool = { false }
    ) throws(ForecastError) {
        let matrix = try Matrix(features)
        try matrix.set("label", labels)
        try matrix.set("weight", [Float](repeating: weight, count: labels.count))
        var created: BoosterHandle?
        var matrices: [DMatrixHandle?] = [matrix.handle]
        try check(XGBoosterCreate(&matrices, 1, &created))
        guard let created else { throw .booster("no booster") }
        handle = created
        for (name, value) in settings.parameters(baseScore: baseScore) {
            try check(XGBoosterSetParam(handle, name, value))
        }
        for round in 0..<settings.rounds {
            if isCancelled() { throw .cancelled }
            try check(XGBoosterUpdateOneIter(handle, round, matrix.handle))
        }
    }

    deinit { XGBoosterFree(handle) }

    /// The probability that the label is 1, for each row.
    func probabilities(_ features: ArraySlice<Float>) throws(ForecastError) -> [Double] {
        let matrix = try Matrix(features)
        var (shape, result): (UnsafePointer<bst_ulong>?, UnsafePointer<Float>?)
        var dimensions: bst_ulong = 0
        let options = #"{"type":0,"training":false,"iteration_begin":0,"iteration_end":0,"strict_shape":false}"#
        try check(XGBoosterPredictFromDMatrix(handle, matrix.handle, options, &shape, &dimensions, &result))
        guard let result else { throw .booster("no predictions") }
        // The buffer is the booster's.
        return UnsafeBufferPointer(start: result, count: matrix.rows).map(Double.init)
    }

    /// The model in UBJSON.
    func bytes() throws(ForecastError) -> [UInt8] {
        var length: bst_ulong = 0
        var start: UnsafePointer<CChar>?
        try check(XGBoosterSaveModelToBuffer(handle, #"{"format":"ubj"}"#, &length, &start))
        return UnsafeRawBufferPointer(start: start, count: Int(length)).map { $0 }
    }

    /// What the model's splits on each feature gained in all; 0 for a feature without a split.
    func gains() throws(ForecastError) -> [Double] {
        var (names, shape): (UnsafeMutablePointer<UnsafePointer<CChar>?>?, UnsafePointer<bst_ulong>?)
        var scores: UnsafePointer<Float>?
        var (count, dimensions): (bst_ulong, bst_ulong) = (0, 0)
        try check(
            XGBoosterFeatureScore(
                handle, #"{"importance_type":"total_gain"}"#, &count, &names, &dimensions, &shape, &scores))
        var gains = [Double](repeating: 0, count: Features.names.count)
        for index in 0..<Int(count) {
            // Features without names are called f0, f1, ….
            guard let name = names?[index], let score = scores?[index],
                let feature = Int(String(cString: name).dropFirst()), gains.indices.contains(feature)
            else { continue }
            gains[feature] = Double(score)
        }
        return gains
    }

    /// The settings as the library has understood them.
    func configuration() throws(ForecastError) -> String {
        var length: bst_ulong = 0
        var text: UnsafePointer<CChar>?
        try check(XGBoosterSaveJsonConfig(handle, &length, &text))
        return text.map { String(cString: $0) } ?? ""
    }

    static var libraryVersion: String {
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        XGBoostVersion(&major, &minor, &patch)
        return "xgboost \(major).\(minor).\(patch)"
    }
}

/// Rows for one call of the library, which copies them.
private final class Matrix {
    let handle: DMatrixHandle
    let rows: Int

    init(_ features: ArraySlice<Float>) throws(ForecastError) {
        let rows = features.count / Features.names.count
        var created: DMatrixHandle?
        let code = features.withUnsafeBufferPointer { values in
            let address = UInt(bitPattern: values.baseAddress)
            let array = """
                {"data":[\(address),true],"shape":[\(rows),\(Features.names.count)],"typestr":"<f4","version":3}
                """
            // `XGDMatrixCreateFromMat` would start threads of OpenMP.
            return XGDMatrixCreateFromDense(array, #"{"missing":NaN,"nthread":1}"#, &created)
        }
        try check(code)
        guard let created else { throw .booster("no matrix") }
        (handle, self.rows) = (created, rows)
    }

    deinit { XGDMatrixFree(handle) }

    func set(_ field: String, _ values: [Float]) throws(ForecastError) {
        try check(XGDMatrixSetFloatInfo(handle, field, values, bst_ulong(values.count)))
    }
}

/// The library's message has a stack trace below its first line.
private func check(_ code: Int32) throws(ForecastError) {
    guard code != 0 else { return }
    let message = XGBGetLastError().map { String(cString: $0) } ?? ""
    throw .booster(String(message.split(separator: "\n").first ?? "unknown error"))
}
