internal import Basics
internal import JobQueue
internal import JSON
internal import JSONSchema

/// Reads `jobs/*.yaml`.
struct JobKindReader {
    static let keys = [
        "kind", "title", "agent", "credits", "lane", "deadline", "estimate", "batch", "retries", "concurrency",
        "schedule", "serial", "subject", "submitted_by", "tier", "prompts", "stages", "input", "settings", "cache",
    ]

    /// The limits of an interactive kind that names none: a user may not take all workers' places with slow requests.
    static let interactiveLimits = ConcurrencyLimits(perUser: 4)

    let root: Node
    let rules: BundleRules
    /// The names of all prompts in the bundle.
    let prompts: Set<String>

    func read() -> JobKind? {
        guard root.members(allowed: Self.keys) != nil else { return nil }
        let name = root.required("kind", such: root.stem)?.identifier()
        if let name, name != root.stem {
            root.report(
                at: ["kind"], "the file defines '\(name)'",
                fix: "name the file '\(name).yaml' or write 'kind: \(root.stem)'")
        }
        let title = root.required("title", such: "One line for people")?.text()
        let agentName = root.required("agent", such: name ?? "research")?.word(of: rules.agents.keys, called: "agent")
        let agent = agentName.flatMap { rules.agents[$0] }
        let credits = root.required("credits", such: "0")?.integer(in: 0...1000)
        let queue = root.required("lane", such: "background")?.word(
            of: QueueName.allCases.map(\.rawValue), called: "lane"
        )
        .flatMap(QueueName.init)
        let deadline = root.required("deadline", such: "170 s")?.duration()
        let estimate = root.required("estimate", such: "30 s")?.duration()
        if let deadline, let estimate, estimate > deadline {
            root.report(at: ["estimate"], "the estimate is longer than the deadline", fix: "shorten it")
        }
        let retries = root.required("retries", such: "{attempts: 3, initial: 2 s, longest: 20 s}").flatMap(retries)
        let tier = root.required("tier", such: "deep")?.word(of: rules.tiers, called: "tier")
        let roles = root.required("prompts", such: "{draft: research}").flatMap { self.roles($0, agent) }
        let stages = root.required("stages", such: "[{name: …, weight: 100, says: …}]").flatMap {
            self.stages($0, agent)
        }
        let schema = root.required("input", such: "{type: object, …}").flatMap(schema)
        let limits = root.optional("concurrency").map(limits)
        let schedules = root.optional("schedule").map { node in
            ScheduleReader(kind: name ?? root.stem, schema: schema, rules: rules).read(node)
        }
        let serial = root.optional("serial").flatMap { self.serial($0, schema) }
        let subject = root.optional("subject").flatMap { SubjectReader(schema: schema).read($0) }
        let cacheKeys = root.optional("cache").map { self.cacheKeys($0, schema) } ?? [:]
        let submitters = root.optional("submitted_by")?.word(of: ["everybody", "operators"], called: "group")
        let settings = settings(agent)
        guard let name, let title, let agentName, let credits, let queue, let deadline, let estimate, let retries,
            let tier, let roles, let stages, let schema
        else { return nil }
        var kind = JobKind(
            name: name, title: title, agent: agentName, credits: credits, queue: queue, deadline: deadline,
            estimate: estimate, retries: retries, tier: tier, prompts: roles, stages: stages, inputSchema: schema)
        kind.limits = limits ?? (queue == .interactive ? Self.interactiveLimits : .none)
        kind.schedules = schedules ?? []
        kind.batch = root.optional("batch").flatMap(batch)
        if kind.batch != nil, kind.schedules.isEmpty || kind.prompts.isEmpty {
            let problem = kind.schedules.isEmpty ? "the kind has no 'schedule'" : "the kind asks no model"
            root.report(at: ["batch"], "'batch' has no effect: \(problem)", fix: "remove it")
        }
        kind.settings = settings
        kind.serial = serial
        kind.subject = subject
        kind.cacheKeys = cacheKeys
        kind.isForOperators = submitters == "operators"
        return kind
    }

    /// The time within which scheduled jobs are to be done; long enough for batches.
    private func batch(_ node: Node) -> Duration? {
        guard let time = node.duration() else { return nil }
        guard BatchTimes.within.contains(time) else {
            node.report("'batch' is not from 1 h to 24 h", fix: "write 'batch: 24 h'")
            return nil
        }
        return time
    }

    /// The name of a text in the input.
    private func serial(_ node: Node, _ schema: JSON?) -> String? {
        guard let properties = schema?["properties"]?.object else { return node.text() }
        let texts = properties.filter { $0.value["type"]?.string == "string" }.map(\.key)
        return node.word(of: texts, called: "text in the input")
    }

    /// `{company: ticker}`: jobs with the same ticker share what stands before the mark `company`.
    private func cacheKeys(_ node: Node, _ schema: JSON?) -> [String: String] {
        guard let members = node.value.object else {
            node.report("'cache' must be a mapping", fix: "write 'MARK: MEMBER-OF-THE-INPUT' below it")
            return [:]
        }
        var keys: [String: String] = [:]
        for mark in members.keys { keys[mark] = node.optional(mark).flatMap { serial($0, schema) } }
        return keys
    }

