internal import JobQueue
internal import Prompts

/// The schedules of a bundle and when each of them wants its next job.
///
/// A pure value: the store's time goes in, ticks come out. A tick that was not taken stays due.
struct SchedulePlan {
    struct Entry {
        var kind: JobKind
        var schedule: JobSchedule
        /// `nil` when the schedule has no further tick.
        var next: Timestamp?
    }

    struct Due {
        var kind: JobKind
        var schedule: JobSchedule
        /// The latest tick: those before it that were missed are not made up for.
        var tick: ScheduleTick
    }

    let bundle: String
    private var entries: [Entry] = []

    /// Begins with the last tick of each schedule, whether or not it has fired: the store knows.
    init(bundle: String, kinds: [String: JobKind], at now: Timestamp) {
        self.bundle = bundle
        for kind in kinds.values.sorted(by: { $0.name < $1.name }) {
            for schedule in kind.schedules {
                let last = schedule.times.latest(at: now)
                entries.append(Entry(kind: kind, schedule: schedule, next: last ?? schedule.times.next(after: now)))
            }
        }
    }

    /// What is due.
    func due(at now: Timestamp) -> [Due] {
        entries.compactMap { entry in
            guard let next = entry.next, next <= now else { return nil }
            let tick = ScheduleTick(schedule: entry.schedule.id, timestamp: entry.schedule.times.latest(at: now) ?? next)
            return Due(kind: entry.kind, schedule: entry.schedule, tick: tick)
        }
    }

    /// Notes that a tick has been dealt with.
    mutating func take(_ tick: ScheduleTick) {
        for place in entries.indices where entries[place].schedule.id == tick.schedule {
            entries[place].next = entries[place].schedule.times.next(after: tick.timestamp)
        }
    }

    /// How long until something is due; `nil` when nothing will be.
    func pause(at now: Timestamp) -> Duration? {
        entries.compactMap(\.next).min().map { max(.zero, $0 - now) }
    }
}
