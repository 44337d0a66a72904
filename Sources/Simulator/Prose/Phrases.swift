/// The sentences that simulated prose is made of. None holds a figure, a number word or a call to act: the figures come
/// from the facts, in braces.
enum Phrases {
    static let marker = "This prose is simulated: no language model wrote it."

    /// With a fact of a known period.
    static func dated(_ topic: Topic) -> [String] {
        switch topic {
        case .summary, .plain:
            [
                "For {period}, {subject} reported {label} of {value}.",
                "The filings give {label} as {value} for {period}.",
                "In {period}, {label} stood at {value}.",
                "{Label} came to {value} in {period}.",
            ]
        case .thesis:
            [
                "Part of what the business rests on is {label} of {value} in {period}.",
                "The record for {period} shows {label} of {value}, which a patient reader can check.",
                "What speaks for {subject} begins with {label} of {value} in {period}.",
            ]
        case .risk:
            [
                "The reading leans on {label} of {value} in {period}, and such a figure may not repeat.",
                "A weaker result than the {label} of {value} in {period} would be a reason for caution.",
                "Competition could wear down the {label} of {value} that {subject} showed in {period}.",
            ]
        case .valuation:
            [
                "Any estimate of value starts from {label} of {value} in {period}.",
                "A careful owner would set a price against {label} of {value} for {period}.",
                "What the business is worth depends on whether {label} of {value}, as in {period}, can last.",
            ]
        case .change:
            [
                "The view would change if {label} moved well away from the {value} of {period}.",
                "A lasting departure from {label} of {value}, as in {period}, would ask for a fresh reading.",
                "Later filings that no longer support {label} of {value}, as reported for {period}, would matter.",
            ]
        }
    }

    /// With a fact that names no period.
    static let undated = [
        "The figure given for {label} is {value}.",
        "The facts state {label} of {value}.",
        "Among the facts is {label} of {value}.",
    ]

    /// Without any fact.
    static func bare(_ topic: Topic) -> [String] {
        switch topic {
        case .summary, .plain:
            [
                "The picture comes from the material at hand and from nothing else.",
                "Where the material is silent, nothing is added.",
                "A reader can check each statement against its source.",
                "The rest is a matter of time and of further reports.",
            ]
        case .thesis:
            [
                "The case rests on what the business has already shown.",
                "A long record says more than a single good period.",
                "The strengths are those that the reports themselves describe.",
                "Nothing here depends on a forecast.",
            ]
        case .risk:
            [
                "Conditions in the industry can turn against even a sound business.",
                "Customers and rivals may behave differently from before.",
                "A steady past is no promise for what follows.",
                "The size of this effect cannot be read from the material.",
            ]
        case .valuation:
            [
                "Without further material no closer estimate is offered.",
                "A range would say more than a point, and the material supports neither.",
                "Price and value are different questions, and only the reports speak to the latter.",
                "Caution in the assumptions matters more than precision in the arithmetic.",
            ]
        case .change:
            [
                "A change in how the business earns its money would ask for a fresh reading.",
                "Reports that contradict the record would weigh more than opinions about it.",
                "A different use of the cash that the business earns would matter as well.",
                "Short swings alone would not alter the view.",
            ]
        }
    }

    /// With a passage of the source text.
    static let quoting = [
        "The text says “{quote}”.",
        "In the words of the source, “{quote}”.",
        "The source puts it as “{quote}”.",
    ]

    static func titles(_ topic: Topic) -> [String] {
        switch topic {
        case .summary, .plain: ["A closer look at {label}", "A look at {label}", "Reading {label}"]
        case .thesis: ["The strength of {label}", "{Label} as a foundation", "Support from {label}"]
        case .risk: ["Reliance on {label}", "Pressure on {label}", "{Label} may not last"]
        case .valuation: ["Value and {label}", "{Label} as a yardstick", "A price set against {label}"]
        case .change: ["A change in {label}", "A turn in {label}", "{Label} leaving its path"]
        }
    }

    static let bareTitles = ["The record so far", "What the material shows", "An open question", "A matter of time"]
}
