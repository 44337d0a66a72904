import JobQueue
import TestSupport
import Testing

/// A fleet whose clocks are 250 ms apart keeps to the limits of a strict provider and uses them.
@Suite struct LimitInvariantTests {
    struct Setting: Sendable, CustomTestStringConvertible {
        var name: String
        var limits: [LimitKind: SimulatedProvider.Limit]
        var load = FleetSimulation.Load()
        var seed: UInt64 = 1
        /// The time of the measure.
        var seconds = 100.0

        var testDescription: String { name }
    }

    private static func limits(
        _ requests: Double, _ input: Double, _ output: Double, seconds: Double
    ) -> [LimitKind: SimulatedProvider.Limit] {
        func limit(_ rate: Double) -> SimulatedProvider.Limit { .init(rate: rate, size: max(1, rate / 60 * seconds)) }
        return [.requests: limit(requests), .input: limit(input), .output: limit(output)]
    }

    private static func load(_ change: (inout FleetSimulation.Load) -> Void) -> FleetSimulation.Load {
        var load = FleetSimulation.Load()
        change(&load)
        return load
    }

    static let settings: [Setting] = [
        Setting(name: "input binds, a minute at once", limits: limits(1000, 3_000_000, 600_000, seconds: 60)),
        Setting(name: "input binds, five seconds at once", limits: limits(1000, 3_000_000, 600_000, seconds: 5)),
        Setting(
            name: "output binds, a minute at once", limits: limits(1000, 8_000_000, 500_000, seconds: 60)),
        Setting(
            name: "output binds, ten seconds at once", limits: limits(1000, 8_000_000, 500_000, seconds: 10)),
        Setting(
            name: "requests bind, two seconds at once", limits: limits(600, 90_000_000, 9_000_000, seconds: 2)),
        Setting(
            name: "few requests, two at once", limits: limits(50, 9_000_000, 900_000, seconds: 2.4),
            load: load { $0.waiting = 3 }),
        Setting(
            name: "large calls", limits: limits(1000, 2_000_000, 900_000, seconds: 20),
            load: load { $0.input = 20_000...180_000 }, seconds: 300),
        Setting(
            name: "many processes and far clients", limits: limits(3000, 9_000_000, 2_000_000, seconds: 30),
            load: load {
                $0.processes = 16
                $0.transit = 50...250
            }),
        Setting(
            name: "interactive calls", limits: limits(1000, 1_500_000, 600_000, seconds: 20),
            load: load { $0.interactivePause = 700 }),
        Setting(
            name: "processes die", limits: limits(1000, 2_000_000, 600_000, seconds: 20),
            load: load { $0.deathPause = 9000 }),
    ]

    /// Providers that read their buckets for a head when they send it, or on the way there.
    static let freshHeads: [Setting] =
        settings.filter { $0.load.processes == 4 }.map { setting in
            var setting = setting
            setting.name += ", heads made when they are sent"
            setting.load.headIsMadeAt = 1
            return setting
        }
        + [4.0, 10, 20, 60].flatMap { seconds in
            [0, 0.5, 1].map { made in
                Setting(
                    name: "requests bind, \(Int(seconds)) seconds at once, heads made at \(made) of the wait",
                    limits: limits(600, 90_000_000, 9_000_000, seconds: seconds),
                    load: load {
                        $0.headIsMadeAt = made
                        $0.firstByte = 500...4000
                    })
            }
        }
        + [0.5, 1].map { made in
            Setting(
                name: "few calls at once, heads made at \(made) of the wait",
                limits: limits(60, 9_000_000, 900_000, seconds: 4),
                load: load {
                    $0.headIsMadeAt = made
                    $0.waiting = 3
                }, seconds: 300)
        }

