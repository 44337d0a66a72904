internal import JSON

/// The buckets of one model and the record of their use.
struct LimitAccount: Sendable {
    static let dayLength: Int64 = 86_400_000
    /// Calls that an acceleration limit always lets in within ten seconds.
    static let leastInTenSeconds = 16.0
    /// The seconds of use that are kept.
    private static let keptSeconds = 7_200

    /// The use of one second.
    private struct Second: Sendable {
        var second: Int64
        var requests = 0.0
        var input = 0.0
        var output = 0.0
        var cacheRead = 0.0
        var refused = 0
    }

    private struct User: Sendable {
        var letIn = 0
        var refused = 0
        var input = 0.0
        var output = 0.0
    }

    private let rule: ModelLimit
    private var buckets: [LimitKind: TokenBucket] = [:]
    private var requestsOfDay: (day: Int64, count: Int) = (0, 0)
    private var letIn = 0
    private var refused: [String: Int] = [:]
    private var users: [String: User] = [:]
    private var seconds: [Second] = []

    init(_ rule: ModelLimit, at time: Int64) {
        self.rule = rule
        for (kind, amount) in rule.perMinute {
            buckets[kind] = TokenBucket(
                perMinute: amount, burst: rule.burst, least: kind == .requests ? 1 : 0, at: time)
        }
    }

    // MARK: Buckets

    mutating func fill(to time: Int64) {
        for kind in LimitKind.allCases { buckets[kind]?.fill(to: time) }
    }

    /// The refusal of a call with this much input; `nil` when it can be let in.
    func refusal(of input: Double, at time: Int64) -> LimitBook.Refusal? {
        if let most = rule.requestsPerDay, requestsOfDay.day == time / Self.dayLength, requestsOfDay.count >= most {
            return LimitBook.Refusal(
                cause: .daily(most), wait: Double(Self.dayLength - time % Self.dayLength) / 1_000)
        }
        var worst: LimitBook.Refusal?
        for kind in LimitKind.allCases {
            guard let bucket = buckets[kind], let perMinute = rule.perMinute[kind] else { continue }
            let need =
                switch kind {
                case .requests: 1.0
                case .input, .tokens: max(1, input)
                case .output: min(1, bucket.size)
                }
            let wait = bucket.wait(for: need)
            // Sums of rates have rounding errors far below a microsecond.
            guard wait > 0.000_001, wait > worst?.wait ?? 0 else { continue }
            worst = LimitBook.Refusal(cause: .bucket(kind, perMinute: perMinute), wait: wait)
        }
        if worst == nil, let factor = rule.acceleration {
            let second = time / 1_000
            let recent = requests(from: second - 9, through: second)
            let before = requests(from: second - 19, through: second - 10)
            if recent >= max(Self.leastInTenSeconds, before * factor) {
                worst = LimitBook.Refusal(cause: .acceleration, wait: 1)
            }
        }
        return worst
    }

    mutating func letIn(input: Double, cacheRead: Double, user: String?, at time: Int64) {
        buckets[.requests]?.take(1)
        buckets[.input]?.take(input)
        buckets[.tokens]?.take(input)
        let day = time / Self.dayLength
        requestsOfDay = requestsOfDay.day == day ? (day, requestsOfDay.count + 1) : (day, 1)
        letIn += 1
        note(at: time / 1_000) { second in
            second.requests += 1
            second.input += input
            second.cacheRead += cacheRead
        }
        guard let user else { return }
        users[user, default: User()].letIn += 1
        users[user, default: User()].input += input
    }

    mutating func wrote(_ tokens: Double, user: String?, at time: Int64) {
        buckets[.output]?.take(tokens)
        buckets[.tokens]?.take(tokens)
        note(at: time / 1_000) { $0.output += tokens }
        if let user { users[user, default: User()].output += tokens }
    }

