/// What a reader may be asked to do. None of it is a trade.
package enum SignalAction: String, Sendable, CaseIterable {
    case understand = "Understand the context"
    case keepInMind = "Keep it in mind"
    case readSource = "Read the source"
    case nothing = "No action needed"
}