    /// Buckets that hold one call, or few seconds' worth, and the share of the limit that is reached at least. Of those of
    /// one call, a refill and the time by which calls differ on their way must pass between two calls, so that their share
    /// is less. Buckets of output hold less than the answers under way take.
    private static let small: [(setting: Setting, share: Double)] = [0.0, 1].flatMap { made in
        func setting(
            _ name: String, _ limits: [LimitKind: SimulatedProvider.Limit], share: Double,
            _ change: (inout FleetSimulation.Load) -> Void = { _ in }
        ) -> (Setting, Double) {
            var load = load(change)
            (load.headIsMadeAt, load.waiting, load.interactivePause) = (made, 4, 6000)
            return (
                Setting(name: "\(name), heads made at \(made) of the wait", limits: limits, load: load, seconds: 300),
                share
            )
        }
        func near(_ load: inout FleetSimulation.Load) { (load.skew, load.transit) = (0, 1...10) }
        func uneven(_ load: inout FleetSimulation.Load) {
            (load.output, load.speed, load.parts) = (600...1200, 40...160, 40)
        }
        func quick(_ load: inout FleetSimulation.Load) {
            (load.output, load.speed, load.parts) = (900...901, 350...450, 40)
        }
        // A bucket that is full at each call looks like one of a single call, as a head tells whole requests alone.
        return [
            setting("one request a second, one at once", limits(60, 9_000_000, 900_000, seconds: 1), share: 0.75),
            setting(
                "one request a second, one at once, near", limits(60, 9_000_000, 900_000, seconds: 1), share: 0.95
            ) { near(&$0) },
            setting(
                "one request in two seconds, one at once, near", limits(30, 9_000_000, 900_000, seconds: 1), share: 0.96
            ) { near(&$0) },
            setting(
                "somewhat more than one request at once, near", limits(90, 9_000_000, 900_000, seconds: 1), share: 0.93
            ) { near(&$0) },
            setting(
                "the input of one call at once", limits(1000, 840_000, 6_000_000, seconds: 1), share: 0.75
            ) { ($0.input, $0.estimate) = (13_999...14_000, 1...1.01) },
            setting("ten requests at once", limits(600, 90_000_000, 9_000_000, seconds: 1), share: 0.95),
            setting("four requests at once", limits(250, 90_000_000, 9_000_000, seconds: 1), share: 0.95),
            setting("the output of a second", limits(120, 60_000_000, 90_000, seconds: 1), share: 0.9) { uneven(&$0) },
            setting("the output of two seconds", limits(120, 60_000_000, 90_000, seconds: 2), share: 0.97) {
                uneven(&$0)
            },
            setting(
                "the output of two seconds in quick answers", limits(240, 60_000_000, 60_000, seconds: 2), share: 0.97
            ) { quick(&$0) },
            setting(
                "the output of three seconds in quick answers", limits(240, 60_000_000, 60_000, seconds: 3), share: 0.97
            ) { quick(&$0) },
            setting(
                "the output of two seconds in like answers", limits(120, 60_000_000, 90_000, seconds: 2), share: 0.98
            ) { ($0.output, $0.speed, $0.parts) = (900...901, 80...110, 40) },
            setting("the output of six seconds", limits(120, 60_000_000, 90_000, seconds: 6), share: 0.98) {
                uneven(&$0)
            },
        ]
    }

