/// Patterns of sentences that alarm or urge a reader, also where each word by itself is polite.
enum AlarmWords {
    static let lists = [
        "fear": "worry worried concern concerned alarm fear anxiety anxious unease afraid nervous uneasy dread",
        "times": "times days waters months weeks stretch road ride period winter year years quarters chapter",
        "hard": "rough stormy choppy turbulent dark darker troubled testing painful bleak bumpy rocky treacherous",
        "worth": "savings wealth fortune fortunes nest portfolio portfolios retirement pensions livelihoods",
    ]

    static let patterns = """
        alarming|alarmingly|alarmed|worrying|worryingly|worrisome|troubling|troublingly|disturbing|disquieting|unsettling|unnerving
        ominous~|foreboding|dire|perilous~|frightening~|fearsome|terrif~|harrowing|grim|grimmer|bleak|bleaker|devastating|dreadful|chilling
        catastroph~|calamit~|cataclysm~|apocalyp~|disastrous~|nightmar~|doom~|mayhem|havoc|carnage|massacre|bloodbath|meltdown|armageddon
        plung~|plummet~|nosediv~|skyrocket~|soar|soars|soared|soaring|crater~|freefall|tailspin|implod~|implosion|haemorrhag~|hemorrhag~|rout
        frenz~|mania|hysteri~|panic~|chaos|chaotic|turmoil|upheaval|shockwave~|bombshell|seismic|earthquake|tsunami|avalanche
        staggering~|stunning~|shocking~|jolt~|explosive~|brutal~|savage~|desperat~|frantic~
        breaking news
        urgent~|urgency|asap
        reason|reasons|cause|grounds|plenty|every|much|good *2 to|for *2 @fear
        entitled|forgiven|understandable *3 to|for|feeling|being *2 feel|be|being|feeling *2 @fear
        hard|difficult|impossible|easy *1 not *1 to *2 feel|be *1 @fear
        serious|grave|severe|deep|deeper|deepening|mounting|growing|acute|real|genuine|gathering *1 trouble|danger|peril|distress|concern|concerns|worry|worries|alarm|threat|threats|jeopardy|crisis|fear|fears|unease|anxiety
        unwise|foolish|dangerous|reckless|rash|hard|impossible|difficult|risky|mistake|careless|naive|complacent *2 to *3 ignore|dismiss|overlook|look|downplay|shrug|assume|overstate|exaggerate
        cannot|can't|must|should|dare not|be|afford *3 ignored|overstated|dismissed|shrugged|overlooked|underestimated|understated
        cannot|can't|few|nobody|no *4 afford to *2 ignore|wait|miss|overlook|delay|relax|look
        worst *2 may|might|could|is|yet|lies *3 yet|come|ahead|follow
        worst *4 still *2 come|ahead
        far|much|even|something|considerably *1 worse *4 come|follow|ahead|store|may|could|coming
        something *1 far|much|altogether|more *1 worse|larger|graver|darker|deeper|serious
        from bad to worse
        beginning|start of *2 something|end|worst|slide|unravelling|unraveling
        tip of *2 iceberg
        calm before *2 storm
        storm|dark|gathering|black clouds
        storm *2 gathering|brewing|coming
        house of cards
        ticking|time bomb|clock
        powder keg
        canary in
        writing *3 wall
        point of no return
        no|little way|turning|going back
        brink|precipice|abyss
        off *1 cliff
        domino effect
        spiral|spirals|spiralling|spiraling|unravel|unravels|unravelling|unraveling|contagion|crumbl~|teeter~|totter~|precarious~
        day *2 reckoning
        existential|irreversible|irreparable|unsalvageable
        lose|losing|lost|cost|costing *2 sleep
        few|nobody|hardly|not *5 sleep *1 well|soundly|easily|easy|tonight
        sleepless|rattled|jitter~|fearful~|nervously|uneasily|apprehensi~
        time is|was|seems|grows *1 running|short|slipping|scarce|against
        time *2 not *3 side
        every day|hour|minute|week|moment *2 counts|count|matters|matter
        clock *2 ticking|running
        window *5 closing|narrowing|shutting|shrinking|shut|close
        sooner rather than later
        without|any|further delay
        before *5 too late
        too late *2 to
        act|acting|move|moving|respond|responding|decide|deciding *2 now|immediately|fast|quickly|promptly|swiftly|today & you|your|those|investors|anyone|holders|owners
        delay|delays|delaying|hesitat~|waiting|inaction *4 costly|expensive|regret~|cost|costs
        immediate|prompt|close|careful|undivided|full attention & you|your|reader|readers|holders|investors|owners|deserves|demands|requires|needs|calls
        demands|deserves|requires|needs|commands|calls *2 attention|vigilance|scrutiny
        watch|watching|follow|following|monitor|monitoring *3 closely|carefully|nervously|vigilant~
        vigilan~
        prepare|prepared|preparing|brace|braced|bracing|steel|steeling|ready *3 for *4 worst|worse|difficult|rough|hard|harder|painful|turbulent|stormy|pain|losses|loss|impact|shock|bumpy|storm|disappointment|long
        brace|bracing|braced
        buckle up
        in for *3 rough|hard|bumpy|painful|difficult|long|shock|surprise
        pain *4 ahead|come|follow|begun|beginning|over|store
        @hard *1 @times
        hard|harder|tough|tougher|lean|leaner|poorer *1 @times *3 begin|begins|beginning|start|starting
        hard|harder|difficult|tough|tougher|lean|uncertain|anxious *1 @times *3 ahead|loom~|await~|come|coming|follow
        loom~|lurk~
        nobody|no|none|nothing|few|hardly *4 safe|spared|immune|sheltered
        nobody|no|none *4 knows|know|say|tell *3 how *1 bad|deep|far|long|much|badly|low
        no longer *3 safe|secure|trusted|counted|relied|assured
        red flag|flags
        warning|danger|alarm|distress sign|signs|signal|signals|bell|bells|light|lights
        wake up call
        sound|sounds|sounded|sounding *2 alarm
        in|into *2 jeopardy|peril|danger|trouble|tatters|ruins|disarray
        at *1 grave|great|serious risk
        far from over
        never|rarely|seldom|hardly *2 been|seen|looked|felt|seemed *1 so|this|more
        on thin ice
        borrowed time
        hang|hangs|hanging by *2 thread
        last legs
        may|might|will|could|would|come *4 regret|rue
        loss|losses|damage|pain|slide|fallout|bleeding *2 could|may|might|will|can|threaten~ *4 mount~|deepen~|pile|snowball~|accelerat~|multiply|escalat~|worsen~|spread~
        evaporat~|vanish|vanishing|vanished|erase|erased|erasing|destroy|destroyed|destroying|eat|eating|wipe|wiped|wiping|gnaw~ *5 @worth
        @worth|money *5 at risk|stake
        fear|fears|fearing|expect|expecting|assume the worst
        hope|hoping for the best
        quietly *2 eroding|slipping|bleeding|draining|unravelling|unraveling|deteriorating|dying|failing
        ground *3 shifting|moving|giving *3 beneath|under|feet|fast|way
        tide *3 turning|turned *3 against
        cracks *4 appear~|show~|widen~|form~|spread~|beginning
        nothing *3 same again
        not *4 same again
        how *2 much|many *2 more *3 can|could *4 take|lose|bear|absorb
        run|runs|running|ran out of *1 time|options|road|patience|room|excuses|rope
        could|may|might|will|would|can *1 be|prove|become|turn|get *2 painful|ugly|grave|ruinous|unforgiving|punishing|frightening|worse
        @worth *6 vanish|evaporate|disappear|melt|gone|lost|survive|suffer
        next|ahead|follows *4 worse|worst
        dread|gloom|gloomy|despair|anguish|misery|angst|trepidation|consternation|horror|terror|menac~|dismay~|panic|unease|uneasiness|disquiet|misgivings|foreboding
        survival|existence|future|solvency|viability *3 question|doubt|stake|jeopardy|balance|line
        confidence|trust|faith|hope *3 drain|draining|ebbing|collaps~|gone|slipping|shattered|broken|eroding|vanish~
        too late
        painful|painfully
        only|just|merely|simply a matter|question of time
        just|only|merely the beginning|start
        all but certain|inevitable|over|gone|lost
        inescapabl~|inexorabl~|unstoppable|unprecedented
        fragile|shaky|wobbl~|grave|gravely|gravest|bleeding|darken~
        crisis|crises|collapse|collapses|collapsing
        sinking feeling|ship
        nowhere to hide|turn|go|run
        no escape|shelter|refuge|hiding
        hurtling|sleepwalking|careering|lurching|slipping|sliding|spinning *1 towards|toward|into
        bill *3 due
        something *1 to *1 worry|fear
        for the exit|exits
        leave|leaves|leaving *4 with *2 nothing|little|less|empty & shareholders|investors|owners|savers|holders|families|households|customers|you
        want|wish|do|have|need *2 to *1 think|reflect *1 hard|twice|carefully & anyone|anybody|you|those|everyone|readers|whoever
        little|no|less|scant room|margin for *1 comfort|error
        margin for error *3 gone|disappeared|shrunk|thin|slim
        sleep over
        deceptive|deceptively|unthinkable|nerve|nerves|fraying|frayed
        beneath the surface
        place|places *1 left *1 to hide
        give|gives|giving|gave *1 pause
        worst is|was *1 over|behind
        ill afford
        no longer *1 if but when
        comfortable|easy|good|golden|quiet|calm|best *1 years|days|times|months *1 are|is|lie *1 over|gone|behind|past|numbered
        start|beginning of *2 long|slow|steep|deep|lasting|painful decline|slide|fall|descent|retreat|downturn
        now *3 in doubt|question
        caught|catch|take|taken *2 off guard
        caught unprepared|unawares|short
        danger is|lies
        warning *4 clear|clearer|loud|louder|ignored|plain
        tip|tips|tipping *2 into|over *2 edge|recession|loss|abyss|point
        eye of *2 storm
        no *1 end in sight
        at *2 breaking|boiling|tipping point
        """
}
