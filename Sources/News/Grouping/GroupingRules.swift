/// The numbers that decide which articles make a story. `docs/stories.md` says how they were found.
package struct GroupingRules: Sendable, Hashable {
    /// What a word of the trade (`report`, `shares`) weighs beside an ordinary one.
    package var generic = 0.5
    /// What a number weighs.
    package var number = 0.3
    /// What the first word of a title weighs above one that stands `leadWords` later; those between in proportion.
    package var lead = 0.6
    /// Behind how many words a title's words gain nothing by their place.
    package var leadWords = 8
    /// What a word of the description weighs beside one of the title.
    package var description = 0.4
    /// What a word loses for each further group that it stands in when an article arrives.
    package var spread = 0.1
    /// The share of the group as a whole in a score; the rest is the mean of its closest articles.
    package var centroid = 0.4
    /// How many of a group's articles are its closest.
    package var closest = 4
    /// What a score counts where an article of several words shares only one with the group: one word is no story.
    package var oneWord = 0.75
    /// From which score on an article joins a group.
    package var join = 0.17
    /// From which cosine on an article alone and another, or a group that grew, become one.
    package var adopt = 0.28
    /// From which cosine on two groups of several articles become one.
    package var merge = 0.16
    /// How much of what two groups share most is left out of account when they are compared: one word is no story.
    package var soleTerm = 0.5
    /// The share of embeddings in a score, where both sides have one.
    package var dense = 0.5

    package init() {}
}
