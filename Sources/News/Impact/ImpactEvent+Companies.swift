extension ImpactEvent {
    /// The words by which headlines report events of companies, beside those that `EventKind` knows.
    static let corporatePatterns: [ImpactEvent: [HeadlinePattern]] = [
        .bailout: HeadlinePattern.list(
            """
            bailout|bailouts
            bail|bails|bailed out
            nationalise|nationalize|nationalised
            state|government & rescue|rescues|rescued
            rescue package|deal|loan
            """),
        .bankruptcy: HeadlinePattern.list(
            """
            calls|call|brings in administrators|receivers|liquidators
            administrators|receivers & appointed|appoint|appoints|called & chain|firm|company|group|retailer
            bankruptcy|bankrupt|insolvency|insolvent|insolvencies
            chapter 11
            insolvenz|faillite|quiebra
            liquidate|liquidated|liquidation|wound ! stock|wounds
            goes|gone|go bust
            administration|receivership|liquidation & go|goes|enter|enters|into|falls|forced ! biden|trump|obama|\
            bush|officials
            seek|seeks protection from creditors
            creditor protection
            collapse|collapses & stranding|jobs|creditors|airline|retailer|builder|developer|exchange
            """),
        .debtDefault: HeadlinePattern.list(
            """
            skip|skips & coupon|payment|interest
            debt extension|restructuring|standstill|moratorium
            default|defaults ! setting|search|mode
            miss|misses|missed|fail|fails & payment|payments|coupon|repayment & bond|bonds|interest|debt|coupon|\
            loan|dollar
            """),
        .fraud: HeadlinePattern.list(
            """
            fraud|ponzi|embezzlement|bribery|laundering
            accounting & scandal|irregularities|probe|hole|fraud
            missing from & accounts
            billion|million & missing & accounts
            admit|admits & cheat|cheating|theft|rigging|bribes
            emissions cheating|scandal|tests & admit|cheat|cheating
            stock|market|price manipulation
            short seller & accuse|report|target
            insider trading
            sentenced|jailed & fraud|scheme|years & founder|banker|trader|executive|chief|ceo
            theft|steal|stealing|embezzle|embezzled ! data|identity
            """),
        .cyberattack: HeadlinePattern.list(
            """
            hack|hacks|hacked|hackers|cyberattack|ransomware|cyber ! life|kitchen|travel
            data breach|leak|theft
            """),
        .outage: HeadlinePattern.list(
            """
            outage|outages|glitch|failure & offline|down|dark|out
            power|grid failure|outage|outages ! play
            blackout & trains|across|hits|halts|airports|phones
            glitch|outage|outages|blackout & ground|hit|knock|worldwide|suffer|suffers|world|websites|flights|\
            banks|users
            down for & users|thousands|customers
            """),
        .halt: HeadlinePattern.list(
            """
            %stop & production|deliveries|output|assembly|shipments|exports
            %stop plant|plants|factory|refinery & after|over|amid & deaths|contamination|safety|fire|explosion|\
            shortage|blast
            halt|halts|halting|stop|stops|suspend|suspends|pause|pauses|ground|grounds & production|deliveries|\
            output|sales|sale|jets|jet|fleet|assembly|withdrawals|shipments|flights
            shortage|shortages & force|halt|cut|production|chip|chips
            grounds all
            """),
        .recall: HeadlinePattern.list(
            """
            calls|call|calling back & million|thousand|vehicle|vehicles|cars|over|fault|units
            recall|recalls|recalling & vehicle|car|cars|vehicles|product|products|over|million|model|fault|mustang|\
            mustangs|pizza|food ! memory|election|voters
            pull|pulls|withdraw|withdraws & worldwide|shelves|listeria|salmonella|cancer|contamination|safety
            """),
        .medicine: HeadlinePattern.list(
            """
            drug|vaccine|treatment|pill|therapy|jab|shot & flop|flops|disappoint|disappoints|works|succeed|succeeds
            approve|approves|clears & scanner|device|drug|pill|vaccine|treatment|implant|monitor
            fda|ema & approve|approval|reject|rejects|clear|clears|approves|panel
            regulator|regulators|authorities & approve|back|backs|clear|clears|reject & drug|vaccine|shot|heart|\
            device|treatment|jab|therapy
            drug|vaccine|treatment|shot|pill|cream|therapy & fail|fails|failed|end|ends|drop|drops|scraps|succeed|\
            succeeds|meets|misses & trial|study|stage|goal
            trial|study & fail|fails|failed|stop|stopped|halted & drug|drugs|vaccine|patients|stage
            """),
        .dealBlocked: HeadlinePattern.list(
            """
            block|blocks|blocked|halt|halts|bars & merger|takeover|deal|acquisition & judge|court|regulator|regulators|\
            billion
            sues|sue to block|stop & merger|takeover|deal|purchase|acquisition
            block|blocks|blocked|reject|rejects|abandon|abandons|scrap|scraps|terminate|terminates & takeover|\
            merger|purchase|acquisition|deal|bid|buyout|sale ! peace|trade|plea
            """),
        .deal: HeadlinePattern.list(
            """
            snaps|snap|gobbles up ! medal|picture|prize|photo
            buy|buys|acquire|acquires & rival|distributor|startup|maker|firm|company|chain|brand|supplier|unit|\
            stake|producer|operator|publisher ! why|should|ticket
            agree|agrees to take over ! as
            hostile bid|offer|takeover
            bids|bid|offers for & billion|million|bn|rival
            acquire|acquires|acquisition|merger|takeover|buyout
            merge|merges & with|firms|companies|to
            buy|buys|purchase|purchases & for & billion|million|bn
            in talks to buy|acquire|merge
            explores sale
            join forces
            """),
        .court: HeadlinePattern.list(
            """
            plead|pleads guilty ! murder|assault
            breakup & judge|court|regulators|google|must
            ftc|doj|regulators|department sues|sue
            antitrust|monopoly
            sue|sues|sued|lawsuit|lawsuits
            fine|fined|fines & million|billion|over|for|euros
            jury|judge|court & order|orders|rule|rules|award|convict|find|pay
            settle|settles|settlement & million|billion|lawsuit|claims|charges ! divorce
            charge|charges|charged with|over ! battery
            probe|probes|inquiry|investigation|investigates & open|opens|launch|into|face|faces
            """),
        .strike: HeadlinePattern.list(
            """
            strike|strikes & worker|workers|union|pilots|drivers|nurses|crew|dockworkers|machinists|actors|writers|\
            vote|votes|all|plants|ports|staff|librarians|collectors ! missile|air|drone|deal|drones
            walk|walks|walkout|stop|stops & out|work|job|workers & day|hours|week|pilots|workers|drivers|staff|crew
            """),
        .layoffs: HeadlinePattern.list(
            """
            close|closes|shut|shuts & factories|plants|mills & two|three|four|five|six|seven|its|all
            let|lets & go & staff|workers|employees|people
            axe|axes|shed|sheds|cull & jobs|staff|posts|roles
            thousands of jobs & cut|go|risk|axed
            lay|lays|laying off
            cut|cuts|eliminate|eliminates|slash|axe|axes|shed|lose & job|jobs|staff|workforce|positions|employees|\
            workers
            loss of & jobs
            layoffs|layoff|redundancies
            close|shut|shuts & plant|mill|factory|plants & job|jobs|loss
            """),
        .leadership: HeadlinePattern.list(
            """
            ceo|boss|chief|chairman|founder & out|exit|exits|leave|leaves|departure|departs|shake|ousted|sacked|\
            removed
            chief executive|ceo|chairman|boss|chief|chair & step|quit|quits|resign|resigns|oust|ousts|fire|fires|\
            name|names|appoint|appoints|retire|retires|replace|replaces|new|departs ! manager|club
            board & fire|fires|oust|ousts
            brings back & executive|ceo|founder
            finance chief
            appoints & executive & chief
            """),
        .guidance: HeadlinePattern.list(
            """
            forecast|guidance|outlook & tops|top|beats|beat|tops|exceeds|misses|disappoints|cheers ! weather|imf|oecd|gdp
            outlook|guidance|forecast|forecasts|target|targets & %up|%down & profit|sales|annual|revenue|full|year|\
            earnings ! price|analyst|analysts|imf|oecd|fed
            outlook|guidance|forecast|forecasts & cut|cuts|slash|slashes|lower|lowers|raise|raises|lift|lifts|trim|\
            trims|boost|boosts|withdraw|withdraws|pull ! weather|analyst|analysts|analysts|imf|oecd
            profit warning
            warn|warns & profit|profits|revenue|sales|spending|earnings
            """),
        .earnings: HeadlinePattern.list(
            """
            beats|beat|tops|misses|missed on & demand|sales|costs|strength|weakness|growth|revenue|profit
            adds|loses|gains & subscribers|users|customers
            smash|smashes|crush|crushes|trounce|blow|shatter & forecasts|estimates|expectations
            profit|profits|earnings|revenue|revenues|sales & %up|%down|double|doubles|halve|halves
            profit|profits|earnings|revenue|revenues & rise|fall|jump|drop|double|doubles|halve|top|tops|beat|miss|\
            edge|climb|surge|slump|past|report|post|swell|falls|by
            quarter|quarterly & profit|loss|revenue|sales|earnings|results
            swing|swings to a & loss|profit
            sales & decline|declines|slump|slumps|drop|drops|fall|falls|rise|rises|slip|slips|dip|dips|jump|jumps|\
            struggle|surge|tank
            smaller|bigger|wider loss|profit
            tops|beats|misses|past forecasts|estimates|expectations
            """),
        .shareMove: HeadlinePattern.list(
            """
            shares|stock & %up|%down & results|earnings|warning|after|percent|on ! global|world|asian|european|\
            wall|markets
            shares|stock & plunge|plunges|tumble|tumbles|soar|soars|surge|surges|jump|jumps|drop|drops|sink|sinks|\
            crash|slump|slumps|slide|slides|fall|falls|rally ! global|world|asian|european|wall|markets
            lose|loses|wipe|wipes|wiped & market value|capitalisation
            plunge|plunges|tumble|tumbles|soar|soars & after & loss|results|earnings|report|warning
            """),
        .listing: HeadlinePattern.list(
            """
            ipo|ipos|flotation
            market debut
            listing|spin|spinoff & shelve|shelves|price|prices|plan|plans|file|files|shares|arm|off|largest ! \
            property|house|event
            stock|share offering|sale|split
            files to go public
            """),
        .payout: HeadlinePattern.list(
            """
            dividend|dividends|payout & raise|raises|lift|lifts|cut|cuts|suspend|suspends|special|boost|quarterly|\
            increase
            buyback|buybacks|repurchase|repurchases
            """),
        .product: HeadlinePattern.list(
            """
            delay|delays|postpone|postpones & launch|release|game|phone|model|rollout
            unveil|unveils|launch|launches|introduce|introduces|reveals|reveal|debuts|release|releases & new|model|\
            phone|ipad|iphone|tablet|car|model|price|console|chip|service|playstation|watch
            """),
        .business: HeadlinePattern.list(
            """
            cut|cuts|raise|raises|lift|lifts|lower|lowers price|prices
            close|closes|shut|shuts & branches|stores|sites|restaurants|plant|factory|factories
            build|builds|open|opens & plant|factory|gigafactory|fab|data|warehouse|mine & billion|million|jobs|new \
            ! museum
            invest|invests|investment & billion|million|bn
            win|wins|order|orders|contract & billion|million|bn|jets|planes|contract ! prize|lottery|case
            partner|partners|partnership|venture & with|on|joint ! dance
            cash pile|hoard
            """),
    ]
}