    @Test(arguments: small.indices, [false, true])
    func aSmallBucketRefusesHardlyAnyCall(place: Int, tellsRoundNumbers: Bool) {
        let (setting, leastShare) = Self.small[place]
        var provider = SimulatedProvider(setting.limits, tellsLimits: true)
        (provider.tellsWholeSeconds, provider.tellsThousands) = (tellsRoundNumbers, tellsRoundNumbers)
        var fleet = FleetSimulation(provider, load: setting.load, seed: 1)
        // How far calls differ on their way is learned from the first refusals.
        fleet.run(until: 100_000)
        fleet.beginMeasure()
        fleet.run(until: 100_000 + setting.seconds * 1000)
        let share = fleet.provider.share(over: setting.seconds * 1000)
        #expect(share >= leastShare, "\(setting.name): \(share) of the limit was used")
        #expect(
            // One may come while the way of calls is learned again, and two where few calls are let in.
            Double(fleet.provider.refused) <= max(3, Double(fleet.provider.accepted) * 0.005),
            "\(setting.name): \(fleet.provider.refused) refusals, \(fleet.provider.accepted) accepted")
        #expect(
            fleet.longestInteractiveWait <= 6000,
            "\(setting.name): an interactive call waited for \(fleet.longestInteractiveWait) ms")
        #expect(fleet.problems.isEmpty, "\(fleet.problems.first ?? "")")
    }

    /// Workers that claim jobs as the replies let them, beside short interactive calls.
    static let claiming: [Setting] = [1, 2, 4].flatMap { processes in
        [2.0, 3, 10].map { seconds in
            Setting(
                name: "\(processes) processes that claim, the output of \(Int(seconds)) seconds",
                limits: limits(1000, 9_000_000, 90_000, seconds: seconds),
                load: load {
                    ($0.processes, $0.skew, $0.transit) = (processes, 0, 1...10)
                    ($0.input, $0.firstByte) = (500...900, 400...1200)
                    ($0.output, $0.speed, $0.parts) = (640...900, 40...200, 40)
                    ($0.claim, $0.interactivePause, $0.interactiveOutput) = (10...60, 6000, 90...100)
                }, seconds: 300)
        }
    }

    /// The same at a provider that lets in a request or two at once, from the first call on.
    static let claimingFewRequests: [Setting] = [1, 2, 4].flatMap { processes in
        [(60.0, 1.0, 0.0), (60, 1, 0.1), (90, 1, 0.1), (30, 2, 0), (120, 2, 0.1)].map { rate, seconds, late in
            Setting(
                name: "\(processes) claim, \(Int(rate)) requests a minute of \(seconds) s, \(late) late",
                limits: limits(rate, 9_000_000, 900_000, seconds: seconds),
                load: load {
                    ($0.processes, $0.skew, $0.transit) = (processes, 0, 1...10)
                    ($0.input, $0.firstByte) = (500...900, 400...1200)
                    ($0.output, $0.speed, $0.parts) = (640...900, 40...200, 40)
                    ($0.claim, $0.interactivePause, $0.interactiveOutput) = (10...200, 6000, 90...100)
                    $0.lateCalls = late
                }, seconds: 150)
        }
    }

    @Test(arguments: claimingFewRequests, [UInt64(1), 2])
    func workersThatClaimUseFewRequestsWholly(_ setting: Setting, seed: UInt64) {
        var fleet = FleetSimulation(
            SimulatedProvider(setting.limits, tellsLimits: true), load: setting.load, seed: seed)
        fleet.run(until: 20_000)
        let refused = fleet.provider.refused
        #expect(refused == 0, "\(setting.name): \(refused) of the first calls were refused")
        fleet.beginMeasure()
        fleet.run(until: 20_000 + setting.seconds * 1000)
        let share = fleet.provider.share(over: setting.seconds * 1000)
        #expect(share >= 0.95, "\(setting.name): \(share) of the limit was used")
        #expect(Double(fleet.provider.refused) <= Double(fleet.provider.accepted) * 0.005)
        #expect(fleet.longestInteractiveWait <= 3000)
    }

    @Test(arguments: claiming, [UInt64(1), 2])
    func workersClaimAsManyJobsAsTheLimitCarries(_ setting: Setting, seed: UInt64) {
        var fleet = FleetSimulation(
            SimulatedProvider(setting.limits, tellsLimits: true), load: setting.load, seed: seed)
        fleet.run(until: 40_000)
        fleet.beginMeasure()
        fleet.run(until: 40_000 + setting.seconds * 1000)
        let share = fleet.provider.share(over: setting.seconds * 1000)
        #expect(share >= 0.96, "\(setting.name): \(share) of the limit was used")
        #expect(Double(fleet.provider.refused) <= Double(fleet.provider.accepted) * 0.005)
        #expect(fleet.longestInteractiveWait <= 3000)
    }

    /// Answers of half a minute and of a quarter, some of which are written several times as fast as others.
    static let unevenSpeeds: [Setting] = [1, 2, 4].flatMap { processes in
        [(90_000.0, 1500.0, 60.0, 0.8), (60_000, 3000, 30, 0.4)].map { output, firstByte, speed, spread in
            Setting(
                name: "\(processes) processes, \(Int(speed)) tokens a second, spread by \(spread)",
                limits: limits(1000, 9_000_000, output, seconds: 3),
                load: load {
                    ($0.processes, $0.skew, $0.transit) = (processes, 0, 2...12)
                    ($0.input, $0.firstByte, $0.spread) = (2000...6000, firstByte...firstByte, spread)
                    ($0.output, $0.speed, $0.parts) = (700...1100, speed...speed, 40)
                    ($0.claim, $0.interactivePause, $0.interactiveOutput) = (30...300, 6000, 90...100)
                }, seconds: 120)
        }
    }

    /// Calls that are let in together end together: a level that swings leaves persons to wait and the limit unused.
    @Test(arguments: unevenSpeeds, [UInt64(1), 2, 3])
    func personsDoNotWaitForAnswersOfUnevenSpeed(_ setting: Setting, seed: UInt64) {
        var provider = SimulatedProvider(setting.limits, tellsLimits: true)
        (provider.tellsWholeSeconds, provider.tellsThousands) = (true, true)
        var fleet = FleetSimulation(provider, load: setting.load, seed: seed)
        fleet.run(until: 5000)
        fleet.beginMeasure()
        fleet.run(until: 35_000)
        let early = fleet.provider.share(over: 30_000)
        #expect(early >= 0.45, "\(setting.name): \(early) of the limit was used after a start")
        fleet.run(until: 60_000)
        fleet.beginMeasure()
        fleet.run(until: 60_000 + setting.seconds * 1000)
        let share = fleet.provider.share(over: setting.seconds * 1000)
        #expect(share >= 0.93, "\(setting.name): \(share) of the limit was used")
        #expect(
            fleet.longestInteractiveWait <= 5000,
            "\(setting.name): an interactive call waited for \(fleet.longestInteractiveWait) ms")
        #expect(Double(fleet.provider.refused) <= Double(fleet.provider.accepted) * 0.005)
    }

    /// A provider that reads nothing from its cache for some of the calls, or for all of them.
    static let caching: [Setting] = [5.0, 60].flatMap { seconds in
        [0, 0.1, 0.4, 1].map { misses in
            Setting(
                name: "\(misses) of the calls miss the cache, \(Int(seconds)) seconds at once",
                limits: limits(9000, 3_000_000, 6_000_000, seconds: seconds),
                load: load {
                    ($0.input, $0.prefix, $0.misses) = (500...3000, 10_000, misses)
                    $0.interactivePause = 2000
                })
        }
    }

    /// The first answers that read nothing are a second away when it forgets, so some calls are refused.
    @Test(arguments: [UInt64(1), 2])
    func aProviderThatForgetsItsCacheRefusesFewCalls(seed: UInt64) {
        var fleet = FleetSimulation(
            SimulatedProvider(Self.limits(9000, 3_000_000, 6_000_000, seconds: 20), tellsLimits: true),
            load: Self.load {
                ($0.input, $0.prefix, $0.forgetsAt) = (500...3000, 10_000, 50_000)
                $0.interactivePause = 2000
            }, seed: seed)
        fleet.run(until: 50_000)
        fleet.beginMeasure()
        fleet.run(until: 60_000)
        #expect(fleet.provider.refused <= 20, "\(fleet.provider.refused) refusals")
        #expect(fleet.longestInteractiveWait <= 3000)
        fleet.beginMeasure()
        fleet.run(until: 100_000)
        #expect(fleet.provider.refused == 0)
    }

    @Test(arguments: settings + caching + freshHeads)
    func theFleetUsesTheLimitAndIsNotRefused(_ setting: Setting) {
        var fleet = FleetSimulation(
            SimulatedProvider(setting.limits, tellsLimits: true), load: setting.load, seed: setting.seed)
        fleet.run(until: 50_000)
        fleet.beginMeasure()
        fleet.run(until: 50_000 + setting.seconds * 1000)
        let share = fleet.provider.share(over: setting.seconds * 1000)
        let mostRefused = max(1, Double(fleet.provider.accepted) * 0.005)
        let binding = fleet.provider.buckets.max { left, right in
            (fleet.provider.used[left.key] ?? 0) / left.value.limit.rate
                < (fleet.provider.used[right.key] ?? 0) / right.value.limit.rate
        }
        #expect(share >= 0.95, "\(share) of the limit was used")
        #expect(
            Double(fleet.provider.refused) <= mostRefused,
            "\(fleet.provider.refused) refusals, \(fleet.provider.accepted) accepted")
        if let binding {
            #expect(binding.value.longestFull < 300, "\(binding.key) was full for \(binding.value.longestFull) ms")
        }
        #expect(fleet.longestInteractiveWait <= 3000)
        #expect(fleet.problems.isEmpty, "\(fleet.problems.first ?? "")")
        let (least, most) = (fleet.letIn.min() ?? 0, fleet.letIn.max() ?? 0)
        if setting.load.deathPause == 0 { #expect(Double(least) > 0.5 * Double(most), "\(fleet.letIn)") }
    }
}
