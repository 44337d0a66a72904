/// Alarm by foreboding: somebody who dares not think of what comes, who finds no sleep, for whom time runs out; calm that
/// is over; something that is wrong, or hidden.
extension AlarmWords {
    static let forebodingLists = [
        "think": "think imagine picture guess ask consider contemplate envisage look",
        "rest": "sleep peace rest nights calm",
        "easy": """
        easy good golden quiet calm fat happy comfortable cosy carefree relaxed sunny best careless peaceful safe lazy
        """,
        "times": "days years times time hours era months decades season",
        "gone": "over numbered gone behind past ended finished",
        "rosy": "comforting nice pleasant reassuring convenient easy tempting soothing lovely wonderful",
    ]

    static let forebodingPatterns = """
        shudder|shudders|shuddering|dread|dreads|dreading|tremble|trembles|trembling|shiver|shivers *1 to|at|when *2 @think|thought|prospect|idea|what
        hate|hates|fear|fears|loath|afraid|scared *1 to *1 think|imagine|picture|guess|ask|contemplate|envisage
        hardly|scarcely|not|barely|nobody|few|never|who *1 dare|dares|dared|bear|bears|want|wants|care|cares *1 to *1 think|imagine|picture|guess|look|contemplate
        keep|keeps|keeping|kept *6 awake
        keep|keeps|keeping|kept *5 up at night
        rob|robs|robbing|robbed *4 of *3 @rest
        steal|steals|stealing|deny|denies *4 sleep|peace
        something *2 is|seems|feels|has|went|gone|goes *2 wrong|amiss|rotten|awry|broken|fishy|off
        something *1 does|doesn't|did|didn't|do *1 not|add|smell|feel|sound|look *1 add|right|smell|well|up
        all|things is|are not *1 well
        hear|hears|heard|hearing *3 clock|ticking|bell
        time|clock *1 is|has *3 against|up|out
        @easy *1 @times *8 @gone
        @times|day|moment *2 to|for *2 be|being|feel|feeling|stay|staying *1 @easy|patient|hopeful|idle *8 @gone
        one|single|another *2 false|wrong|weak|bad|careless|more|poor *3 step|move|word|quarter|summer|winter|autumn|spring|slip|mistake|report|month|year *8 and *8 gone|lost|over|history|finished|falls|collapse~|ruined|done|nothing
        would be|feel @rosy *2 to *1 think|believe|hope|assume|imagine|pretend|suppose
        one|we|owners|everybody|everyone|investors would *2 like|love|prefer|wish to *1 believe|think|hope|assume
        come|comes|live|lives|grow|learn to *2 wish|regret|rue
        wish|wishes|wishing *4 had never
        should|must|would|may|might|ought|enough *3 give *9 pause
        who *1 can|could|knows|know|dares *3 what *3 else|behind|beneath|next|come|comes|hides|lurks|follow|follows
        what|how *1 else|more|much|many *1 else|more *2 hide|hides|hidden|hiding|lurk~|wait|waits|waiting
        takes|take|needs|need|want|wants *1 a *1 strong|brave|steady|stout|firm|cool *1 heart|stomach|nerves|head
        faint of|hearted
        next time *4 may|might|could|will|won't *2 not|nobody|worse
        left to *2 imagination
        may|might|could *2 been *3 warning|omen|foretaste|rehearsal
        enjoy|enjoying|savour|savor|savouring|enjoyed *6 while *2 last|lasts
        quiet|calm|lull|peace before *2 next|storm|worst|rest
        """
}
