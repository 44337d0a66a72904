internal import Basics
internal import JSON
internal import JSONSchema
internal import JobQueue

/// Reads the schedules in `jobs/*.yaml`: one, or a list of them.
struct ScheduleReader {
    let kind: String
    /// The kind's schema of inputs; `nil` when it could not be read.
    let schema: JSON?
    let rules: BundleRules

    func read(_ node: Node) -> [JobSchedule] {
        let nodes = node.value.array == nil ? [node] : node.elements() ?? []
        var ids: Set<String> = []
        return nodes.compactMap { node in
            guard let schedule = schedule(node) else { return nil }
            if !ids.insert(schedule.id).inserted { node.report("the schedule stands here twice", fix: "remove one") }
            return schedule
        }
    }

    private func schedule(_ node: Node) -> JobSchedule? {
        guard node.members(allowed: ["cron", "zone", "every", "input"]) != nil else { return nil }
        let times = times(node)
        let input = node.optional("input")
        if let input, input.value.object == nil {
            input.report("'\(input.name)' must be keys with values", fix: "write the input that a request would give")
            return nil
        }
        let value = input?.value ?? .object([:])
        check(value, at: input ?? node)
        guard let times else { return nil }
        return JobSchedule(id: id(times, value), times: times, input: value)
    }

    private func times(_ node: Node) -> ScheduleTimes? {
        let (cron, every) = (node.optional("cron"), node.optional("every"))
        switch (cron, every) {
        case (let cron?, nil): return self.cron(cron, zone: node.optional("zone"))
        case (nil, let every?):
            if let zone = node.optional("zone") {
                zone.report("an interval has no time zone", fix: "remove 'zone', or write 'cron' instead of 'every'")
            }
            guard let interval = every.duration() else { return nil }
            guard interval >= .seconds(1), interval <= .seconds(366 * 86_400) else {
                every.report("the interval must be from a second to a year", fix: "write, for example, '15 min'")
                return nil
            }
            return .every(interval)
        case (nil, nil):
            node.report(
                "a schedule needs 'cron' or 'every'", fix: "write 'cron: \"0 7 * * mon-fri\"' or 'every: 15 min'")
        case (_?, let every?): every.report("a schedule has 'cron' or 'every', not both", fix: "remove one")
        }
        return nil
    }

    private func cron(_ node: Node, zone: Node?) -> ScheduleTimes? {
        var offsets = ZoneOffsets.utc
        if let zone {
            guard let name = zone.text() else { return nil }
            guard let known = rules.zone(name) else {
                zone.report("unknown time zone '\(name)'", fix: "write a name such as 'Europe/Berlin' or 'UTC'")
                return nil
            }
            offsets = known
        }
        guard let text = node.text() else { return nil }
        do {
            return .cron(try CronExpression(parsing: text), offsets)
        } catch {
            node.report(error.message, fix: "write, for example, \"0 7 * * mon-fri\"")
            return nil
        }
    }

    private func check(_ input: JSON, at node: Node) {
        guard let schema, let checker = try? JSONSchema(schema) else { return }
        for violation in checker.validate(input) {
            let field = violation.path.isEmpty ? "the schedule's input" : "'\(violation.path)' in the schedule's input"
            node.report("\(field) \(violation.problem)", fix: "give what the kind's input schema asks for")
        }
    }

    private func id(_ times: ScheduleTimes, _ input: JSON) -> String {
        let words: JSON
        switch times {
        case .cron(let expression, let zone):
            words = ["cron": JSON(expression.text), "zone": JSON(zone.name), "input": input]
        case .every(let interval): words = ["every": JSON(interval.wholeMilliseconds), "input": input]
        }
        return "\(kind)/\(SHA256.hex(words.canonical).prefix(16))"
    }
}
