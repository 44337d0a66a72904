package import JobQueue

extension ModelCatalogue {
    /// The budgets of the models of all tiers, by name.
    package var monitoredBudgets: [MonitoredBudget] {
        let listed = Set(tiers.values.joined()).sorted().compactMap { models[$0] }
        let budgets = Dictionary(grouping: listed, by: \.budget.name).sorted { $0.key < $1.key }
        return budgets.compactMap { name, models in
            models.first.map { first in
                MonitoredBudget(
                    name: name, provider: first.provider.rawValue, models: models.map(\.id),
                    limits: first.budget.limits)
            }
        }
    }
}
