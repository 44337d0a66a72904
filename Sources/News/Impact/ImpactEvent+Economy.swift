extension ImpactEvent {
    /// The words by which headlines report events of economies and markets, beside those that `EventKind` knows.
    static let economicPatterns: [ImpactEvent: [HeadlinePattern]] = [
        .bankTrouble: HeadlinePattern.list(
            """
            commerzbank|barclays|citigroup|hsbc|santander|unicredit|intesa|natwest|lloyds & %fail|%save ! staff|\
            customers
            deutsche bank & %fail|%save
            bank of america & %fail|%save
            wells fargo & %fail|%save
            bank|lender & halts|halt|freeze|freezes|limits withdrawals ! film|novel|drama|prize|data|food|blood|\
            piggy|roof|cat|stress|holiday|museum|test|tests|river|cloud|sand|podcast|robbery
            government|regulators|central & force|forces|broker|brokers|arrange & merger|sale|takeover & bank|\
            banks|lender
            bank|banks|lender|lenders & contagion|panic ! film|novel|drama|prize|data|food|blood|piggy|roof|cat|\
            stress|holiday|museum|test|tests|river|cloud|sand|podcast|robbery
            bank|lender closed|seized|shuttered by
            bank|banks|lender|lenders|banking & %fail|%save ! film|novel|drama|prize|data|food|blood|piggy|roof|\
            cat|stress|holiday|museum|test|tests|river|cloud|sand|podcast|robbery
            bank run|runs ! blood|food|piggy|marathon
            regulators|fdic|authorities & bank|lender & seize|shut|close|take ! branch|branches|fine
            run on|at & bank|banks|lender|lenders|depositors
            depositors|savers|customers & withdraw|queue|rush|panic|flee|pull + bank|savings|deposits|lender|\
            branches|depositors
            guarantee|guarantees|guaranteeing & deposits
            banking crisis|panic|turmoil|collapse
            bank & crisis|panic|contagion|emergency
            credit suisse|ubs & rescue|rescued|takeover
            lehman brothers & bankruptcy|collapse|fail|file
            bear stearns & collapse|rescue|sold|fail
            northern rock & rescue|customers|nationalise|collapse
            silicon valley bank & collapse|fail|seize|run
            first republic & seize|fail|sold|collapse|rescue
            washington mutual & seize|fail|collapse
            aig|fannie|freddie & rescue|bailout|nationalise|seize|bail
            emergency|rescue|bailout & fund|loan|loans|lifeline + bank|banks|lender|lenders
            """),
        .conflict: HeadlinePattern.list(
            """
            attack|assault|offensive|strikes|incursion & israel|ukraine|iran|taiwan|gaza|saudi|syria|lebanon|\
            russia|kyiv|moscow ! cyber|heart|hackers
            troops|army|forces & invade|seize|advance|enter
            invade|invades|invasion ! privacy|space|alien
            war|wars ! trade|star|price|culture|words|bidding|world|streaming|cold|civil|film|console|prevent
            missile|missiles|airstrike|airstrikes & fire|hit|strike|attack|launch|test
            air|drone strike|strikes|attack
            trade air|drone|missile strikes|fire
            military drills|action|coup|offensive|operation
            coup ! cinema
            blockade|blockades
            attack|attacks & ship|ships|tanker|tankers|oil|pipeline|refinery|vessels
            close|closes|shut & strait|suez|canal ! footbridge
            troops & enter|cross|mass|border
            annex|annexes
            ceasefire|truce
            strike|strikes & targets|militia|houthi|bases|nuclear|forces
            krieg|guerre|guerra
            nuclear test|strike|attack
            """),
        .publicDebt: HeadlinePattern.list(
            """
            sovereign & default|defaulter|restructuring
            defaulter & african|asian|latest
            skip|skips & coupon|payment & becomes|country|government|imf
            us|american|states credit rating
            sovereign debt|default|bonds
            default & sovereign|foreign|government|treasury
            suspend|suspends|halts & payments|repayments & foreign|debt|bonds
            debt ceiling|limit
            misses payment & imf|state|government
            payment to the imf
            strip|cut|lower|downgrade & credit rating & states|france|britain|italy|china|japan|germany|government|\
            sovereign
            credit rating|outlook & debt & cut|lower|downgrade|strip|negative
            moody|fitch|sp|dbrs & cut|downgrade|lower|strip|upgrade & us|france|italy|britain|uk|china|japan|spain|\
            sovereign|government
            cut|downgrade & outlook|rating & china|france|italy|britain|debt & moody|fitch|s&p
            %land & default|defaults|bailout|haircut|bondholders|creditors ! football|club
            moody|fitch|sp|dbrs & strip|strips|cut|cuts|lower|lowers & states|us|france|italy|britain|uk|china|japan|\
            spain|germany & rating|triple
            asks|seeks|requests & imf|euros|bailout & bailout|rescue|loan & government|country
            """),
        .centralBankAction: HeadlinePattern.list(
            """
            fed|ecb|boe|boj|england|japan & chair|chairman|president|governor|head & name|names|nominate|nominates|\
            pick|picks|sworn|confirm|confirms|resign|resigns|fire|fires|quit|quits|appointed|successor ! museum
            yield curve control
            scraps|ends|end|abandon & negative|curve|easing|peg
            bond buying|buys|purchases|turmoil
            quantitative easing|tightening
            reserve requirement|ratio
            central bank|banks & pump|inject|swap|liquidity|intervene|print
            fomc minutes
            fed|ecb|boe|boj & minutes|liquidity|repo|emergency|taper|tapering|balance
            minutes & fed|ecb|england|japan
            interventions|intervenes|intervene & yen|lira|franc|currency|peso
            negative interest rates
            abandon|abandons|scraps & cap|peg|floor & franc|euro|dollar|currency
            """),
        .rates: HeadlinePattern.list(
            """
            %cb|selic & %decide & point|points|percent|rate|rates|selic|increase|reduction|benchmark|cut|cuts|hike|\
            hikes|move
            bank of|negara canada|israel|korea|thailand|mexico|japan|england|ghana|uganda|russia|indonesia|zambia|\
            malaysia|italy|albania & %decide
            national|reserve bank of & %decide
            monetary policy committee|council|board & %decide
            central bank|banks & %decide & cut|cuts|hike|hikes|point|points|rate|rates|percent|borrowing|money|policy
            policymakers|ratesetters & %decide & rate|rates|borrowing
            central bank & borrowing|interest|lending costs|rates & %up|%down|%hold
            fed|ecb|boe|boj|riksbank|rba|snb|norges|rbi|pboc|banxico & %up|%down|%hold & rate|rates|cut|increase|\
            hike|points|point
            rate cut|increase|rise|hike|cuts|rises|hikes & fed|ecb|boe|boj|bank|riksbank|rba|snb|central|deliver|\
            delivers
            bank & %up|%down|%hold & benchmark|key|policy|repo|main rate|rates
            interest rate|rates & raise|lift|cut|hold|keep|hike|lower|slash|increase|unchanged
            key|benchmark|policy|cash|main|deposit|borrowing rate|rates|costs & raise|lift|cut|hold|keep|hike|\
            lower|slash|unchanged|leave|increase
            central bank & raise|lift|cut|hold|keep|hike|lower|slash|rise & rate|rates|selic|percent|point
            fed|ecb|boe|boj|riksbank|rba|snb|norges|rbi|pboc & raise|lift|cut|hold|keep|hike|lower|slash|rise|\
            lowers|pause & rate|rates|point|points|benchmark|selic|steady
            england|japan|canada|australia & raise|lift|cut|hold|keep|hike|lower & rate|rates|borrowing|costs
            leitzins|leitzinsen
            taux directeurs|directeur
            tipos de interes
            riksbank|fed|ecb & surprise|surprises & point|rise|cut|hike
            """),
        .inflation: HeadlinePattern.list(
            """
            prices & %up|%down & consumer|producer|food|wholesale|annual
            inflation & %up|%down|%hold
            consumer|producer|wholesale|house prices|inflation
            inflation ! adjusted|proof
            cpi|ppi|pce|deflation|stagflation
            """),
        .employment: HeadlinePattern.list(
            """
            economy|economies & add|adds|shed|sheds|loses & jobs
            jobs report ! ahead|before|steve
            payrolls|payroll ! tax
            unemployment|jobless|joblessness
            employers & add|cut|hire & jobs
            economy & add|shed|lose & jobs
            """),
        .growth: HeadlinePattern.list(
            """
            economy & %up|%down
            gdp|recession|depression ! drug|mental|therapy
            economy & grow|shrink|contract|slow|expand|stall|enter|slump
            factory|industrial|manufacturing output|orders|activity|production
            retail sales ! group|chain
            consumer confidence|sentiment|spending
            exports|imports & rise|fall|shrink|grow|slump|jump ! ban|tariff|halt
            trade deficit|surplus
            """),
        .pandemic: HeadlinePattern.list(
            """
            pandemic|epidemic & declare|global|lockdown|spread|economy|markets
            lockdown|lockdowns & factory|factories|city|country|shut|close
            """),
        .sanctions: HeadlinePattern.list(
            """
            ban|bans & russian|iranian|venezuelan & oil|gas|crude|gold|diamonds|coal
            sanction|sanctions|embargo & impose|impose|ease|lift|bank|banks|oil|adds|russia|russian|iran|china|\
            chinese|west|list|new|threaten|hit|sweeping
            cut & off & swift
            price cap & oil
            freeze|freezes & assets|reserves & russia|russian|iran|central
            """),
        .tariffs: HeadlinePattern.list(
            """
            tariff|tariffs
            duty|duties & import|imports|anti|new|puts|raise|raises|imported|retaliate|electric|dumping|chinese
            trade war
            zolle|aranceles
            levies|levy & imports|imported|chinese|steel
            """),
        .tradeCurb: HeadlinePattern.list(
            """
            ban|bans|bar|bars|curb|curbs|restrict|restricts|limits & export|exports|import|imports|sale|sales|\
            chips|chip|infrastructure|technology ! smoking|alcohol
            export controls|curbs|ban
            blacklist|blacklists|blacklisted
            halt|halts & export|exports
            ban|bans & takes|app|apps|tiktok|platform & effect|tiktok|huawei|phones
            """),
        .marketMove: HeadlinePattern.list(
            """
            stocks|equities|futures|averages & %up|%down ! dividend|gas|cattle|copper
            wall street|markets & %up|%down
            stock|stocks|shares|market|markets & crash|crashes|meltdown|rout|selloff|turmoil ! film|novel
            global|world stocks|shares|markets & sink|fall|plunge|tumble|slump|rally|soar
            yield|yields & spike|soar|surge|jump|plunge|leap & treasury|bond|gilt|government
            circuit breakers
            halt|halts & trading & market|markets|stocks|exchange
            bond|bonds|gilt|gilts|treasury & turmoil|crash|selloff|rout|panic
            stocks|equities|futures|averages & fall|rise|slip|dip|decline|drop|climb|gain|slide|retreat|ease|\
            plunge|tumble|lower|higher|down|pressure ! dividend|gas|cattle
            wall street & end|close|fall|rise|rally|plunge|drop|slide|gain|sink|worst|best
            """),
        .disaster: HeadlinePattern.list(
            """
            hurricane|earthquake|quake|tsunami|flood|floods|freeze|wildfire|drought|storm|typhoon|volcano|cyclone \
            & %stop ! school|schools|match|play|festival
            quake|earthquake|volcano & production|flights|factories|chips|output
            hurricane|earthquake|tsunami|flood|floods|freeze|wildfire|wildfires|drought|storm|typhoon|volcano & \
            shut|halt|knock|close|cut|cripple|disrupt|destroy|stop|idle
            hurricane|earthquake|tsunami|flood|floods|freeze|wildfire|drought|storm|typhoon & oil|refinery|\
            refineries|factory|factories|port|ports|grid|output|insurers|crops|reactors|plants
            explosion|blast|fire & plant|refinery|factory|pipeline|mine & shut|halt|stop|output|production
            """),
        .budget: HeadlinePattern.list(
            """
            stimulus|austerity & %up|%down|pass|passes|unveil|unveils|announce|approves
            stimulus package|bill|plan|checks
            debt|spending|fiscal|stimulus package
            government & shut|shuts & down|budget
            government shutdown
            government & fall|falls|collapse|collapses ! bank
            no confidence
            tax cut|cuts|rise|rises|reform|increases ! property|council|local
            budget & deal|crisis|cuts|deficit|passes|vote|talks ! family|school|council|city
            congress|parliament|senate & pass|passes & bill|package|budget|tax|trillion
            """),
        .priceMove: HeadlinePattern.list(
            """
            oil|crude|brent|gas|gold|copper|silver|wheat|cocoa|coffee|lithium|uranium|nickel|lumber|corn|sugar|\
            soybeans|iron|aluminium|bitcoin|ether|ethereum|crypto|dollar|yen|euro|pound|sterling|rouble|ruble|lira|\
            yuan|franc|rupee|peso|naira|rand|won|real|krona|baht|rupiah & %up|%down ! olive|cooking|medal|medals|\
            premier|stars|standard|prize
            devaluation|devalues|devalue & currency|naira|peso|pound|lira|yuan|kwacha|currency
            oil|crude|brent|gas|gold|copper|silver|wheat|cocoa|coffee|lithium|uranium|bitcoin|ether|ethereum|\
            crypto|dollar|yen|euro|pound|sterling|rouble|ruble|lira|yuan|franc|rupee|peso & jump|jumps|rise|rises|\
            fall|falls|tumble|tumbles|plunge|plunges|plummet|crash|crashes|surge|surges|soar|soars|slide|slides|\
            slip|slips|inch|inches|edge|edges|sink|sinks|climb|climbs|drop|drops|high|low|lowest|highest|record|\
            rally ! olive|cooking|medal|medals
            bitcoin|gold|oil|ether & top|tops|pass|passes|hit|hits|break|breaks
            egg|food|energy|power|grocery|fuel|house|home|rent prices|rents|bills & rise|fall|soar|jump|climb|drop
            mortgage rates|rate & rise|fall|climb|drop|hit
            opec & cut|cuts|raise|raises|output
            """),
        .centralBankWords: HeadlinePattern.list(
            """
            fed|ecb|boe|boj|powell|lagarde|bailey|ueda|england & say|says|stress|see|sees|warn|warns|signal|\
            signals|expect|expects|urge|hint|hints ! museum
            """),
        .tradeAgreement: HeadlinePattern.list(
            """
            trade agreement|deal|pact|accord|talks
            agree|agrees|sign|signs & deal|pact|truce & ukraine|russia|iran|israel|china|grain|gas|climate
            agree|sign|signs & trade & agreement|pact|data|deal
            """),
    ]
}
