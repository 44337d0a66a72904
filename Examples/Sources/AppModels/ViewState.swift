public import DossierClient

/// What a screen shows.
public enum ViewState: Hashable, Sendable {
    /// Nothing was asked for yet.
    case idle
    /// The first answer is awaited.
    case loading
    /// There is something to show.
    case loaded
    /// There is nothing to show, and nothing went wrong.
    case empty
    /// There is nothing to show, for a reason.
    case failed(ErrorPresentation)
}

extension Cached {
    /// Whether a screen should say that the value is old.
    var isOld: Bool { freshness >= .stale }
}
