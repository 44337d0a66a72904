internal import Basics

extension String {
    /// The entries of a list of words and phrases, whose words `_` joins.
    var listedPhrases: [[String]] { listed.map { $0.split(separator: "_").map(String.init) } }
}

/// Words of a language that bear on how a clause is meant. All are without accents, but for German words of doubt.
final class WordLists: Sendable {
    /// Words that begin a clause.
    let conjunctions: Set<String>
    let negations: Set<String>
    /// Negations of a noun, which reach its adjectives, too.
    let nounNegations: Set<String>
    /// Behind a negation these take it back: "not only".
    let notOnly: Set<String>
    /// Beginnings of verbs by which somebody does not do something.
    let refusals: [String]
    /// Prepositions at which the reach of a negation ends.
    let bounds: Set<String>
    /// Words for an article itself, of which an answer says that it does not tell something.
    let material: Set<String>
    /// Words which say that something stays as it was.
    let unchanged: Set<String>
    /// Words by which a clause says only that something may be.
    let open: Set<String>
    let openPhrases: [[String]]
    /// Those of them which say that something can come about; "would" and "if" leave another thing open.
    let possible: Set<String>
    /// Words by which a clause says that something will be or is planned.
    let future: Set<String>
    let futurePhrases: [[String]]
    /// Endings of verbs in the future.
    let futureEndings: [String]
    let notFuture: Set<String>
    /// Words that give a cause.
    let causes: Set<String>
    let causePhrases: [[String]]
    /// Words that every text has.
    let common: Set<String>

    static func of(_ language: Language) -> WordLists {
        switch language {
        case .english: english
        case .german: german
        case .spanish: spanish
        case .french: french
        }
    }

    private init(
        conjunctions: String, negations: String, nounNegations: String, notOnly: String, refusals: String,
        bounds: String, material: String, unchanged: String, open: String, possible: String, future: String,
        futureEndings: String = "", notFuture: String = "", causes: String, common: String
    ) {
        func words(_ text: String) -> Set<String> { Set(text.listed.filter { !$0.contains("_") }) }
        func phrases(_ text: String) -> [[String]] { text.listedPhrases.filter { $0.count > 1 } }
        self.conjunctions = words(conjunctions)
        self.negations = words(negations).union(words(nounNegations))
        self.nounNegations = words(nounNegations)
        self.notOnly = words(notOnly)
        self.refusals = refusals.split(separator: " ").map(String.init)
        self.bounds = words(bounds)
        self.material = words(material)
        self.unchanged = words(unchanged)
        self.open = words(open)
        openPhrases = phrases(open)
        self.possible = words(possible)
        self.future = words(future)
        futurePhrases = phrases(future)
        self.futureEndings = futureEndings.split(separator: " ").map(String.init)
        self.notFuture = words(notFuture)
        self.causes = words(causes)
        causePhrases = phrases(causes)
        self.common = words(common).union(words(negations)).union(words(open)).union(words(conjunctions))
    }

    private static let english = WordLists(
        conjunctions:
            "and but while whereas because since although though so which who that when where after before as",
        negations: "not never nobody none nothing nor neither cannot t hardly declined declines refused refuses",
        nounNegations: "no without",
        notOnly: "only just",
        refusals: "cancel abandon scrap renounc forgo withdr",
        bounds: "in with for on at than from by since during over",
        material: "article text passage report story material reports articles",
        unchanged: "unchanged left kept keep keeps maintained maintains stays stayed remains remained same",
        open: """
            could may might if whether unless should perhaps possibly would likely unlikely possible chance case
            how_far
            """,
        possible: "could may might possibly possible perhaps",
        future: """
            will shall ll is_going_to are_going_to is_set_to are_set_to is_bound_to are_bound_to is_due_to are_due_to
            is_sure_to are_sure_to is_certain_to are_certain_to is_about_to are_about_to expects expected expect plans
            plan planned wants intends aims would next forecast forecasts forecasting has_to have_to ask asks
            """,
        causes: """
            because since due owing thanks caused causes reason reasons blamed stems stemmed result results so therefore
            as_a_result led_to leads_to weighed driven hence means after amid that_is_why pushed
            """,
        common: """
            the a an of to in on at by for from with as is are was were be been being has have had do does did it its
            they their them he his she her we our you your this that these those there here than then also very more
            most much many some any all each other another same such own about into over under up out off per between
            during through against still just even now well can one two first last new said say says get gets got make
            makes made take takes took give gives gave given put keep kept let left go goes went come comes came used
            use part way thing things whole few little lot time times day days both around further soon yet already
            once again almost nearly only what how why it's year years quarter percent billion million thousand
            people men man see sees seen look looks tell tells told
            """)