    /// `50`, or `{fleet: 50, per_user: 2}` with at least one of the two.
    private func limits(_ node: Node) -> ConcurrencyLimits {
        let range = 1...1_000_000
        if node.value.integer != nil { return ConcurrencyLimits(fleet: node.integer(in: range)) }
        guard node.value.object != nil else {
            node.report(
                "'concurrency' must be a whole number or {fleet: …, per_user: …}",
                fix: "write 'concurrency: 50' or 'concurrency: {fleet: 50, per_user: 2}'")
            return .none
        }
        guard let members = node.members(allowed: ["fleet", "per_user"]) else { return .none }
        if members.isEmpty {
            node.report("'concurrency' names no limit", fix: "write 'fleet: 50' or 'per_user: 2', or remove it")
        }
        let limits = ConcurrencyLimits(
            fleet: node.optional("fleet")?.integer(in: range), perUser: node.optional("per_user")?.integer(in: range))
        if let fleet = limits.fleet, let perUser = limits.perUser, perUser > fleet {
            node.report(
                at: ["per_user"], "one user's limit is above the fleet's", fix: "lower it, or remove it: it never holds"
            )
        }
        return limits
    }

    private func settings(_ agent: BundleRules.Agent?) -> JSON {
        let node = root.optional("settings")
        guard let schema = agent?.settings else {
            if agent != nil { node?.report("the agent has no settings", fix: "remove 'settings'") }
            return [:]
        }
        let value = node?.value ?? [:]
        for violation in (try? JSONSchema(schema))?.validate(value) ?? [] {
            let field = violation.path.isEmpty ? "'settings'" : "'\(violation.path)' in the settings"
            (node ?? root).report("\(field) \(violation.problem)", fix: "give what the agent's settings ask for")
        }
        return value
    }

    private func retries(_ node: Node) -> RetryPolicy? {
        guard node.members(allowed: ["attempts", "initial", "longest"]) != nil else { return nil }
        let attempts = node.required("attempts", such: "3")?.integer(in: 1...20)
        let initial = node.required("initial", such: "2 s")?.duration()
        let longest = node.required("longest", such: "20 s")?.duration()
        if let initial, let longest, initial > longest {
            node.report(at: ["longest"], "the longest pause is shorter than the initial one", fix: "raise it")
        }
        guard let attempts, let initial, let longest else { return nil }
        return RetryPolicy(attempts: attempts, initialPause: initial, longestPause: longest)
    }

    private func roles(_ node: Node, _ agent: BundleRules.Agent?) -> [String: String]? {
        guard let members = node.value.object else {
            _ = node.members(allowed: [])
            return nil
        }
        if let agent {
            let known = agent.prompts.union(agent.optionalPrompts)
            for role in members.keys where !known.contains(role) {
                node.report(
                    at: [role], "the agent has no prompt role '\(role)'", fix: Suggestion.fix(for: role, among: known))
            }
            for role in agent.prompts.sorted() where members[role] == nil {
                node.report("the agent's prompt role '\(role)' is missing", fix: "write '\(role): NAME-OF-A-PROMPT'")
            }
        }
        var roles: [String: String] = [:]
        for role in members.keys {
            roles[role] = node.optional(role)?.word(of: prompts, called: "prompt")
        }
        return roles
    }

    private func stages(_ node: Node, _ agent: BundleRules.Agent?) -> [JobKind.Stage]? {
        guard let elements = node.elements() else { return nil }
        var names: Set<String> = []
        let stages = elements.compactMap { element -> JobKind.Stage? in
            guard element.members(allowed: ["name", "weight", "says"]) != nil else { return nil }
            let name = element.required("name", such: "draft")?.identifier()
            let weight = element.required("weight", such: "50")?.integer(in: 1...100)
            let says = element.required("says", such: "What a person reads meanwhile")?.text()
            if let name, !names.insert(name).inserted {
                element.report(at: ["name"], "the stage '\(name)' is listed twice", fix: "remove one")
            }
            if let name, let agent, !agent.stages.contains(name) {
                element.report(
                    at: ["name"], "the agent has no stage '\(name)'",
                    fix: Suggestion.fix(for: name, among: agent.stages))
            }
            guard let name, let weight, let says else { return nil }
            return JobKind.Stage(name: name, weight: weight, says: says)
        }
        for stage in (agent?.stages ?? []).sorted() where !names.contains(stage) {
            node.report("the agent's stage '\(stage)' is missing", fix: "add '- {name: \(stage), weight: …, says: …}'")
        }
        guard stages.count == elements.count else { return nil }
        let sum = stages.reduce(0) { $0 + $1.weight }
        if sum != 100 { node.report("the weights of the stages add up to \(sum)", fix: "make them add up to 100") }
        return stages
    }

    private func schema(_ node: Node) -> JSON? {
        guard node.value["type"] == "object" else {
            node.report("the input's schema must have 'type: object'", fix: "write 'type: object' and 'properties: …'")
            return nil
        }
        return SchemaReader.check(node) ? node.value : nil
    }
}

extension Node {
    /// The file's name without folder and suffix.
    var stem: String {
        let name = file.split(separator: "/").last ?? ""
        return String(name.prefix { $0 != "." })
    }
}

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
            if !ids.insert(schedule.id).inserted { node.report("the schedule is listed twice", fix: "remove one") }
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
