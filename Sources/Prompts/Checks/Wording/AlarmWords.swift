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
        brace|bracing|braced *2 for|themselves|yourself|yourselves|impact
        should|must|better|to|will brace
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
        little|scant|precious|hardly|limited *1 time *1 left|remains|remain|to
        later than *3 think|thinks|admits|admit|assume|believe|realise|realize|say|says
        naive|naïve|optimist|optimists|wishful|rash|reckless|gullible|trusting *4 think|believe|assume|hope|imagine|expect|look|feel|ignore
        calm|peace|quiet *3 may|might|could|will|won't *2 not|last|end
        calm before
        no|longer *1 longer|can|could *2 afford *1 to *1 look|ignore|wait
        can|could no longer *1 afford|ignore|look|count|trust
        few|nobody|no|hardly *3 ready|prepared *1 for
        end|ends|ended|ending *2 badly|tears
        reckoning|comeuppance
        dominoes|dominos
        house of cards
        dam *2 holds|breaks|burst~|cracks
        storm *4 horizon|gather~|brew~|coming|ahead
        fall|drop|decline|descent|slide|downturn|correction|damage|slump *3 could|may|might|will|would|tends|can *4 swift|steep|deep~|hard|harsh|brutal|sharp|long|severe|worse|outlast|spread~|permanent
        difficult|hard|impossible *1 to *1 overstate|exaggerate|overestimate
        no exaggeration
        hard|difficult *1 to *1 see *8 end|ends|recover|recovers|survive|survives|tears
        lost *1 for good
        hopelessly|desperately|perilously|dangerously|helplessly|fatally
        cost|costs|pay|pays|paid *3 dearly
        sobering|chilling|unsettling|unnerving|haunting|ominous|bleak|grim|dire
        little|scant|no|cold|few comfort|comforts|consolation
        wake|wakes|waking|woke up *1 to
        test *3 patient|nerves|resolve|patience|faith|bravest|steadiest
        standing|stands|stood *2 between *8 and
        sit|sitting|seated down before
        speaks|speak volumes
        rotten|rot|rots|festering|toxic
        will|may|might|can|could *1 not|never *1 recover|survive *1 from|this|it
        wearing|wears|worn|running|grows|growing|getting|gets *1 thin|thinner
        every|each week|day|month|hour|year *2 delay|delays|lost|wasted|waiting
        deeper|worse|larger|graver|bigger|longer|darker|greater than *4 admit|admits|think|thinks|realise|realize|anyone|everyone|lets|lets|let|concede|concedes
        rarely|seldom|never *2 stay|stays|end|ends|remain|remains *3 orderly|well|calm|quiet|happily
        something *1 larger|bigger|worse|darker|else *1 is|comes|follow~|lurks|ahead
        anything but *1 calm|safe|secure|sound|over|settled|comfortable
        calm|tidy|quiet|smooth|reassuring *5 anything but
        trust|faith|confidence *3 misplaced|betrayed|abused
        hangs|rests|depends *1 on *1 next|single|one *1 report|thread|quarter|figure & everything|all|no
        ice *6 thin~|crack~|melt~
        bring|brings|brought|pull|pulls *5 down & whole|edifice|everything|house
        foundation|foundations *4 giving|crumbl~|crack~|shak~|weak~|erod~
        careless|complacen~
        not assume *4 safe|money|beyond|over|last
        not|nor|never *1 found *1 floor|bottom
        slide|fall|decline|descent *4 floor|bottom
        past|beyond mending|repair|rescue|saving|remedy
        optimism|hope *3 dangerous|false|deadly|costly
        anybody's|anyone's guess
        heaviest|brunt|full *1 part|weight|force|brunt *4 will|must|carry|bear|borne
        carry|carries|bear|bears|pay|pays *2 heaviest|brunt|price *4 always|again|once|alone
        alarm|fear|fears|worry|worries *6 justified|warranted|right|founded|true
        mood *6 dark~|gloom~|sour~|ugly|grim
        question|matter of when
        living|lives on *1 hope|credit|borrowed
        floor|ground *4 creak~|crumbl~|sink~|cracking
        lie|lies|lying|lain awake
        feel|feels|felt at ease & would|hard|few|trusting|nobody
        look|looks|looking *1 the other way|away
        true|real|full *1 bill|cost|price|extent *4 yet|still|come|unknown|presented|hidden|later
        unpleasant|nasty|rude|bitter|painful *1 one|surprise|surprises|letter|awakening|lesson|truth
        good|fat|easy|comfortable *1 years|times *3 over|gone|careless|behind|end|ended|made
        abyss|precipice|freefall|spiral|spirals|spiralling|spiraling
        fool's|false paradise|comfort|hope|dawn|security
        powerless|defenceless|defenseless|helpless|stranded|trapped|doomed
        on its way & few|nobody|never|nothing
        less|little|no *1 reason|cause *2 to *1 be|feel|stay *1 calm|relaxed|sure|confident|easy
        left to *1 defend|save|lose|rescue
        open secret
        fall|falls|drop from *2 height|heights
        hurt|hurts|bites|stings & would|will|fall|height|badly|soon
        first|fine|hairline cracks
        breaks|break|broke *2 budget|budgets|bank|back
        count|counts|counting on *1 being *1 spared|saved|rescued|lucky
        patience *6 endless|spent|limits|end|ended|over|thin
        last card|chance|straw|bullet|throw|roll
        no|whether *5 way back
        one|straw *1 too many
        more serious|severe|fragile|precarious than *6 suggests|suggest|tone|looks|look|sounds|admitted
        nothing *3 as before
        one bad|hard|cold|poor *1 winter|year|quarter|month|week & enough|could|would
        exit *4 narrow|small|crowded|blocked
        numbers|figures|report *2 are|is *2 warning
        hardest|worst|darkest|toughest *2 year|years|winter|months|time *4 generation|decades|memory|decade
        brave|bold|fool|foolhardy|lucky *2 to|who *1 bet|hope|count|bets
        melt|melting|melts|melted & savings|money|wealth|value|cushion
        faster than *4 notice|notices|think|realise|admit
        danger|threat|storm *2 not *1 passed|gone|over
        gone quiet
        find *1 themselves *2 with|without *1 nothing|work|home|money|way
        pressure *2 builds|mounts|grows|rises
        now or never
        """
}
