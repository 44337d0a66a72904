internal import Basics
internal import JSON

/// Reads `routes.yaml`: for each prompt a list of models in their order.
struct RoutesReader {
    /// More models than any catalogue has, and more answers than anybody buys.
    private static let mostAnswers = 100_000_000
    private static let mostDollars = 1e6

    let prompts: Set<String>

    func read(_ root: Node) -> Routes {
        // A file of comments alone leaves every prompt to its tier.
        guard root.value != .null else { return Routes() }
        guard let members = root.value.object else {
            root.report("the file must name prompts with their models", fix: "write 'NAME:' and a list of models below")
            return Routes()
        }
        var routes = Routes()
        for prompt in members.keys {
            guard prompts.contains(prompt) else {
                root.report(
                    at: [prompt], "unknown prompt '\(prompt)'", fix: Suggestion.fix(for: prompt, among: prompts))
                continue
            }
            guard let list = root.required(prompt, such: "[{model: …}]"), let elements = list.elements() else {
                continue
            }
            if elements.isEmpty {
                list.report("'\(prompt)' names no model", fix: "name one, or remove the prompt to use its tier")
            }
            var entries: [Routes.Entry] = []
            for element in elements {
                guard let entry = entry(element) else { continue }
                if entries.contains(where: { $0.model == entry.model }) {
                    element.report("'\(prompt)' names the model '\(entry.model)' twice", fix: "remove one of the two")
                }
                entries.append(entry)
            }
            if !entries.isEmpty { routes.entries[prompt] = entries }
        }
        return routes
    }

    private func entry(_ node: Node) -> Routes.Entry? {
        guard node.members(allowed: ["model", "passes", "asked", "price", "date", "simulated"]) != nil,
            let model = node.required("model", such: "claude-haiku-5-5")?.text()
        else { return nil }
        var entry = Routes.Entry(model: model)
        entry.line = node.line
        entry.asked = node.optional("asked")?.integer(in: 1...Self.mostAnswers)
        entry.passes = node.optional("passes")?.integer(in: 0...(entry.asked ?? Self.mostAnswers))
        if let price = node.optional("price"), let dollars = price.number() {
            if (0...Self.mostDollars).contains(dollars) {
                entry.price = Int64((dollars * 1_000_000).rounded())
            } else {
                price.report("'\(price.name)' is \(dollars)", fix: "write the dollars of an accepted answer")
            }
        }
        if let date = node.optional("date") {
            entry.date = date.text().flatMap { CalendarDate($0) }
            if entry.date == nil { date.report("'\(date.name)' is no day", fix: "write a day such as 2026-12-31") }
        }
        if let mark = node.optional("simulated") {
            guard let isSimulated = mark.value.bool else {
                mark.report("'\(mark.name)' must be true or false", fix: "write true for answers of the simulator")
                return entry
            }
            entry.isSimulated = isSimulated
        }
        return entry
    }
}
