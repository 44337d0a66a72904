/// The bounds of batches: the time for which lines gather, and how often a provider is asked.
package struct BatchBounds: Hashable, Sendable {
    /// The longest time between the first line of a batch and its sealing.
    package var gather: Duration = .seconds(600)
    /// The pause after the last line where a job has little time.
    package var gatherHurried: Duration = .seconds(10)
    /// The most lines of a batch.
    package var lines = 1000
    /// The most bytes of the requests of a batch; fewer where the provider takes fewer.
    package var bytes = 50_000_000
    /// The longest pause between two polls of a batch; the first ones come after a fifth, two fifths and four fifths.
    package var poll: Duration = .seconds(300)
    /// The time after which a batch that is in no list of its provider is sent once more.
    package var unclear: Duration = .seconds(900)
    /// The time for which a process works on a batch before another one may take it. A creation ends after three
    /// quarters of it.
    package var lease: Duration = .seconds(120)

    package init() {}

    /// 1, 2 and 4 minutes after the creation.
    var firstPolls: [Duration] { [poll / 5, poll * 2 / 5, poll * 4 / 5] }
    /// The times after the creation's lost answer at which the provider's list is read first: 5, 15, 30 and 60 seconds.
    var firstListings: [Duration] { [180, 60, 30, 15].map { unclear / $0 } }
    /// 2 minutes.
    var listPause: Duration { unclear * 2 / 15 }
    /// The longest time that the request of a creation takes.
    package var creation: Duration { lease * 3 / 4 }
}
