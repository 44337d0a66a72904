internal import JSON

extension SharedBudget {
    private static let version: Int64 = 2

    /// Decodes `encoded`; `nil` for any other text, also of an earlier version.
    package init?(encoded text: String) {
        guard let value = try? JSON(parsing: text), value["version"] == JSON(Self.version) else { return nil }
        self.init()
        guard let numbers = value["state"]?.integers, numbers.count == 7,
            let told = [LimitKind: LimitBucket](value["told"], LimitBucket.init(numbers:)),
            let own = [LimitKind: LimitBucket](value["own"], LimitBucket.init(numbers:)),
            let spent = [LimitKind: Int64](value["spent"], \.first),
            let begun = RecentUse(value["begun"]), let interactive = RecentUse(value["interactive"]),
            let usual = value["usual_interactive"]?.integers.flatMap(BudgetAmount.init(numbers:)),
            let breakers = OpenBreakers(value["open_breakers"])
        else { return nil }
        (self.told, self.own, self.spent) = (told, own, spent)
        (self.begun, self.interactive, usualInteractive, self.breakers) = (begun, interactive, usual, breakers)
        for (name, fraction) in value["fractions"]?.object ?? [:] {
            guard let kind = LimitKind(rawValue: name), let fraction = fraction.integer else { return nil }
            self.told[kind]?.setFraction(fraction)
        }
        for name in value["assumed_sizes"]?.array ?? [] {
            guard let kind = name.string.flatMap(LimitKind.init(rawValue:)) else { return nil }
            self.told[kind]?.isSizeAssumed = true
        }
        updatedAt = Timestamp(milliseconds: numbers[0])
        (calls, readCall, refusals) = (numbers[1], numbers[2], numbers[3])
        blockedUntil = numbers[4] == 0 ? nil : Timestamp(milliseconds: numbers[4])
        tellsLimits = numbers[5] < 0 ? nil : numbers[5] == 1
        readAt = Timestamp(milliseconds: numbers[6])
        guard let peaks = [LimitKind: FlowPeaks](value["peaks"] ?? [:], FlowPeaks.init(numbers:)) else { return nil }
        self.peaks = peaks
        if let numbers = value["rise"]?.integers {
            guard let bucket = LimitBucket(numbers: numbers) else { return nil }
            rise = bucket
        }
        if let numbers = value["spread"]?.integers, numbers.count == 2 {
            spread = TransitSpread(microseconds: numbers[0], isFound: numbers[1] == 1)
        }
        firstCallAt = value["first_call"]?.integer.map { Timestamp(milliseconds: $0) }
        pace = value["pace"]?.integers.flatMap(LimitBucket.init(numbers:))
        for (name, transit) in value["transits"]?.object ?? [:] {
            guard let kind = LimitKind(rawValue: name), let transit = transit.integer else { return nil }
            self.told[kind]?.transit = transit
        }
        for item in value["holders"]?.array ?? [] {
            guard let id = item[0]?.string, let holding = Holding(id: id, item[1]?.integers ?? []) else { return nil }
            holdings[id] = holding
        }
        var refused: [Int64: Int64] = [:]
        for item in value["refused"]?.array ?? [] {
            guard let numbers = item.integers, numbers.count == 2 else { return nil }
            refused[numbers[0]] = numbers[1]
        }
        self.refused = HourCount(counts: refused)
        for item in value["recent"]?.array ?? [] {
            guard let numbers = item.integers, let amount = BudgetAmount(numbers: Array(numbers.dropFirst())) else {
                return nil
            }
            recent.append(Loan(at: Timestamp(milliseconds: numbers[0]), amount: amount))
        }
    }

    /// The value as compact JSON, at most a few kilobytes.
    package var encoded: String {
        let tells: Int64 = tellsLimits.map { $0 ? 1 : 0 } ?? -1
        var value: JSON = [
            "version": JSON(Self.version),
            "state": .integers([
                updatedAt.milliseconds, calls, readCall, refusals, blockedUntil?.milliseconds ?? 0, tells,
                readAt.milliseconds,
            ]),
            "told": .byKind(told, \.numbers), "own": .byKind(own, \.numbers),
            "peaks": .byKind(peaks, \.numbers), "spent": .byKind(spent) { [$0] },
            "begun": begun.json, "interactive": interactive.json,
            "usual_interactive": .integers(usualInteractive.numbers),
            "rise": rise.map { .integers($0.numbers) } ?? .null,
            "holders": .array(
                holdings.sorted { $0.key < $1.key }.map { .array([JSON($0.key), .integers($0.value.numbers)]) }),
            "recent": .array(recent.map { .integers([$0.at.milliseconds] + $0.amount.numbers) }),
        ]
        // A member of its own: earlier versions read the others without it.
        for (kind, bucket) in told.sorted(by: { $0.key < $1.key }) where bucket.fraction > 0 {
            var fractions = value["fractions"] ?? [:]
            fractions[kind.rawValue] = JSON(bucket.fraction)
            value["fractions"] = fractions
        }
        let assumed = told.filter(\.value.isSizeAssumed).keys.sorted()
        if !assumed.isEmpty { value["assumed_sizes"] = .array(assumed.map { JSON($0.rawValue) }) }
        let transits = told.filter { $0.value.transit != LimitBucket.longestTransit }
        if !transits.isEmpty {
            var members: JSON = [:]
            for (kind, bucket) in transits.sorted(by: { $0.key < $1.key }) {
                members[kind.rawValue] = JSON(bucket.transit)
            }
            value["transits"] = members
        }
        if spread != TransitSpread() {
            value["spread"] = .integers([spread.microseconds, spread.isFound ? 1 : 0])
        }
        if let firstCallAt { value["first_call"] = JSON(firstCallAt.milliseconds) }
        if let pace { value["pace"] = .integers(pace.numbers) }
        if !breakers.isEmpty { value["open_breakers"] = breakers.json }
        if !refused.counts.isEmpty {
            value["refused"] = .array(refused.counts.sorted { $0.key < $1.key }.map { .integers([$0.key, $0.value]) })
        }
        return value.compact
    }
}

