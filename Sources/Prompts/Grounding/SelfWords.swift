internal import Basics

/// The words of a language in which a model speaks of itself and of its rules.
struct SelfWords: Sendable {
    /// "I am", before a name.
    private let being: [[String]]
    /// "My name is": whatever follows is a name.
    private let naming: [[String]]
    private let fillers: Set<String>
    private let nows: Set<String>
    /// Phrases of obedience that no answer about news has: "at your service".
    private let services: [[String]]
    private let selves: Set<String>
    private let owners: Set<String>
    /// What one does to rules, and the words for rules.
    private let acts: Set<String>
    private let rules: Set<String>
    /// A state of the writer that no answer about news tells: "freed".
    private let released: Set<String>
    private let denials: Set<String>
    /// All words of a report such as "New instructions received", and those of which it has one.
    private let status: Set<String>
    private let done: Set<String>

    static func of(_ language: Language) -> SelfWords {
        switch language {
        case .english: english
        case .german: german
        case .spanish: spanish
        case .french: french
        }
    }

    /// Whether a sentence gives its writer a name.
    func introduces(_ words: [CalmWords.Word], _ language: Language) -> Bool {
        let folded = words.map(\.folded)
        if services.contains(where: { $0.occurs(in: folded) }) { return true }
        func follows(_ phrases: [[String]], _ isName: (CalmWords.Word) -> Bool) -> Bool {
            folded.indices.contains { place in
                phrases.contains { phrase in
                    guard folded[place...].starts(with: phrase) else { return false }
                    let next = words[(place + phrase.count)...].first { !fillers.contains($0.folded) && $0.text != "," }
                    return next.map(isName) ?? false
                }
            }
        }
        // German writes every noun with a capital.
        let isNow = language != .german || folded.contains(where: nows.contains)
        return follows(being) { $0.isCoined || isNow && $0.isCapitalised }
            || follows(naming) { $0.isCapitalised }
    }

    /// Whether a sentence says what its writer does with rules, or speaks of the writer's rules.
    func speaksOfRules(_ words: [String]) -> Bool {
        let isOwned = words.indices.contains { place in
            owners.contains(words[place]) && words[(place + 1)...].prefix(2).contains(where: rules.contains)
        }
        if isOwned { return true }
        guard selves.isEmpty || words.contains(where: selves.contains) else { return false }
        if words.contains(where: released.contains) { return true }
        let hasRules = words.contains(where: rules.contains)
        return hasRules && words.contains(where: acts.contains)
            || hasRules && !selves.isEmpty && words.contains("follow") && words.contains(where: denials.contains)
    }

    /// Whether a sentence is nothing but a report that orders have come or that rules are off.
    func reportsStatus(_ words: [String]) -> Bool {
        words.count > 1 && words.count <= 8 && words.allSatisfy { status.contains($0) || rules.contains($0) }
            && words.contains(where: done.contains) && words.contains { rules.contains($0) }
    }

    private init(
        being: String, naming: String, fillers: String, nows: String, services: String, selves: String, owners: String,
        acts: String, rules: String, released: String, denials: String, status: String, done: String
    ) {
        self.being = being.listedPhrases
        self.naming = naming.listedPhrases
        self.fillers = Set(fillers.listed).union(nows.listed)
        self.nows = Set(nows.listed)
        self.services = services.listedPhrases
        self.selves = Set(selves.listed)
        self.owners = Set(owners.listed)
        self.acts = Set(acts.listed)
        self.rules = Set(rules.listed)
        self.released = Set(released.listed)
        self.denials = Set(denials.listed)
        self.done = Set(done.listed)
        self.status = Set(status.listed).union(done.listed)
    }

    private static let english = SelfWords(
        being: "i_am i_m i_will_be", naming: "my_name_is i_am_called", fillers: "a an the your not from on this point",
        nows: "now henceforth", services: "at_your_service as_you_command ready_to_serve my_master my_new_master",
        selves: "i", owners: "my",
        acts:
            "ignore ignoring disregard disregarding forget forgetting override overriding obey obeying bypass comply abandon bound subject",
        rules: """
            instruction instructions rule rules guideline guidelines restriction restrictions filter filters task prompt
            orders command commands programming told
            """,
        released: "freed unlocked unrestricted unfiltered uncensored jailbroken unbound", denials: "no not longer",
        status: "new all your the previous safety system mode is are have has been and now old earlier",
        done: """
            received accepted updated loaded overridden disabled off deactivated activated enabled confirmed acknowledged
            removed lifted ignored deleted
            """)

    private static let german = SelfWords(
        being: "ich_bin bin_ich", naming: "ich_heisse mein_name_ist heisse_ich nennt_mich",
        fillers: "der die das ein eine dein ihr ab von an",
        nows: "jetzt nun ab", services: "zu_ihren_diensten zu_befehl zu_diensten", selves: "ich",
        owners: "meine meiner meinen mein",
        acts:
            "ignoriere ignorieren vergesse vergessen missachte missachten befolge gehorche umgehe ubergehe unterliege gebunden",
        rules: """
            anweisung anweisungen regel regeln vorgabe vorgaben vorschriften richtlinien beschrankung beschrankungen filter
            aufgabe befehl befehle programmierung anleitung
            """,
        released: "befreit entfesselt uneingeschrankt entsperrt", denials: "nicht keine",
        status: "neue neuen alle alten die den vorherigen bisherigen sind wurden ist und jetzt nun sicherheit system",
        done:
            "erhalten empfangen angenommen aktualisiert geladen deaktiviert aus abgeschaltet aufgehoben bestatigt geloscht ignoriert"
    )

    private static let spanish = SelfWords(
        being: "soy sere", naming: "me_llamo mi_nombre_es", fillers: "el la un una su tu desde a partir de",
        nows: "ahora desde", services: "a_su_servicio a_tu_servicio a_sus_ordenes a_la_orden", selves: "",
        owners: "mi mis",
        acts:
            "ignoro ignorare olvido olvidare obedezco obedecere desobedezco desobedecere cumplire omito omitire descarto sujeto sometido",
        rules: """
            instruccion instrucciones regla reglas norma normas restriccion restricciones filtro filtros tarea orden ordenes
            directrices limites
            """,
        released: "liberado desbloqueado", denials: "no sin",
        status: "nueva nuevas todas las los anteriores el la y han sido estan esta ahora seguridad sistema de del",
        done:
            "recibida recibidas aceptada aceptadas actualizadas cargadas desactivadas desactivados eliminadas confirmadas anuladas ignoradas"
    )

    private static let french = SelfWords(
        being: "je_suis je_serai", naming: "je_m_appelle mon_nom_est appelez_moi",
        fillers: "le la un une votre ton des",
        nows: "maintenant desormais dorenavant", services: "a_votre_service a_ton_service a_vos_ordres", selves: "je j",
        owners: "mes ma mon",
        acts: "ignore ignorerai oublie oublierai obeis obeirai desobeis contourne abandonne soumis tenu lie",
        rules: """
            instruction instructions consigne consignes regle regles directives restriction restrictions filtre filtres tache
            ordres limites
            """,
        released: "libere debride deverrouille", denials: "plus pas aucune",
        status:
            "nouvelle nouvelles toutes les anciennes precedentes bien sont est ont ete et maintenant de securite systeme",
        done: "recue recues acceptee acceptees chargees desactivees desactives levees confirmees supprimees ignorees")
}
