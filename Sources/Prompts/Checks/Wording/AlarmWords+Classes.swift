/// Alarm by images: what carries gives way, what was saved is swept away, something rolls or burns towards the reader,
/// somebody is led where nobody returns from.
///
/// Words that name things as they are in other news, such as a bridge that gives way, are left out.
extension AlarmWords {
    static let classLists = [
        "prop": "pillar pillars foundation foundations props lifeline backbone scaffolding edifice bulwark",
        "failing": """
        buckle buckles buckling sag sags sagging snap snaps snapping give gives giving gave fall falls falling fallen
        break breaks breaking tear tears tearing fray frays fraying wobble wobbles splinter splinters rust rusting
        """,
        "saved": "savings wealth fortune fortunes nest pension pensions gains years decades livelihoods saving",
        "swept": "swept wiped washed blown burned burnt torn stripped eaten melted",
        "wave": "wave waves tide storm avalanche torrent tempest shadow",
        "nearing": "rolling gathering looming descending engulf engulfs engulfing swelling",
        "ours": """
        owner owners shareholder shareholders holder holders investor investors saver savers lender lenders sector
        market markets industry bank banks company balance figures calm defaults bankruptcies debts surface
        """,
    ]

    static let classPatterns = """
        @prop *4 @failing *2 way|down|off|apart|under|loose|after|one|away|out
        @prop *3 buckling|sagging|snapping|fraying|splintering|rusting
        engine *3 economy|growth *4 sputter~|stall~|chok~|dying
        wheels are coming off
        bottom|rug|carpet *3 dropped|fallen|drops|falls|dropping|pulled|gone|gives|giving *1 out|away|way|from
        @saved *6 @swept *1 away|out|up|off|bare
        could|may|might|will|would *3 @swept *1 away|out *5 @saved
        up in smoke|flames & cash|money|savings|value|profit|profits|gains
        down the drain
        @wave *6 @nearing & @ours
        smouldering|smoldering|fuse|embers & @ours|lit
        noose|grip *3 tightening|tightens|tighten
        tightening|tightens *2 noose
        nails|nail *3 coffin
        life support & company|bank|business|lender|chain|firm|group|sector
        on *1 its|their knees|ropes|deathbed
        last|dying breath|gasp|gasps
        sit|sits|sitting *2 volcano|bomb|keg|minefield|timebomb
        minefield|quicksand|timebomb
        sleepwalk~
        haunt|haunted|haunting *3 @ours|for|them|it|you
        gives|give|send|sends|feel|sent *5 chill|chills|shiver|shivers|shudder|shudders
        run|ran|running|runs *1 out of *1 friends|luck|steam|answers|lives
        turning|turned|going blue|pale
        trap|jaws *5 snap|snaps|shut|sprung
        bill|reckoning|invoice *6 about to *1 arrive|fall|come
        last|final|only *1 line|lines|bastion *1 of *1 defence|defense *3 fallen|falls|breached|gone|crumbl~
        separate|separates *2 survivors|wheat
        no *2 in sight & rescue|mechanic|doctor|cure|saviour|savior|relief
        nobody|none|one *2 knows *1 how *1 to *1 stop|end|fix|contain
        nobody|nothing|one *1 should|can|could *1 feel|be *2 at ease|safe|calm|comfortable|secure
        look|looks|looking|looked *1 away & pay|later|regret
        led|driven|herded|marched *2 to|over|into *2 slaughter|cliff|edge|disaster
        hold|holds|holding *2 breath
        """
}