    private static let german = WordLists(
        conjunctions: "und aber wahrend weil da dass sondern obwohl denn als nachdem bevor so doch sodass",
        negations: "nicht nie niemals niemand nichts weder noch kaum",
        nounNegations: "kein keine keinen keinem keiner keines ohne",
        notOnly: "nur",
        refusals: "verzicht abgesagt absag aufgegeb", bounds: "in mit fur auf bei als von seit wahrend",
        material: "artikel text beitrag meldung bericht",
        unchanged: "unverandert liess lasst belasst beliess halt hielt bleibt blieb bleiben festgehalten",
        open: """
            könnte könnten möglich möglicherweise vielleicht ob falls wenn sofern dürfte dürften würde würden
            wurden_wohl hätte hätten wäre wären wahrscheinlich offen sollte sollten
            """,
        possible: "könnte könnten möglich möglicherweise vielleicht",
        future: """
            wird werden will wollen soll sollen plant planen erwartet erwarten rechnet nachsten kommenden kunftig
            bald voraussichtlich ab geplant
            """,
        causes: """
            weil wegen aufgrund infolge denn deshalb darum daher dank grund grunde grunden deswegen nachdem durch
            sodass also folge dadurch angesichts
            """,
        common: """
            der die das den dem des ein eine einen einem einer eines und oder in im an am auf aus bei beim mit nach von
            vom vor zu zum zur uber unter um fur gegen durch ist sind war waren sei wird wurde wurden werden worden hat
            haben hatte hatten habe es sie er wir ihr ihre ihren ihrem sein seine seinen sich auch noch nur schon sehr
            mehr weniger viel viele alle alles andere anderen dies diese dieser dieses damit dabei dafur davon daran
            darauf dort hier so wie was wer wo wann bis seit zwischen gut neu neue neuen erst erste ersten letzte
            letzten sagte sagt sagten gab gibt geben macht machen machte kommt kam kann konnen lasst liess teil weise
            zeit tag tage jahr jahre jahren jahres prozent millionen milliarden million milliarde quartal rund etwa
            knapp fast bereits weiter weiterhin immer wieder
            """)

    private static let spanish = WordLists(
        conjunctions: "y e pero mientras porque que aunque sino cuando pues donde tras segun",
        negations: "no nunca jamas nadie nada tampoco ni",
        nounNegations: "sin ningun ninguna ninguno",
        notOnly: "solo solamente",
        refusals: "renunci cancel suspend abandon", bounds: "en con para por sobre desde durante segun",
        material: "articulo texto noticia informacion",
        unchanged: "mantuvo mantiene mantienen igual mismo sigue siguen dejo",
        open: """
            podria podrian puede pueden si quiza quizas tal_vez posible posiblemente probable acaso sea seria
            serian habrian habria
            """,
        possible: "podria podrian posible posiblemente quiza quizas",
        future:
            "va_a van_a espera esperan preve preven planea quiere quieren proximo proxima previsto prevista deben sera seran habra habran tendra tendran",
        futureEndings: "ara aran era eran ira iran dra dran",
        notFuture: """
            manera primera tercera cartera frontera financiera bandera carrera cualquiera era eran fuera hubiera
            cara para espera esperan considera ahora mejora quiera supera superan retira genera opera
            """,
        causes: """
            porque debido causa culpa gracias pues razon razones motivo motivos por_eso por_ello ya_que por_lo_que tras
            asi consecuencia
            """,
        common: """
            el la los las un una unos unas de del al a en con por para sobre entre hasta desde hacia segun y o u e que
            es son era eran fue fueron ser sido estar esta estan estaba ha han habia haber hay se su sus lo le les me
            nos este estos estas esto ese esa esos eso aquel mas menos muy mucho muchos mucha poco todo todos toda
            todas otro otra otros otras mismo misma tan como donde cuando cual cuyo ya aun todavia tambien asi dijo
            dice hizo hace hacer dio da dar tiene tienen tenia tener ano anos mes meses dia dias ciento millones
            millon mil trimestre parte vez veces nuevo nueva primer primera ultimo ultima algo alguno alguna cada
            """)

    private static let french = WordLists(
        conjunctions: "et mais tandis parce que qui car alors quand lorsque puisque bien si donc",
        negations: "ne n pas jamais personne rien ni plus_du_tout",
        nounNegations: "sans aucun aucune",
        notOnly: "seulement que",
        refusals: "renonc annul abandonn", bounds: "dans avec pour par sur depuis pendant selon",
        material: "article texte",
        unchanged: "maintenu maintient inchange inchangee meme reste restent conserve",
        open: """
            pourrait pourraient peut peuvent si peut_etre possible eventuel probable serait seraient aurait auraient
            devrait devraient
            """,
        possible: "pourrait pourraient possible",
        future: """
            va_etre vont veut veulent prevoit prevoient attend attendent prochain prochaine des doit doivent compte
            continue continuent
            """,
        futureEndings: "era eront ira iront dra dront ura uront",
        notFuture: "opera camera",
        causes: """
            parce car raison raisons cause grace puisque donc ainsi suite motif motifs a_cause en_raison c_est_pourquoi
            du_fait apres sous_l_effet
            """,
        common: """
            le la les l un une des de du d au aux a en dans par pour sur avec entre vers chez sous et ou ni que qui quoi
            dont est sont etait etaient ete etre a ont avait avaient avoir aura il elle ils elles on nous vous se s ce
            c cet cette ces son sa ses leur leurs lui y plus moins tres tout tous toute toutes autre autres meme memes
            aussi encore deja bien peu beaucoup comme ou dit fait faire faut an ans annee annees mois jour jours cent
            millions million milliards milliard mille trimestre part partie fois nouveau nouvelle premier premiere
            dernier derniere depuis jusque selon environ quelque quelques chaque
            """)
}
