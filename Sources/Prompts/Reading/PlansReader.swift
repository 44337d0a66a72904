internal import FoundationEssentials
package import JobQueue
internal import JSON

/// Reads `plans.yaml`: the limits of users and of the service.
package enum PlansReader {
    private static let largest = 1_000_000_000
    private static let serviceKeys = [
        "spend_dollars_per_day", "free_spend_dollars_per_day", "source_calls_per_minute",
    ]

    /// Reads the file at a path; `nil` when there is none.
    ///
    /// - Throws: All problems of the file at once.
    package static func load(path: String) throws(BundleProblems) -> Plans? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let text = try? String(contentsOfFile: path, encoding: .utf8), text.utf8.count <= 256 << 10 else {
            throw BundleProblems([
                BundleProblem(
                    file: name, line: nil, message: "the file cannot be read",
                    fix: "make it a readable text of at most 256 KiB")
            ])
        }
        return try read(text, file: name)
    }

    /// Reads the text of a file.
    package static func read(_ text: String, file: String = "plans.yaml") throws(BundleProblems) -> Plans {
        let problems = ProblemList()
        let plans = Node(yaml: text, file: file, problems: problems).flatMap(plans)
        guard problems.isEmpty, let plans else { throw BundleProblems(problems.problems) }
        return plans
    }

    private static func plans(_ root: Node) -> Plans? {
        guard root.members(allowed: ["default", "service", "plans"]) != nil else { return nil }
        let known = root.required("plans", such: "{standard: {}}").flatMap(all)
        let name = root.required("default", such: "standard").flatMap { node in
            known.flatMap { node.word(of: $0.keys, called: "plan") }
        }
        let limits = service(root.optional("service"))
        guard let known, let name else { return nil }
        return Plans(known, default: name, service: limits)
    }

    private static func service(_ node: Node?) -> Plans.Service {
        var service = Plans.Service()
        guard let node, node.members(allowed: serviceKeys) != nil else { return service }
        if let spend = dollars(node, "spend_dollars_per_day") { service.spendPerDay = spend }
        if let spend = dollars(node, "free_spend_dollars_per_day") { service.freeSpendPerDay = spend }
        service.sourceCallsPerMinute =
            node.optional("source_calls_per_minute")?.integer(in: 1...largest) ?? service.sourceCallsPerMinute
        return service
    }

    private static func all(_ node: Node) -> [String: Plan]? {
        guard let members = node.value.object, !members.isEmpty else {
            node.report("'plans' must name at least one plan", fix: "write 'standard: {}' below it")
            return nil
        }
        var plans: [String: Plan] = [:]
        for name in members.keys { plans[name] = node.optional(name).map(plan) ?? Plan() }
        return plans
    }

    private static func plan(_ node: Node) -> Plan {
        var plan = Plan()
        let numbers = [
            "requests_per_minute", "streams", "waiting_polls", "unfinished_jobs", "stored_mebibytes",
            "shared_work_per_day", "source_calls_per_minute", "webhook_endpoints",
        ]
        guard node.members(allowed: ["title", "credits", "spend_dollars_per_day"] + numbers) != nil else { return plan }
        if let title = node.optional("title")?.text() { plan.title = title }
        if let credits = node.optional("credits"),
            credits.members(allowed: ["starting", "monthly", "carry_over"]) != nil
        {
            let number = { (name: String) in credits.optional(name)?.integer(in: 0...1_000_000) }
            plan.startingCredits = number("starting") ?? plan.startingCredits
            plan.monthlyCredits = number("monthly") ?? plan.monthlyCredits
            plan.carryOver = number("carry_over") ?? plan.carryOver
        }
        if let spend = dollars(node, "spend_dollars_per_day") { plan.spendPerDay = spend }
        let limit = { (name: String) in node.optional(name)?.integer(in: 1...largest) }
        plan.requestsPerMinute = limit("requests_per_minute") ?? plan.requestsPerMinute
        plan.streams = limit("streams") ?? plan.streams
        plan.waitingPolls = limit("waiting_polls") ?? plan.waitingPolls
        plan.unfinishedJobs = limit("unfinished_jobs") ?? plan.unfinishedJobs
        plan.storedBytes = limit("stored_mebibytes").map { $0 << 20 } ?? plan.storedBytes
        plan.sourceCallsPerMinute = limit("source_calls_per_minute") ?? plan.sourceCallsPerMinute
        plan.sharedWorkPerDay = node.optional("shared_work_per_day")?.integer(in: 0...largest) ?? plan.sharedWorkPerDay
        plan.webhookEndpoints = node.optional("webhook_endpoints")?.integer(in: 0...largest) ?? plan.webhookEndpoints
        return plan
    }

    /// Dollars as micro-dollars.
    private static func dollars(_ node: Node, _ key: String) -> Int64? {
        guard let member = node.optional(key), let dollars = member.number() else { return nil }
        guard (0...1e9).contains(dollars) else {
            member.report("'\(member.name)' is \(dollars)", fix: "write dollars from 0 to 1000000000")
            return nil
        }
        return Int64((dollars * 1_000_000).rounded())
    }
}
