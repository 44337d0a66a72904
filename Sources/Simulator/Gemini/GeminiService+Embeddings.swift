internal import Basics
internal import JSON

extension GeminiService {
    static let embeddingModels: Set<String> = ["gemini-embedding-001", "gemini-embedding-2"]
    private static let largestBatch = 100

    /// Vectors in which texts with words in common are close, and all others as far apart as real models put them.
    func embed(_ request: ServiceRequest) throws(Refusal) -> Answer {
        try authenticate(request)
        let body = try body(of: request, shape: GeminiShapes.embed)
        guard Self.embeddingModels.contains(model) else {
            throw GeminiErrors.modelNotFound(model, version: version)
        }
        let requests = body["requests"]?.array ?? []
        guard !requests.isEmpty, requests.count <= Self.largestBatch else {
            throw GeminiErrors.invalid("* BatchEmbedContentsRequest.requests: at most \(Self.largestBatch) requests")
        }
        var embeddings: [JSON] = []
        for one in requests {
            guard one["model"]?.string == "models/" + model else {
                throw GeminiErrors.invalid("* BatchEmbedContentsRequest.requests[].model must be the model of the path")
            }
            let text = (one["content"]?["parts"]?.array ?? []).compactMap { $0["text"]?.string }.joined(separator: " ")
            let size = min(max(Int(one["outputDimensionality"]?.integer ?? 3072), 1), 3072)
            embeddings.append(["values": .array(Self.vector(of: text, size: size).map { JSON($0) })])
        }
        return Answer(json: ["embeddings": .array(embeddings)])
    }

    /// Each word that carries meaning goes to a place and a sign of its own; the first place is what all texts have in
    /// common.
    private static func vector(of text: String, size: Int) -> [Double] {
        var values = [Double](repeating: 0, count: size)
        for word in Words.allStems(of: text) {
            let digest = Array(SHA256.hex(Array(word.utf8)).utf8)
            let place = digest.prefix(12).reduce(0) { ($0 * 31 + Int($1)) % max(size - 1, 1) }
            values[min(place + 1, size - 1)] += (digest.last ?? 0) % 2 == 0 ? 1 : -1
        }
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard length > 0, size > 1 else { return [1] + values.dropFirst() }
        values = values.map { $0 / length * 0.45.squareRoot() }
        values[0] = 0.55.squareRoot()
        return values
    }
}
