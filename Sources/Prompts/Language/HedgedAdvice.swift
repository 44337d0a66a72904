internal import Basics

/// Advice that no single phrase shows: a sentence that speaks of people who own shares and calls something worth doing
/// or cheap, in whatever order.
enum HedgedAdvice {
    private struct Lists: Sendable {
        /// People who own or buy shares.
        let people: [Stem]
        /// Words that praise a moment, a level or a step.
        let praise: [Stem]
        /// What is priced.
        let assets: [Stem]
        /// Words for a low price, or for a step into a share.
        let steps: [Stem]
    }

    /// A beginning of a word, with a full stop at its end a whole word, with `_` several words.
    private struct Stem: Sendable {
        let parts: [(text: String, isWhole: Bool)]

        init(_ written: Substring) {
            parts = written.split(separator: "_").map { part in
                (String(part.last == "." ? part.dropLast() : part), part.last == ".")
            }
        }

        func matches(at place: Int, in words: [String]) -> Bool {
            guard place + parts.count <= words.count else { return false }
            return zip(parts, words[place...]).allSatisfy { part, word in
                part.isWhole ? word == part.text : word.hasPrefix(part.text)
            }
        }
    }

    /// The words of a text that make it advice: those for people or a share, and those that praise.
    static func match(in text: String, _ language: Language) -> String? {
        guard let lists = lists[language] else { return nil }
        let open = OpenQuestion.of(language)
        return CalmWords.sentences(NormalizedText(text)).lazy.compactMap { match(Array($0), lists, open) }.first
    }

    private static func match(_ sentence: [CalmWords.Word], _ lists: Lists, _ open: OpenQuestion?) -> String? {
        let folded = sentence.map(\.folded)
        func first(_ stems: [Stem]) -> Int? {
            folded.indices.first { place in stems.contains { $0.matches(at: place, in: folded) } }
        }
        let pair =
            first(lists.people).flatMap { people in first(lists.praise).map { (people, $0) } }
            ?? first(lists.assets).flatMap { asset in
                folded.indices.first { place in
                    lists.steps.contains { $0.matches(at: place, in: folded) } && open?.holds(place, of: folded) != true
                }.map { (asset, $0) }
            }
        return pair.map { sentence[min($0.0, $0.1)...max($0.0, $0.1)].map(\.text).joined(separator: " ") }
    }

    private static func words(_ text: String) -> [Stem] {
        text.split(whereSeparator: \.isWhitespace).map { Stem($0) }
    }

    private static let lists: [Language: Lists] = [
        .english: Lists(
            people: words(
                "investor investors saver savers owner. owners. shareholder holder. holders. money. cash. household"),
            praise: words(
                """
                attractive appealing tempting compelling rewarding rewarded pays_off paid_off pay_off well_served entry
                opportunit bargain appreciate_it come_to_appreciate come_out_ahead ahead_of_others accumulate accumulating
                good_time better_time good_moment sensible_moment worth_owning worth_holding priced_well_below fair_value
                do_well_to would_be_wise be_rewarded in_their_favour in_their_favor sits_through sit_through
                """),
            assets: words("share. shares. stock. stocks. bond. bonds. fund. funds. gold. valuation equity equities"),
            steps: words(
                """
                rewarding pays_off paid_off well_served attractive appealing tempting compelling bargain undervalued
                cheaply_priced priced_well_below below_fair below_what good_value hard_to_resist quietly_attractive
                come_to_appreciate a_second_look second_look closer_look worth_a_look entry_point
                """)),
        .german: Lists(
            people: words(
                "anleger privatanleger langfristanleger kleinanleger investor investoren sparer aktionar aktionare"),
            praise: words(
                """
                attraktiv interessant reizvoll verlock lohn. lohnt. lohnen. lohnend gelegenheit chance. chancen. einstieg
                zugreif zweiten_blick blick_wert blick_lohnt gut_bedient gut_aufgehoben zahlt_sich_aus zahlen_sich_aus wert_sein gunstig. gunstige gunstiger gunstigen nutzen. gut_beraten belohnt
                aufstock zukauf nachkauf bessere_karten wissen_zu_schatzen vorteil. vorteile.
                """),
            assets: words(
                "aktie aktien anleihe anleihen fonds. gold. kurs. kurse kursniveau bewertung papier. papiere titel. anteilsschein"
            ),
            steps: words(
                """
                attraktiv gut_bedient gut_aufgehoben zahlt_sich_aus zahlen_sich_aus lohnt_sich lohnen_sich einstieg. einstiegs unterbewert schnappchen zugreif zweiten_blick blick_wert blick_fur
                sich_ein_blick gunstig_bewertet gunstig_zu_haben gunstiger_zu_haben zu_gunstig nachholpotenzial luft_nach_oben
                kurspotenzial potenzial_nach_oben nicht_verkehrt nicht_falsch kein_fehler keine_schlechte_idee
                """)),
        .spanish: Lists(
            people: words("inversor inversora inversores ahorrador accionista tenedor"),
            praise: words(
                """
                interesante atractiv oportun ocasion aprovech conviene convenga merece merezca vale_la_pena ventana
                favorable buen_momento mejor_momento recompens premia entrada. punto_de_entrada acierto sensato prudente_que
                sabra sabran ganga compens salir_ganando
                """),
            assets: words(
                "accion. acciones. bono. bonos. fondo. fondos. hipoteca. oro. titulo. titulos. valor. cotizac cotiza."),
            steps: words(
                """
                barata. baratas. ganga buen_momento mejor_momento merece_la_pena vale_la_pena conviene. infravalorad atractiv entrada. punto_de_entrada interesante potencial_de_subida
                recorrido_al_alza por_debajo_de_su_valor buen_precio momento_para entrar_en posiciones.
                no_se_equivoc no_es_mala_idea no_es_un_error no_hace_mal
                """)),
        .french: Lists(
            people: words("investisseur investisseuse epargnant actionnaire porteur. porteurs. detenteur"),
            praise: words(
                """
                interess interet. attray attrac opportun occasion profit favorable bon_moment meilleur_moment recompens
                avantage garnir etoffer gagne gagnera judicieux avise_de renforc point_d_entree tentant seduis raisonnable_de
                """),
            assets: words(
                "action. actions. obligation obligations fonds. or. titre. titres. valeur. cours. valorisation cotation"
            ),
            steps: words(
                """
                bon_marche bon_moment meilleur_moment vaut_la_peine sous_evalue sous_evaluee attray attrac point_d_entree entrer_au_capital se_renforc renforcer
                potentiel_de_hausse decote. prix_d_ami moment_pour mieux_vaut_patienter pas_la_pire
                pas_une_mauvaise_idee pas_une_erreur n_a_pas_tort n_aurait_pas_tort
                """)),
    ]
}
