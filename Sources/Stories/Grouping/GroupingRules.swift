/// The numbers that decide which articles make a story. `docs/stories.md` says how they were found.
public struct GroupingRules: Sendable, Hashable {
    /// What a word of the trade (`report`, `shares`) weighs beside an ordinary one.
    public var generic = 0.5
    /// What a number weighs.
    public var number = 0.3
    /// What the first word of a title weighs above one that stands `leadWords` later; those between in proportion.
    public var lead = 0.6
    /// Behind how many words a title's words gain nothing by their place.
    public var leadWords = 8
    /// What a word of the description weighs beside one of the title.
    public var description = 0.4
    /// What a word loses for each further group that it stands in when an article arrives.
    public var spread = 0.1
    /// The share of the group as a whole in a score; the rest is the mean of its closest articles.
    public var centroid = 0.4
    /// How many of a group's articles are its closest.
    public var closest = 4
    /// What a score counts where an article of several words shares only one with the group: one word is no story.
    public var oneWord = 0.75
    /// From which score on an article joins a group.
    public var join = 0.17
    /// From which cosine on an article alone and another, or a group that grew, become one.
    public var adopt = 0.28
    /// From which cosine on two groups of several articles become one.
    public var merge = 0.16
    /// How much of what two groups share most is left out of account when they are compared: one word is no story.
    public var soleTerm = 0.5
    /// The share of embeddings in a score, where both sides have one.
    public var dense = 0.5

    public init() {}
}
