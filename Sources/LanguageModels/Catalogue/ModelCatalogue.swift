/// All models that Dossier may use, and which of them serve a tier: `models.yaml`, read and checked.
package struct ModelCatalogue: Hashable, Sendable {
    package let models: [String: ModelDescription]
    /// The ids of each tier's candidates, the first choice first.
    package let tiers: [String: [String]]
    /// The model that makes vectors of texts; `nil` when there is none.
    package let embedding: ModelDescription?

    /// The tiers must name models that are here and have prices; the loader sees to it.
    init(models: [String: ModelDescription], tiers: [String: [String]], embedding: ModelDescription? = nil) {
        self.models = models
        self.tiers = tiers
        self.embedding = embedding
    }

    /// The candidates of a tier in their order; a model's id stands for that model alone. `nil` for any other name.
    package func candidates(for name: String) -> [ModelDescription]? {
        if let ids = tiers[name] { return ids.compactMap { models[$0] } }
        guard let model = models[name], model.prices != nil else { return nil }
        return [model]
    }
}