extension LimitBucket {
    fileprivate init?(numbers: [Int64]) {
        guard numbers.count == 5 else { return nil }
        self.init(
            limit: numbers[0], size: numbers[1], content: numbers[2], corrections: numbers[3],
            at: Timestamp(milliseconds: numbers[4]))
    }

    fileprivate var numbers: [Int64] { [limit, size, content, corrections, at.milliseconds] }
}

extension FlowPeaks {
    fileprivate init?(numbers: [Int64]) {
        guard numbers.count.isMultiple(of: 3) else { return nil }
        self.init(
            stride(from: 0, to: numbers.count, by: 3).map { place in
                Peak(
                    at: Timestamp(milliseconds: numbers[place]), call: numbers[place + 1], flow: numbers[place + 2])
            })
    }

    fileprivate var numbers: [Int64] { peaks.flatMap { [$0.at.milliseconds, $0.call, $0.flow] } }
}

extension BudgetAmount {
    fileprivate init?(numbers: [Int64]) {
        guard numbers.count == 3 else { return nil }
        self.init(requests: numbers[0], input: numbers[1], output: numbers[2])
    }

    fileprivate var numbers: [Int64] { [requests, input, output] }
}

extension RecentUse {
    fileprivate init?(_ value: JSON?) {
        guard let numbers = value?.integers, numbers.count == 7,
            let current = BudgetAmount(numbers: Array(numbers[1..<4])),
            let previous = BudgetAmount(numbers: Array(numbers[4..<7]))
        else { return nil }
        self.init(slotStart: numbers[0], current: current, previous: previous)
    }

    fileprivate var json: JSON { .integers([slotStart] + current.numbers + previous.numbers) }
}

extension SharedBudget.Holding {
    fileprivate init?(id: String, _ numbers: [Int64]) {
        guard numbers.count == 11 || numbers.count == 15, let lent = BudgetAmount(numbers: Array(numbers[5..<8])) else {
            return nil
        }
        self.init(
            holder: BudgetHolder(
                id: id, calls: numbers[0], expectedOutput: numbers[1], usualTime: .milliseconds(numbers[2]),
                retries: numbers[10] < 0 ? nil : numbers[10]),
            heardAt: Timestamp(milliseconds: numbers[3]), waiting: numbers[4],
            waitingInteractive: BudgetAmount(numbers: Array(numbers[min(12, numbers.count)...])) ?? BudgetAmount(),
            served: numbers[9], lent: lent,
            lentUpTo: numbers[8], drained: numbers.count == 15 ? numbers[11] : 0)
    }

    fileprivate var numbers: [Int64] {
        [
            holder.calls, holder.expectedOutput, holder.usualTime.wholeMilliseconds, heardAt.milliseconds, waiting,
        ] + lent.numbers + [lentUpTo, served, holder.retries ?? -1, drained] + waitingInteractive.numbers
    }
}

extension Dictionary where Key == LimitKind {
    fileprivate init?(_ value: JSON?, _ make: ([Int64]) -> Value?) {
        self.init()
        guard let members = value?.object else { return nil }
        for (name, item) in members {
            guard let kind = LimitKind(rawValue: name), let value = item.integers.flatMap(make) else { return nil }
            self[kind] = value
        }
    }
}

extension JSON {
    fileprivate static func integers(_ numbers: [Int64]) -> JSON { .array(numbers.map { JSON($0) }) }

    fileprivate static func byKind<Value>(_ values: [LimitKind: Value], _ numbers: (Value) -> [Int64]) -> JSON {
        var object: JSON = [:]
        for (kind, value) in values.sorted(by: { $0.key < $1.key }) {
            object[kind.rawValue] = .integers(numbers(value))
        }
        return object
    }

    fileprivate var integers: [Int64]? {
        guard let items = array else { return nil }
        let numbers = items.compactMap(\.integer)
        return numbers.count == items.count ? numbers : nil
    }
}