    mutating func giveBack(input: Double, cacheRead: Double, user: String?, day: Int64, second: Int64) {
        buckets[.requests]?.giveBack(1)
        buckets[.input]?.giveBack(input)
        buckets[.tokens]?.giveBack(input)
        if requestsOfDay.day == day { requestsOfDay.count -= 1 }
        letIn -= 1
        note(at: second) { second in
            second.requests -= 1
            second.input -= input
            second.cacheRead -= cacheRead
        }
        guard let user else { return }
        users[user]?.letIn -= 1
        users[user]?.input -= input
    }

    var levels: [LimitLevel] {
        LimitKind.allCases.compactMap { kind in
            guard let bucket = buckets[kind], let perMinute = rule.perMinute[kind] else { return nil }
            return LimitLevel(kind: kind, perMinute: perMinute, level: bucket.level, untilFull: bucket.untilFull)
        }
    }

    // MARK: Record

    mutating func record(_ refusal: LimitBook.Refusal, user: String?, at time: Int64) {
        let name =
            switch refusal.cause {
            case .bucket(let kind, _): kind.rawValue
            case .daily: "per_day"
            case .acceleration: "acceleration"
            }
        refused[name, default: 0] += 1
        note(at: time / 1_000) { $0.refused += 1 }
        if let user { users[user, default: User()].refused += 1 }
    }

    private mutating func note(at second: Int64, _ change: (inout Second) -> Void) {
        if let place = seconds.lastIndex(where: { $0.second <= second }), seconds[place].second == second {
            change(&seconds[place])
            return
        }
        guard second > seconds.last?.second ?? .min else { return }
        var new = Second(second: second)
        change(&new)
        seconds.append(new)
        if seconds.count > Self.keptSeconds + Self.keptSeconds / 4 {
            seconds.removeFirst(seconds.count - Self.keptSeconds)
        }
    }

    private func requests(from first: Int64, through last: Int64) -> Double {
        var sum = 0.0
        for second in seconds.reversed() {
            if second.second < first { break }
            if second.second <= last { sum += second.requests }
        }
        return sum
    }

    func json(_ key: LimitBook.Key, from: Int64?, until: Int64) -> JSON {
        let first = from ?? (seconds.first?.second ?? 0) * 1_000
        let chosen = seconds.filter { $0.second * 1_000 >= first / 1_000 * 1_000 && $0.second * 1_000 <= until }
        let length = Double(max(1, until - first)) / 1_000
        var limits: JSON = [:]
        for level in levels {
            let used = chosen.reduce(0.0) { sum, second in
                switch level.kind {
                case .requests: sum + second.requests
                case .input: sum + second.input
                case .output: sum + second.output
                case .tokens: sum + second.input + second.output
                }
            }
            limits[level.kind.rawValue] = [
                "per_minute": JSON(level.perMinute), "size": JSON(buckets[level.kind]?.size),
                "level": JSON(level.level), "used": JSON(used), "share": JSON(used / (level.perMinute / 60 * length)),
                "longest_full_ms": JSON(buckets[level.kind]?.longestFull),
            ]
        }
        var refusals: JSON = [:]
        for (name, count) in refused { refusals[name] = JSON(count) }
        return [
            "service": JSON(key.service.rawValue), "model": JSON(key.model), "from": JSON(first),
            "until": JSON(until), "limits": limits, "let_in": JSON(letIn), "refused": refusals,
            "users": .array(
                users.sorted { $0.key < $1.key }.map { name, user in
                    [
                        "user": JSON(name), "let_in": JSON(user.letIn), "refused": JSON(user.refused),
                        "input": JSON(user.input), "output": JSON(user.output),
                    ]
                }),
            "seconds": .array(
                chosen.map { second in
                    [
                        "at": JSON(second.second), "requests": JSON(second.requests), "input": JSON(second.input),
                        "output": JSON(second.output), "cache_read": JSON(second.cacheRead),
                        "refused": JSON(second.refused),
                    ]
                }),
        ]
    }
}
